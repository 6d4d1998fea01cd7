"""Writes a communication matrix as NumPy archive, Matrix Market or CSV square."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.files.whole_file import write_whole

if TYPE_CHECKING:
    import numpy as np

    from corewise.model import CommMatrix

# Squares have a number for every pair, also for pairs without messages.
MOST_DENSE_RANKS = 8192


def write_matrix(path: Path, matrix: CommMatrix) -> None:
    """Writes bytes, and to .npz messages too, [src, dst], with messages of a rank to itself.

    Raises InputError for a suffix other than .csv, .mtx and .npz, if the file exists, and for more than
    MOST_DENSE_RANKS ranks in a square (.csv, .npz).
    """
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise InputError(
            f"ends in '{path.suffix}'; expected one of {', '.join(_WRITERS)} for the matrix's format",
            path=path,
        )
    if path.exists() or path.is_symlink():
        raise InputError("already exists and is not replaced; give another name", path=path)
    write_whole(path, write(path, matrix))


def _square(path: Path, matrix: CommMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Bytes and messages as two uint64 squares."""
    import numpy as np

    n = matrix.n_ranks
    if n > MOST_DENSE_RANKS:
        raise InputError(f"a square of {n} ranks; expected at most {MOST_DENSE_RANKS}: write .mtx", path=path)
    src, dst, sent_bytes, messages = matrix.columns()
    squares = np.zeros((2, n, n), np.uint64)
    squares[0, src, dst], squares[1, src, dst] = sent_bytes, messages
    return squares[0], squares[1]


def _npz(path: Path, matrix: CommMatrix) -> bytes:
    import numpy as np

    sent_bytes, messages = _square(path, matrix)
    file = io.BytesIO()
    np.savez_compressed(file, bytes=sent_bytes, msgs=messages)
    return file.getvalue()


def _csv(path: Path, matrix: CommMatrix) -> bytes:
    sent_bytes, _ = _square(path, matrix)
    return "".join(",".join(map(str, row)) + "\n" for row in sent_bytes.tolist()).encode()


def _matrix_market(path: Path, matrix: CommMatrix) -> bytes:
    src, dst, sent_bytes, _ = (column.tolist() for column in matrix.columns())
    n = matrix.n_ranks
    lines = ["%%MatrixMarket matrix coordinate integer general", "% bytes from row to column"]
    lines.append(f"{n} {n} {len(src)}")
    lines += [f"{s + 1} {d + 1} {amount}" for s, d, amount in zip(src, dst, sent_bytes, strict=True)]
    return ("\n".join(lines) + "\n").encode()


_WRITERS: dict[str, Callable[[Path, CommMatrix], bytes]] = {
    ".csv": _csv,
    ".mtx": _matrix_market,
    ".npz": _npz,
}
