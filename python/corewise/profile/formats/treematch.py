"""Reads TreeMatch's matrices (.mat): a square of real numbers."""

from __future__ import annotations

import warnings

from corewise.model import CommMatrix
from corewise.profile.dense import matrix_from_dense, whole_square
from corewise.profile.formats.format import InputFile

MOST_BYTES = 2**30


def read_treematch(file: InputFile) -> CommMatrix:
    """Reads [src, dst], rounded to whole bytes; each number above 0 is one message.

    Raises InputError naming the file, also if all numbers are below 1: they are shares, not bytes. Source:
    Jeannot, Mercier, Tessier, IEEE TPDS 25 (2014), and the tool's own examples.
    """
    import numpy as np

    file.refuse_large(most_bytes=MOST_BYTES)
    try:
        # Pass an open file: NumPy would uncompress a path by its suffix.
        with warnings.catch_warnings(), file.path.open(encoding="latin-1") as lines:
            warnings.simplefilter("ignore")  # about an empty file
            square = np.loadtxt(lines, ndmin=2, comments=None)
    except (ValueError, OverflowError) as error:
        raise file.error("no TreeMatch matrix; expected rows of as many numbers as there are rows") from error
    largest = square.max(initial=0)
    if 0 < largest < 1:
        raise file.error(f"the largest number is {largest:g}; expected bytes: multiply by a constant")
    return matrix_from_dense(file.shown, whole_square(file.shown, "the matrix", np.rint(square)))
