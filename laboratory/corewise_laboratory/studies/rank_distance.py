"""Differences of the rank numbers on a node, for claims of studies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def rank_distances(nodes: Sequence[int]) -> dict[str, float | None]:
    """The least and greatest j - i of ranks i < j on the same node, by column; None if no node has two ranks.

    `nodes` has the node of each rank.
    """
    by_node: dict[int, list[int]] = {}
    for rank, node in enumerate(nodes):
        by_node.setdefault(node, []).append(rank)
    distances = [b - a for ranks in by_node.values() for a, b in combinations(ranks, 2)]
    return {
        "rank_distance_least": float(min(distances)) if distances else None,
        "rank_distance_most": float(max(distances)) if distances else None,
    }
