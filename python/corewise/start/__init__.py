"""Starts programs: commands, their plans, processes, and the files and folders that they need."""
