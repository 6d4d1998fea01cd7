"""Reads Matrix Market files with SciPy: `coordinate` (sparse) and `array` (column after column)."""

from __future__ import annotations

from corewise.model import CommMatrix
from corewise.profile.dense import MOST_RANKS, whole_amounts
from corewise.profile.formats.format import InputFile

# A number has at least two bytes. The limit keeps a wrong size in the header from filling the memory.
LEAST_BYTES_PER_NUMBER = 2


def read_matrix_market(file: InputFile) -> CommMatrix:
    """[row, column] = [src, dst], values in bytes; in a `pattern` file each entry is 1 byte.

    A `symmetric` file counts in both directions. Each pair above 0 is one message; entries of a pair are
    added up.
    """
    import numpy as np
    from scipy.io import mminfo, mmread
    from scipy.sparse import coo_array

    try:
        rows, columns, n_numbers, layout, field, symmetry = mminfo(str(file.path))
    except (ValueError, OverflowError) as error:
        raise _unsound(file, error) from error
    if field == "complex" or symmetry not in ("general", "symmetric"):
        raise file.error(
            f"a {field} {symmetry} matrix; expected integer, real or pattern, general or symmetric"
        )
    if rows != columns or not 0 < rows <= MOST_RANKS:
        raise file.error(f"{rows} rows and {columns} columns; expected a square, one of each a rank")
    held = n_numbers if layout == "coordinate" or symmetry == "general" else rows * (rows + 1) // 2
    if held * LEAST_BYTES_PER_NUMBER > file.path.stat().st_size:
        raise file.error(f"its header names {held} numbers, more than the file can hold: is it cut off?")
    try:
        found = coo_array(mmread(str(file.path)))
    except (ValueError, OverflowError) as error:
        raise _unsound(file, error) from error
    amounts = whole_amounts(np.asarray(found.data), f"{file.shown}: the numbers")
    src, dst = found.coords
    return CommMatrix.from_columns(rows, src, dst, amounts, amounts > 0)


def _unsound(file: InputFile, error: Exception) -> Exception:
    reason = " ".join(str(error).rstrip(".").split())
    return file.error(f"no sound Matrix Market file ({reason}); expected all of one: is it cut off?")
