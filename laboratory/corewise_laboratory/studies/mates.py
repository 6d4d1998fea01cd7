"""Which ranks share a node under a placement, as numbers that a claim can look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def mate_distances(nodes: Sequence[int]) -> dict[str, float | None]:
    """Columns `mates_least` and `mates_most`: j - i of the ranks i < j that share a node; `nodes` by rank.

    None where no node has two ranks.
    """
    by_node: dict[int, list[int]] = {}
    for rank, node in enumerate(nodes):
        by_node.setdefault(node, []).append(rank)
    distances = [b - a for ranks in by_node.values() for a, b in combinations(ranks, 2)]
    return {
        "mates_least": float(min(distances)) if distances else None,
        "mates_most": float(max(distances)) if distances else None,
    }
