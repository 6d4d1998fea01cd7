"""Converts arrays to communication matrices, and checks the numbers of all readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corewise import model
from corewise.errors import InputError

if TYPE_CHECKING:
    import numpy as np

MOST_DENSE_BYTES = 2**30 + 2**12  # of a dense archive's two arrays together: 8192 ranks
MOST_RANKS = 2**22
MOST_AMOUNT = 2**62


def matrix_from_dense(
    name: str, sent_bytes: np.ndarray, messages: np.ndarray | None = None
) -> model.CommMatrix:
    """A CommMatrix from square arrays, [src, dst]; without `messages`, each pair with bytes sends one.

    Raises InputError when their shapes differ.
    """
    import numpy as np

    messages = sent_bytes > 0 if messages is None else messages
    if sent_bytes.shape != messages.shape:
        raise InputError(
            f"{name}: 'bytes' is {_shape(sent_bytes)} and 'msgs' {_shape(messages)}; expected the same shape"
        )
    src, dst = np.nonzero((sent_bytes != 0) | (messages != 0))
    counts = messages[src, dst].astype(np.uint64)
    return model.CommMatrix.from_columns(len(sent_bytes), src, dst, sent_bytes[src, dst], counts)


def whole_square(path: str, name: str, array: np.ndarray) -> np.ndarray:
    """`array` as uint64; raises InputError unless it is square, and as whole_amounts() does."""
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.shape[0] == 0:
        raise InputError(
            f"'{name}' is {_shape(array)}; expected a square, one row and one column a rank", path=path
        )
    return whole_amounts(array, f"{path}: '{name}'")


def whole_amounts(array: np.ndarray, name: str) -> np.ndarray:
    """`array` as uint64; raises InputError unless all values are whole, 0 or more, and below 2^62 in all."""
    import numpy as np

    if array.dtype.kind not in "iufb" and array.size:
        raise InputError(f"{name} holds {array.dtype}; expected whole numbers", field=name)
    if array.dtype.kind != "b":
        with np.errstate(invalid="ignore"):
            bad = ~((array >= 0) & (array <= MOST_AMOUNT))
            if array.dtype.kind == "f":
                bad |= np.floor(array) != array
        if bad.any():
            at = np.argwhere(bad)[0].tolist()
            entry = f"{name}[{', '.join(map(str, at))}]"
            sentence = f"{entry} is {array[tuple(at)]}; expected a whole number, 0 or more, at most 2^62"
            raise InputError(sentence, field=entry.removeprefix("the "))
    if array.astype(float).sum() >= MOST_AMOUNT:
        raise InputError(f"{name} holds more than 2^62 in all; expected less", field=name)
    return array.astype(np.uint64)


def _shape(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) or "a single number"
