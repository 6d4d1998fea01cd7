"""Reads Matrix Market files: `coordinate` (sparse) and `array` (dense, column after column)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corewise.model import CommMatrix
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS
from corewise.profile.formats.format import InputFile
from corewise.profile.formats.tables import MOST_SQUARE_RANKS, require_width, whole

if TYPE_CHECKING:
    import numpy as np

FIELDS = ("integer", "unsigned-integer", "real", "double", "pattern")
Lines = Iterator[tuple[int, list[str]]]


def read_matrix_market(file: InputFile) -> CommMatrix:
    """[row, column] = [src, dst], values in bytes; in a `pattern` file each entry is 1 byte.

    A `symmetric` file has the lower triangle and counts in both directions. Each pair above 0 is one message;
    entries of a pair are added up.
    """
    import numpy as np

    lines = ((number, line.split()) for number, line in file.lines() if number == 1 or line[:1] != "%")
    words = [word.lower() for word in next(lines, (1, []))[1]]
    layout, field, symmetry = (*words[2:5], "", "", "")[:3]
    if words[:2] != ["%%matrixmarket", "matrix"] or layout not in ("coordinate", "array"):
        raise file.error("expected '%%MatrixMarket matrix coordinate' or 'array' at the start of the file", 1)
    if (
        field not in FIELDS
        or symmetry not in ("general", "symmetric")
        or (layout, field) == ("array", "pattern")
    ):
        expected = "integer, real or (coordinate) pattern, and general or symmetric"
        raise file.found(f"{field} {symmetry}", expected, 1)
    numbered = ((number, words) for number, words in lines if words)
    number, size = next(numbered, (1, []))
    require_width(file, number, size, 3 if layout == "coordinate" else 2)
    n, n_columns, *counts = (whole(file, number, word, "a size") for word in size)
    if n != n_columns or not 0 < n <= (MOST_RANKS if counts else MOST_SQUARE_RANKS):
        raise file.error(f"{n} rows and {n_columns} columns; expected a square, one of each a rank", number)
    if counts:
        src, dst, sent = _coordinates(file, numbered, n, counts[0], field == "pattern")
    else:
        src, dst, sent = _dense(file, numbered, n, symmetry)
    if symmetry == "symmetric":
        if (src < dst).any():
            raise file.error(
                "an entry above the diagonal of a symmetric matrix; expected the lower triangle alone"
            )
        off = src != dst
        src, dst = np.concatenate([src, dst[off]]), np.concatenate([dst, src[off]])
        sent = np.concatenate([sent, sent[off]])
    if sent.astype(float).sum() >= MOST_AMOUNT:
        raise file.error("more than 2^62 bytes in all; expected fewer")
    return CommMatrix.from_columns(n, src, dst, sent, sent > 0)


def _coordinates(
    file: InputFile, lines: Lines, n: int, n_entries: int, is_pattern: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import numpy as np

    columns = (array("Q"), array("Q"), array("Q"))
    for number, words in lines:
        require_width(file, number, words, 2 if is_pattern else 3)
        values = [whole(file, number, word, f"a rank from 1 to {n}") for word in words[:2]]
        if not all(0 < value <= n for value in values):
            raise file.found(" ".join(words[:2]), f"a row and a column, 1 to {n}", number)
        if len(columns[0]) == n_entries:
            raise file.error(f"more than the {n_entries} entries that the header names", number)
        values.append(1 if is_pattern else whole(file, number, words[2], "a number of bytes"))
        for column, value in zip(columns, values, strict=True):
            column.append(value)
    if len(columns[0]) < n_entries:
        raise file.error(
            f"ends after {len(columns[0])} entries; its header names {n_entries}: is the file cut off?"
        )
    src, dst, sent = (np.frombuffer(column, np.uint64) for column in columns)
    return src - np.uint64(1), dst - np.uint64(1), sent


def _dense(file: InputFile, lines: Lines, n: int, symmetry: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The entries above 0; of a symmetric file, of the lower triangle."""
    import numpy as np

    amounts = array("Q", (whole(file, number, word, "bytes") for number, words in lines for word in words))
    wanted = n * n if symmetry == "general" else n * (n + 1) // 2
    if len(amounts) != wanted:
        raise file.error(f"{len(amounts)} numbers for {n} ranks; expected {wanted}: is the file cut off?")
    sent = np.frombuffer(amounts, np.uint64)
    dst, src = np.divmod(np.arange(n * n), n) if symmetry == "general" else np.triu_indices(n)
    return src[sent > 0], dst[sent > 0], sent[sent > 0]
