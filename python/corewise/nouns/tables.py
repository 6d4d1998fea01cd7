"""Nouns as tables: columns by name, and data frames of other libraries, which need not be installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corewise.errors import InputError, MissingError
from corewise.text.escaping import printable

if TYPE_CHECKING:
    import numpy as np
    import pandas

    from corewise.model import CommMatrix, Traffic


class Tabular:
    """A noun that is a table. `polars.DataFrame(noun)` and others work if pyarrow is installed."""

    __slots__ = ()

    def columns(self) -> dict[str, Any]:
        """The columns by name, all of the same length: NumPy arrays of numbers, lists of other values."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a data frame of pandas, which must be installed."""
        return to_pandas(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(noun); through pyarrow."""
        return arrow_stream(self)


def as_columns(names: Iterable[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """The columns of `rows`, each of which has a value for every name."""
    return {name: _column([row[i] for row in rows]) for i, name in enumerate(names)}


def _column(values: list[Any]) -> Any:
    """An array if all values are numbers of one type; texts are made printable."""
    import numpy as np

    if len(kinds := set(map(type, values))) == 1 and kinds <= {int, float, bool}:
        return np.array(values)
    return [printable(value) if isinstance(value, str) else value for value in values]


def traffic_columns(traffic: Traffic | CommMatrix) -> dict[str, np.ndarray]:
    """src, dst (int32), bytes and messages (uint64); of traffic, of the sum of its phases."""
    from corewise.model import Traffic

    matrix = traffic.folded() if isinstance(traffic, Traffic) else traffic
    return dict(zip(("src", "dst", "bytes", "messages"), matrix.columns(), strict=True))


def to_pandas(table: Any) -> pandas.DataFrame:
    """A data frame of pandas with the columns src, dst, bytes and messages, or those of a noun."""
    import pandas

    return pandas.DataFrame(_columns_of(table))


def arrow_stream(table: Any, requested_schema: object = None) -> object:
    """A capsule with an Arrow stream of the columns, for data frames of any library."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingError(
            "pyarrow, through which tables go to other libraries, is not installed: pip install pyarrow, or "
            "use columns() or to_pandas()"
        ) from error
    return pyarrow.table(_columns_of(table)).__arrow_c_stream__(requested_schema)


def _columns_of(table: Any) -> Mapping[str, Any]:
    from corewise.model import CommMatrix, Traffic

    return traffic_columns(table) if isinstance(table, Traffic | CommMatrix) else table.columns()


def to_numpy(traffic: Traffic | CommMatrix, amount: str = "bytes") -> np.ndarray:
    """A square array [src, dst] of "bytes" or "messages". corewise.read() accepts it."""
    import numpy as np

    columns = traffic_columns(traffic)
    square = np.zeros((traffic.n_ranks, traffic.n_ranks), np.uint64)
    square[columns["src"], columns["dst"]] = _amount(columns, amount)
    return square


def to_scipy(traffic: Traffic | CommMatrix, amount: str = "bytes") -> Any:
    """A SciPy csr_array [src, dst] of "bytes" or "messages". corewise.read() accepts it."""
    from scipy import sparse

    columns, shape = traffic_columns(traffic), (traffic.n_ranks, traffic.n_ranks)
    return sparse.csr_array((_amount(columns, amount), (columns["src"], columns["dst"])), shape=shape)


def to_networkx(traffic: Traffic | CommMatrix) -> Any:
    """A networkx DiGraph with a node for each rank. Edges have the attributes bytes and messages."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(range(traffic.n_ranks))
    pairs = zip(*(column.tolist() for column in traffic_columns(traffic).values()), strict=True)
    graph.add_edges_from((src, dst, {"bytes": n, "messages": count}) for src, dst, n, count in pairs)
    return graph


def _amount(columns: dict[str, np.ndarray], name: str) -> np.ndarray:
    if name not in ("bytes", "messages"):
        raise InputError(f"amount is '{name}'; expected 'bytes' or 'messages'")
    return columns[name]
