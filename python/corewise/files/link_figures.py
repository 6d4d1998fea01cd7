"""The figures of a level's links as a table of a document: the same keys in machine files and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corewise.files.table import Table
from corewise.model import LinkFigures

if TYPE_CHECKING:
    from collections.abc import Mapping

_POINT = 4  # size_bytes, time_s, low_s, high_s
_LOAD = 6  # pairs, links, directions (1 or 2), bytes/s, low, high
MOST_SIZE_BYTES = 2**53  # larger ones have no exact number in JSON


def figures_to_json(figures: LinkFigures) -> dict[str, Any]:
    """Latency, bandwidth and source; bounds, curve and loads where they were measured."""
    document: dict[str, Any] = {
        "latency_s": figures.latency_s,
        "bandwidth_bytes_per_s": figures.bandwidth_bytes_per_s,
        "source": figures.source,
    }
    for key in ("latency_bounds_s", "bandwidth_bounds_bytes_per_s"):
        if bounds := getattr(figures, key):
            document[key] = list(bounds)
    if figures.eager_bytes is not None:
        document["eager_bytes"] = figures.eager_bytes
    if figures.rdma:
        document["rdma"] = True
    if figures.curve:
        document["curve"] = [list(point) for point in figures.curve]
    if figures.loads:
        document["loads"] = [
            [pairs, links, 2 if both_ways else 1, *rates] for pairs, links, both_ways, *rates in figures.loads
        ]
    return document


def figures_from_table(table: Table, assumed: bool = False) -> LinkFigures:
    """The figures again; `assumed` ones say so in their source.

    Raises InputError naming the key that is missing or of another kind. Whether the numbers fit together is
    known where the machine is made.
    """
    source = table.get("source", str)
    return LinkFigures(
        table.number("latency_s"),
        table.number("bandwidth_bytes_per_s"),
        f"assumed: {source}" if assumed else source,
        latency_bounds_s=_bounds(table, "latency_bounds_s"),
        bandwidth_bounds_bytes_per_s=_bounds(table, "bandwidth_bounds_bytes_per_s"),
        eager_bytes=table.whole("eager_bytes", most=MOST_SIZE_BYTES) if table.holds("eager_bytes") else None,
        curve=[_point(table, i, row) for i, row in enumerate(_rows(table, "curve", _POINT))],
        loads=[_load(table, i, row) for i, row in enumerate(_rows(table, "loads", _LOAD))],
        rdma=table.get("rdma", bool, False),
    )


def facts_of(figures: LinkFigures) -> Mapping[str, bool | None]:
    """What follows from the loads; None where it wasn't measured."""
    return {"duplex": figures.duplex, "shares_bus": figures.shares_bus}


def _bounds(table: Table, key: str) -> tuple[float, float] | None:
    if not table.holds(key):
        return None
    found = table.numbers(key)
    if len(found) != 2:
        raise table.error(key, found, "two numbers, low and high")
    return found[0], found[1]


def _rows(table: Table, key: str, width: int) -> list[list[float]]:
    rows = table.number_lists(key) if table.holds(key) else []
    for i, row in enumerate(rows):
        if len(row) != width:
            raise table.error(f"{key}[{i}]", row, f"{width} numbers")
    return rows


def _point(table: Table, i: int, row: list[float]) -> tuple[int, float, float, float]:
    size, time_s, low_s, high_s = row
    if not (size.is_integer() and 0 <= size <= MOST_SIZE_BYTES):
        raise table.error(f"curve[{i}]", row, "a whole number of bytes first")
    return int(size), time_s, low_s, high_s


def _load(table: Table, i: int, row: list[float]) -> tuple[int, int, bool, float, float, float]:
    pairs, links, directions, rate, low, high = row
    if not (1 <= links <= pairs < 2**31 and pairs.is_integer() and links.is_integer()) or directions not in (
        1,
        2,
    ):
        raise table.error(f"loads[{i}]", row, "pairs, links (no more than pairs) and directions (1 or 2)")
    return int(pairs), int(links), directions == 2, rate, low, high
