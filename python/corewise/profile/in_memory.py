"""Inputs in memory: converts arrays, sparse matrices, graphs and data frames to a matrix."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np

from corewise.errors import InputError
from corewise.model import CommMatrix, Profile, Traffic
from corewise.profile.dense import MOST_RANKS, matrix_from_dense, whole_amounts
from corewise.profile.formats.tables import COLUMNS, column_of
from corewise.profile.inputs import Input, layer_named, profile_input


class NoTraffic(InputError):
    """An object of a type or a shape that traffic doesn't have."""


EXPECTED = (
    "a path, a square array of bytes [src, dst], a sparse matrix of SciPy's, a pair of either (bytes, "
    "messages), a networkx graph, or a frame with the columns src, dst, bytes and perhaps messages"
)


def input_in_memory(data: Any, layer: str = "p2p") -> Input:
    """A profile's `layer`, traffic or a matrix as an Input; raises InputError for other objects.

    Only a profile has other layers than "p2p".
    """
    if isinstance(data, Profile):
        return profile_input("profile", data, layer)
    held = data.layer if isinstance(data, Input) else "p2p"
    layer_named(layer)
    if layer not in ("p2p", held):
        raise InputError(f"found {type(data).__name__} of layer {held}; expected a profile for layer {layer}")
    if isinstance(data, Input):
        return data
    if isinstance(data, Traffic):
        return Input("traffic", "memory", data)
    return Input("matrix", "memory", Traffic.of(matrix_in_memory(data)))


def matrix_in_memory(data: Any) -> CommMatrix:
    """Bytes and messages [src, dst]; if `data` has no messages, each pair with bytes sends one.

    An edge of an undirected graph counts once and has the bytes of both directions together, as in a METIS
    file. Raises InputError for any other type, and names it.
    """
    if isinstance(data, CommMatrix):
        return data
    if hasattr(data, "tocoo"):
        return _sparse(data)
    if hasattr(data, "edges") and hasattr(data, "is_directed"):
        return _graph(data)
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):  # a LazyFrame of polars or narwhals
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns"):
        return _frame(data)
    if isinstance(data, tuple) and len(data) == 2:
        if all(hasattr(part, "tocoo") for part in data):
            return _sparse(*data)
        sent, messages = (_square(part) for part in data)
        return matrix_from_dense("the pair of arrays", sent, messages)
    return matrix_from_dense("the array", _square(data))


def _square(data: Any) -> np.ndarray:
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise NoTraffic(
            f"found {type(data).__name__} of rows of different lengths; expected {EXPECTED}"
        ) from error
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not 0 < array.shape[0] <= MOST_RANKS:
        raise NoTraffic(f"found {type(data).__name__} of shape {array.shape}; expected {EXPECTED}")
    return whole_amounts(array, "the array")


def _sparse(data: Any, of_messages: Any = None) -> CommMatrix:
    entries = data.tocoo()
    if entries.shape[0] != entries.shape[1]:
        raise InputError(f"found a sparse matrix of shape {entries.shape}; expected a square, [src, dst]")
    if of_messages is None:
        return _from_pairs(entries.row, entries.col, entries.data, None, entries.shape[0])
    counts = of_messages.tocoo()
    if counts.shape != entries.shape:
        raise InputError(f"found bytes of shape {entries.shape} and messages of {counts.shape}")
    src, dst, sent, messages = (
        np.concatenate(both)
        for both in (
            (entries.row, counts.row),
            (entries.col, counts.col),
            (entries.data, np.zeros(counts.nnz, np.uint64)),
            (np.zeros(entries.nnz, np.uint64), counts.data),
        )
    )
    return _from_pairs(src, dst, sent, messages, entries.shape[0])


def _graph(data: Any) -> CommMatrix:
    rows = [
        (src, dst, edge.get("bytes", edge.get("weight", 1)), edge.get("messages"))
        for src, dst, edge in data.edges(data=True)
    ]
    named = sorted(data.nodes) if all(isinstance(node, Integral) for node in data.nodes) else []
    if named != list(range(len(data.nodes))):
        raise InputError("found a graph whose nodes are not 0, 1, ...; expected a node for each rank")
    src, dst, sent, messages = zip(*rows, strict=True) if rows else ((), (), (), ())
    if None in messages and any(messages):
        which = messages.index(None)
        raise InputError(
            f"edge ({src[which]}, {dst[which]}) has no 'messages'; expected them at all edges, or at none",
            field="messages",
        )
    return _from_pairs(src, dst, sent, None if None in messages else messages, len(named))


def _frame(data: Any) -> CommMatrix:
    """A column counts by its own name, else by one that means it in files; others are ignored."""
    columns = _columns(data)
    given = ", ".join(columns)
    for name in [name for name in COLUMNS if name not in columns]:
        meant = [one for one in columns if column_of(one) == name]
        if len(meant) > 1:
            found = " and ".join(meant)
            raise InputError(f"found the columns {found}; expected one of them, named {name}", field=name)
        if meant:
            columns[name] = columns[meant[0]]
    missing = [name for name in ("src", "dst", "bytes") if name not in columns]
    if missing:
        having = f"with the columns {given}; expected also" if given else "without columns; expected"
        raise InputError(f"found a frame {having} {missing[0]}", field=missing[0])
    for name in COLUMNS:
        if isinstance(columns.get(name), str):
            raise InputError(f"column {name} holds {columns[name]}; expected whole numbers", field=name)
    src, dst, sent, messages = (
        None if name not in columns else np.asarray(columns[name]) for name in COLUMNS
    )
    assert src is not None and dst is not None and sent is not None
    return _from_pairs(src, dst, sent, messages)


def _columns(data: Any) -> dict[str, Any]:
    """The columns by name: through pyarrow if it is installed, else by the frame's own columns.

    A column that holds no numbers may be a sentence on what it holds.
    """
    if hasattr(data, "__arrow_c_stream__"):
        with suppress(ImportError):
            import pyarrow

            try:
                table = pyarrow.table(data)
            except (TypeError, pyarrow.ArrowInvalid) as error:
                raise InputError(f"found {type(data).__name__}; expected a table with columns") from error
            return {name: _numbers(table[name]) for name in table.column_names}
    return {str(name): data[name] for name in data.columns}


def _numbers(column: Any) -> Any:
    """The array of a column of pyarrow; a text on what it holds in place of numbers."""
    import pyarrow

    kind = column.type
    if column.null_count:
        return "missing values" if column.null_count < len(column) else "no values"
    if pyarrow.types.is_decimal(kind):  # sums of DuckDB have 128 bits
        try:
            column = column.cast(pyarrow.int64())
        except pyarrow.ArrowInvalid:
            return "numbers of more than 64 bits"
    elif not (pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)):
        return "no values" if pyarrow.types.is_null(kind) else f"the type {kind}"
    return column.to_numpy()


def _from_pairs(
    src: Iterable[int],
    dst: Iterable[int],
    sent_bytes: Iterable[int],
    messages: Iterable[int] | None,
    n_ranks: int | None = None,
) -> CommMatrix:
    """The matrix of a list of pairs, repeated ones added up. By default, the highest rank is the last."""
    of_src, of_dst = (whole_amounts(np.asarray(ranks), name) for ranks, name in ((src, "src"), (dst, "dst")))
    amounts = whole_amounts(np.asarray(sent_bytes), "bytes")
    counts = amounts > 0 if messages is None else whole_amounts(np.asarray(messages), "messages")
    n = max((int(column.max()) + 1 for column in (of_src, of_dst) if len(column)), default=0)
    if not 0 < (n_ranks or n) <= MOST_RANKS or n > (n_ranks or n):
        raise InputError(f"found {n_ranks or n} ranks; expected 1 to {MOST_RANKS}, numbered from 0")
    return CommMatrix.from_columns(n_ranks or n, of_src, of_dst, amounts, counts)
