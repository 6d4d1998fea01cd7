"""Inputs: matrices and profiles from files, their tables, and the patterns of the micro-benchmarks."""
