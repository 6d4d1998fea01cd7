"""Cray MPICH's rank order: the rank of each slot if all nodes have the same number of ranks."""

from __future__ import annotations

from corewise.launchers.launcher import Job
from corewise.launchers.per_node import fills_in_order, ranks_by_node
from corewise.nouns.placement import Placement


def slots(placement: Placement) -> list[int]:
    """The ranks in the order of the slots: those of node 0, then those of node 1, and so on."""
    return [rank for ranks in ranks_by_node(placement).values() for rank in ranks]


def rank_order(placement: Placement, job: Job) -> tuple[dict[str, str], dict[str, str]]:
    """The environment and the file {path: text} that renumber the ranks, with a line for each node.

    The first line is CrayPat's comment with the number of ranks per node. Both results are empty if slots and
    ranks are in the same order.
    """
    if fills_in_order(placement):
        return {}, {}
    path = f"{job.directory}/MPICH_RANK_ORDER"
    nodes = list(ranks_by_node(placement).values())
    lines = [f"# Max PEs/Node: {len(nodes[0])}", *(",".join(map(str, ranks)) for ranks in nodes)]
    env = {"MPICH_RANK_REORDER_METHOD": "3", "MPICH_RANK_REORDER_FILE": path}
    return env, {path: "\n".join(lines) + "\n"}
