"""Dense matrices: NumPy archives, and what squares of numbers become."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from corewise import model
from corewise.errors import InputError

if TYPE_CHECKING:
    import numpy as np

# Of a dense archive's two arrays together: 8192 ranks.
MOST_DENSE_BYTES = 2**30 + 2**12


def read_npz(path: str, content: Path | None = None) -> model.CommMatrix:
    """NumPy archive with square arrays `bytes` and `msgs`, [src, dst], whole and not negative.

    `content` is where it is, when that is another file than `path`. Raises InputError naming the file and
    what is wrong.
    """
    import numpy as np

    try:
        with np.load(content or path, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise InputError("one bare array; expected an archive of two, 'bytes' and 'msgs'", path=path)
            missing = {"bytes", "msgs"} - set(archive.files)
            if missing:
                raise InputError(
                    f"no array '{min(missing)}' (found {', '.join(archive.files) or 'none'}); "
                    "expected 'bytes' and 'msgs', both [src, dst]",
                    path=path,
                )
            _refuse_huge(path, archive)
            counts = {name: whole_square(path, name, archive[name]) for name in ("bytes", "msgs")}
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib, ast and NumPy raise a dozen types on damaged files
        raise InputError(
            "not a sound .npz archive of two arrays of numbers; expected one written by numpy.savez",
            path=path,
        ) from error
    return matrix_from_dense(path, counts["bytes"], counts["msgs"])


def _refuse_huge(path: str, archive: np.lib.npyio.NpzFile) -> None:
    """Raises InputError where the arrays would unpack to more than MOST_DENSE_BYTES; nothing is unpacked."""
    assert archive.zip is not None
    sizes = [entry.file_size for entry in archive.zip.infolist() if entry.filename[:-4] in ("bytes", "msgs")]
    if sum(sizes) > MOST_DENSE_BYTES:
        raise InputError(
            f"unpacks to {sum(sizes)} bytes; expected at most {MOST_DENSE_BYTES}: "
            "write a larger matrix as Matrix Market (.mtx)",
            path=path,
        )


def matrix_from_dense(name: str, sent_bytes: np.ndarray, messages: np.ndarray) -> model.CommMatrix:
    """A CommMatrix from two square uint64 arrays, [src, dst]. Raises InputError when their shapes differ."""
    import numpy as np

    if sent_bytes.shape != messages.shape:
        raise InputError(
            f"{name}: 'bytes' is {_shape(sent_bytes)} and 'msgs' {_shape(messages)}; expected the same shape"
        )
    src, dst = np.nonzero((sent_bytes != 0) | (messages != 0))
    return model.CommMatrix.from_columns(
        len(sent_bytes), src.astype(np.int32), dst.astype(np.int32), sent_bytes[src, dst], messages[src, dst]
    )


def whole_square(path: str, name: str, array: np.ndarray) -> np.ndarray:
    """`array` as uint64; raises InputError unless it is square and holds whole numbers from 0 to 2^62."""

    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.shape[0] == 0:
        raise InputError(
            f"'{name}' is {_shape(array)}; expected a square, one row and one column a rank", path=path
        )
    return whole_amounts(array, f"{path}: '{name}'")


def whole_amounts(array: np.ndarray, name: str) -> np.ndarray:
    """`array` of any shape as uint64; raises InputError for a value that is not whole, from 0 to 2^62."""
    import numpy as np

    if array.size == 0:
        return array.astype(np.uint64)
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name} holds {array.dtype}; expected whole numbers")
    with np.errstate(invalid="ignore"):
        bad = ~((array >= 0) & (array <= 2**62))
        if array.dtype.kind == "f":
            bad |= np.floor(array) != array
    if bad.any():
        at = np.argwhere(bad)[0].tolist()
        raise InputError(
            f"{name}[{', '.join(map(str, at))}] is {array[tuple(at)]}; expected a whole number, 0 or more, "
            "at most 2^62"
        )
    return array.astype(np.uint64)


def _shape(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) or "a single number"
