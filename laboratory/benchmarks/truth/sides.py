"""Splits the programs: a model may be fitted to some, and the others are held out for judging it.

The rule uses nothing but a program's name. So a program never changes sides, which
laboratory/tests/unit/test_truth.py checks, and is on the same side on every network.
"""

from __future__ import annotations

import hashlib

# Their measured times were known when the model was changed, before there was a rule (November 2026).
EXPOSED = frozenset({"fftw", "hpl", "lammps", "npb-lu", "npb-mg", "random", "recursive-doubling", "ring"})
FITTED_BYTES = 64  # of 256: a quarter of all names


def is_held_out(program: str) -> bool:
    """Whether the first byte of the name's SHA-256 is 64 or more (three of four names); False for EXPOSED."""
    return program not in EXPOSED and hashlib.sha256(program.encode()).digest()[0] >= FITTED_BYTES
