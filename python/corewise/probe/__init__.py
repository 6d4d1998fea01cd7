"""Measures latency and bandwidth of every level of a machine, and writes a machine file."""
