"""Reads Matrix Market files: the C++ core reads the sparse layout, this file the dense one (`array`)."""

from __future__ import annotations

from corewise import model
from corewise.model import CommMatrix
from corewise.profile.dense import whole_amounts
from corewise.profile.formats.format import InputFile

MOST_DENSE_RANKS = 8192


def read_matrix_market(file: InputFile) -> CommMatrix:
    """Reads both layouts. `array` lists column after column; each pair above 0 is one message."""
    words = file.head.split(b"\n", 1)[0].lower().split()
    return _array(file, words) if words[2:3] == [b"array"] else model.read_matrix_market(str(file.path))


def _array(file: InputFile, words: list[bytes]) -> CommMatrix:
    import numpy as np

    if words[3:4] not in ([b"integer"], [b"real"], [b"double"]) or words[4:5] not in (
        [b"general"],
        [b"symmetric"],
    ):
        raise file.error("expected '%%MatrixMarket matrix array integer general' (or real, symmetric)", 1)
    text = file.path.read_bytes()
    numbers = [word for line in text.split(b"\n") if not line.startswith(b"%") for word in line.split()]
    if len(numbers) < 2 or not (
        numbers[0].isdigit() and numbers[0] == numbers[1] and 0 < len(numbers[0]) < 6
    ):
        raise file.error("expected the size, rows and columns alike, after the comments")
    n, by_column = int(numbers[0]), words[4] == b"general"
    wanted = n * n if by_column else n * (n + 1) // 2
    if not 0 < n <= MOST_DENSE_RANKS or len(numbers) - 2 != wanted:
        raise file.error(f"{len(numbers) - 2} numbers for {n} ranks; expected {wanted}: is the file cut off?")
    try:
        values = np.array(numbers[2:]).astype(float)
    except ValueError as error:
        raise file.error("found something that is no number; expected bytes") from error
    amounts = whole_amounts(values, f"{file.shown}: the numbers")
    dst, src = np.divmod(np.arange(n * n), n) if by_column else np.triu_indices(n)
    if not by_column:  # the file has the lower triangle: mirror it
        off = src != dst
        src, dst = np.concatenate([src, dst[off]]), np.concatenate([dst, src[off]])
        amounts = np.concatenate([amounts, amounts[off]])
    sent = amounts > 0
    return model.CommMatrix.from_columns(n, src[sent], dst[sent], amounts[sent], sent[sent])
