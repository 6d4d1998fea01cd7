"""Measuring a machine: latency and bandwidth of every level, from chosen pairs of cores to a machine file."""
