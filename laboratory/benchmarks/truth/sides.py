"""Which programs a model may be fitted with, and which are held out: they only judge.

A rule that uses no result splits the programs once, by their names. A program never changes sides
(laboratory/tests/unit/test_truth.py keeps the sides), and it is on the same side on every network.
"""

from __future__ import annotations

import hashlib

# The model was changed with the measured times of these at hand before there was a rule (November 2026).
EXPOSED = frozenset({"fftw", "hpl", "lammps", "npb-lu", "npb-mg", "random", "recursive-doubling", "ring"})
FITTED_BYTES = 64  # of 256: a quarter of all names


def is_held_out(program: str) -> bool:
    """Unless exposed: the first byte of the name's SHA-256 is 64 or more, three programs of four."""
    return program not in EXPOSED and hashlib.sha256(program.encode()).digest()[0] >= FITTED_BYTES
