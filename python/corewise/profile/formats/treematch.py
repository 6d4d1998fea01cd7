"""TreeMatch's matrices (.mat): a square of real numbers, as its mapping tool reads them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from corewise.profile.dense import matrix_from_dense, whole_square
from corewise.profile.formats.format import InputFile

if TYPE_CHECKING:
    from corewise.model import CommMatrix

MOST_BYTES = 2**30


def read_treematch(file: InputFile) -> CommMatrix:
    """Rows of numbers separated by spaces, [src, dst], rounded to whole bytes; each above 0 is one message.

    A matrix whose numbers are all below 1 holds shares rather than bytes and is refused. Raises InputError
    naming the file. Source: Jeannot, Mercier, Tessier, IEEE TPDS 25 (2014), and the tool's own examples.
    """
    import numpy as np

    file.refuse_large(most_bytes=MOST_BYTES)
    try:
        # An open file: NumPy would unpack a path by its ending.
        with warnings.catch_warnings(), file.path.open(encoding="latin-1") as lines:
            warnings.simplefilter("ignore")  # of an empty file
            square = np.loadtxt(lines, ndmin=2, comments=None)
    except (ValueError, OverflowError) as error:
        raise file.error("no TreeMatch matrix; expected rows of as many numbers as there are rows") from error
    largest = square.max(initial=0)
    if 0 < largest < 1:
        raise file.error(f"the largest number is {largest:g}; expected bytes: multiply by a constant")
    return matrix_from_dense(file.shown, whole_square(file.shown, "the matrix", np.rint(square)))
