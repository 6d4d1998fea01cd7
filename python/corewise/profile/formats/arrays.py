"""Reads matrices of NumPy and SciPy: .npy, .npz, and files of scipy.sparse.save_npz."""

from __future__ import annotations

import zipfile
from typing import IO, TYPE_CHECKING

from corewise.errors import InputError
from corewise.model import CommMatrix
from corewise.profile.dense import (
    MOST_DENSE_BYTES,
    MOST_RANKS,
    matrix_from_dense,
    whole_amounts,
    whole_square,
)
from corewise.profile.formats.format import InputFile

if TYPE_CHECKING:
    import numpy as np

_SPARSE = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}


def read_npy(file: InputFile) -> CommMatrix:
    """One square array of bytes [src, dst], as numpy.save writes it; each pair above 0 is one message."""
    with file.path.open("rb") as content:
        return _bytes_alone(file, _array(file, content, file.path.stat().st_size))


def read_archive(file: InputFile) -> CommMatrix:
    """An .npz with `bytes` and `msgs`, with one array (bytes), or with a sparse matrix of SciPy."""
    try:
        with zipfile.ZipFile(file.path) as archive:
            entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            is_pair = "msgs" in entries or not ({"format", "shape"} <= set(entries) or len(entries) == 1)
            wanted = ["bytes", "msgs"] if is_pair else list(entries)
            if missing := [name for name in wanted if name not in entries]:
                raise file.error(
                    f"no array '{missing[0]}' (found {', '.join(entries) or 'none'}); expected 'bytes' and "
                    "'msgs', both [src, dst]"
                )
            if sum(entries[name].file_size for name in wanted) > MOST_DENSE_BYTES:
                raise file.error(
                    f"unpacks to more than {MOST_DENSE_BYTES} bytes; "
                    "write a larger matrix as Matrix Market (.mtx)"
                )
            arrays = {}
            for name in wanted:
                with archive.open(entries[name]) as content:
                    arrays[name] = _array(file, content, entries[name].file_size)
    except InputError:
        raise
    except Exception as error:  # zipfile and zlib raise a dozen types on damaged files
        raise file.error(
            "not a sound .npz archive of arrays of numbers; expected one written by numpy.savez or SciPy"
        ) from error
    if is_pair:
        squares = (whole_square(file.shown, name, array) for name, array in arrays.items())
        return matrix_from_dense(file.shown, *squares)
    return _sparse(file, arrays) if "format" in arrays else _bytes_alone(file, next(iter(arrays.values())))


def _array(file: InputFile, content: IO[bytes], n_bytes: int) -> np.ndarray:
    """The array of a .npy stream of `n_bytes`. Allocates memory only if the header fits this size."""
    import numpy as np
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(content)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, by_column, dtype = read_header(content)
        n = 1
        for side in shape:
            n *= side
        if dtype.hasobject or n < 0 or n * dtype.itemsize > n_bytes or n * dtype.itemsize > MOST_DENSE_BYTES:
            raise ValueError
        data = content.read(n * dtype.itemsize)
        return np.frombuffer(data, dtype, n).reshape(shape, order="F" if by_column else "C")
    except Exception as error:  # ast, tokenize and NumPy raise a dozen types on damaged headers
        raise file.error(
            "no sound NumPy array of numbers, or cut off; expected one written by numpy.save"
        ) from error


def _bytes_alone(file: InputFile, array: np.ndarray) -> CommMatrix:
    return matrix_from_dense(file.shown, whole_square(file.shown, "the array", array))


def _sparse(file: InputFile, arrays: dict[str, np.ndarray]) -> CommMatrix:
    """Reads CSR, CSC and COO. Each entry above 0 is one message; entries of a pair are added up."""
    import numpy as np

    kind = bytes(arrays["format"].tobytes()).replace(b"\0", b"").decode("ascii", "replace")
    if kind not in _SPARSE or not {"data", "shape", *_SPARSE[kind]} <= set(arrays):
        raise file.error(f"a sparse matrix in form {kind[:8]!r}; expected csr, csc or coo: save m.tocsr()")
    shape = arrays["shape"].ravel().tolist()
    if len(shape) != 2 or shape[0] != shape[1] or not 0 < shape[0] <= MOST_RANKS:
        raise file.error(
            f"a sparse matrix of shape {shape!s:.40}; expected a square of at most {MOST_RANKS} ranks"
        )
    n, data = shape[0], arrays["data"].ravel()
    first, second = (arrays[name].ravel() for name in _SPARSE[kind])
    if any(column.dtype.kind not in "iu" for column in (first, second)):
        raise file.error("a sparse matrix whose indices are no whole numbers; expected one written by SciPy")
    if kind != "coo":
        steps: np.ndarray = np.diff(second.astype(np.int64))
        if len(second) != n + 1 or second[0] != 0 or (steps < 0).any() or steps.sum() != len(first):
            raise file.error("a sparse matrix whose row pointers don't fit; expected one written by SciPy")
        first, second = np.repeat(np.arange(n), steps), first
        first, second = (first, second) if kind == "csr" else (second, first)
    if not len(first) == len(second) == len(data) or any(
        len(column) and not (int(column.min()) >= 0 and int(column.max()) < n) for column in (first, second)
    ):
        raise file.error(f"a sparse matrix with entries outside its {n} ranks; expected one written by SciPy")
    amounts = whole_amounts(data, f"{file.shown}: data")
    return CommMatrix.from_columns(n, first, second, amounts, amounts > 0)
