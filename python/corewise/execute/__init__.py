"""Everything that acts: probing programs, writing files, starting and ending processes."""
