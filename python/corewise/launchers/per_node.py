"""A placement by node: the ranks of each node, whether all nodes bind them alike, and Cray's rank order."""

from __future__ import annotations

from collections.abc import Sequence

from corewise.errors import InputError
from corewise.launchers.launcher import Job, inject, masks_of
from corewise.nouns.placement import Placement


def ranks_by_node(placement: Placement) -> dict[int, list[int]]:
    """Node -> its ranks in order, sorted by node, without empty nodes."""
    nodes: dict[int, list[int]] = {node: [] for node in sorted(set(placement.node))}
    for rank, node in enumerate(placement.node):
        nodes[node].append(rank)
    return nodes


def fills_in_order(placement: Placement) -> bool:
    """True if node 0 has the first ranks, node 1 the next ones, and so on."""
    return placement.node == sorted(placement.node)


def masks_alike(placement: Placement) -> list[list[int]] | None:
    """os_index masks by a rank's number on its node if they are the same on every node; else None.

    Many launchers have only one list of cores, which holds for all nodes.
    """
    masks = masks_of(placement)
    lists = [[masks[rank] for rank in ranks] for ranks in ranks_by_node(placement).values()]
    return lists[0] if all(one == lists[0] for one in lists) else None


def bound_alike(
    placement: Placement, job: Job, rank_of: Sequence[int] | None = None
) -> tuple[list[list[int]] | None, list[str], dict[str, str]]:
    """masks_alike(), and the binder's words and file, which bind if it is None; `rank_of` as in inject()."""
    alike = masks_alike(placement)
    return alike, *inject(job, masks_of(placement), binds=alike is None, rank_of=rank_of)


def ranks_per_node(placement: Placement, launcher: str) -> int:
    """The number of ranks on every node, from node 0 on without a gap.

    Raises InputError if the numbers differ, because `launcher` has one number for all.
    """
    nodes = ranks_by_node(placement)
    counts = [len(nodes.get(node, [])) for node in range(max(nodes) + 1)]
    for node, count in enumerate(counts):
        if count != counts[0]:
            raise InputError(
                f"node 0 has {counts[0]} ranks and node {node} has {count}; {launcher} starts as many on each"
            )
    return counts[0]


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


def hex_mask(os_pus: list[int]) -> str:
    """The set of hardware threads as a hexadecimal number; bit i is os_index i."""
    return hex(sum(1 << pu for pu in set(os_pus)))
