"""A torus as a table of a document: the same keys in machine files and JSON, but for where nodes stand."""

from __future__ import annotations

from typing import Any

from corewise.files.table import Table
from corewise.model import Torus, points_in_boxes

# Nodes fill boxes, or each has its point.
_KEYS = ("sizes", "box", "point_of_node", "bandwidth_bytes_per_s", "hop_latency_s", "source", "assumed")


def torus_to_json(torus: Torus) -> dict[str, Any]:
    """Sizes, the point of each node, figures and source."""
    return {
        "sizes": torus.sizes,
        "point_of_node": torus.point_of_node,
        "bandwidth_bytes_per_s": torus.bandwidth_bytes_per_s,
        "hop_latency_s": torus.hop_latency_s,
        "source": torus.source,
    }


def torus_from_table(table: Table, n_nodes: int) -> Torus:
    """The torus again, for so many nodes; raises InputError naming the key that is wrong.

    Without `point_of_node` nodes fill boxes of `box` points, and without that the torus as one box.
    """
    table.refuse_others(_KEYS)
    sizes = table.whole_numbers("sizes")
    if table.holds("point_of_node"):
        points = table.whole_numbers("point_of_node")
    else:
        with table.building("sizes"):
            points = points_in_boxes(sizes, table.whole_numbers("box") if table.holds("box") else [], n_nodes)
    source = table.get("source", str)
    assumed = table.get("assumed", bool, False)
    return Torus(
        sizes,
        points,
        table.number("bandwidth_bytes_per_s"),
        table.number("hop_latency_s"),
        f"assumed: {source}" if assumed else source,
    )
