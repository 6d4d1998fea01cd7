"""Observes what was started: hosts and their cores, the masks of ranks, profiles and runs."""
