"""Everything with effects outside the process: probes programs, writes files, starts and ends processes."""
