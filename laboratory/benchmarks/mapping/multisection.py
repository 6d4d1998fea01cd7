"""Mapping with a partitioner: divides the ranks among the objects of the highest level, then inside each.

Partitioners promise balance up to a few percent or up to one rank. Parts that are too large are repaired with
the least loss, as any user with one core per rank would have to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from families import read_metis

# A partitioner: (n, edges, k, most ranks of a part) -> ([n] part, CPU time in s). Edges as in families.py.
# With exact sizes, partitioners cut up to twice as much as with this slack and a repair.
_SLACK = 0.003
Split = Callable[[int, np.ndarray, int, int], tuple[np.ndarray, float]]


def print_mapping(graph: str, arities: str, split: Split) -> None:
    """Maps a METIS file; prints the CPU time in s, then the leaf of each rank."""
    n_ranks, edges = read_metis(Path(graph))
    leaves, cpu_s = multisect(n_ranks, edges, [int(a) for a in arities.split(",")], split)
    print(f"{cpu_s:.6f}")
    print("\n".join(map(str, leaves)))


def multisect(n_ranks: int, edges: np.ndarray, arities: list[int], split: Split) -> tuple[np.ndarray, float]:
    """The leaf of each rank on a tree with `arities` (lowest level first), and the CPU time in s.

    Every leaf gets n_ranks / leaves ranks, which must be a whole number. The conversion of graphs doesn't
    count.
    """
    leaf_of_rank = np.zeros(n_ranks, dtype=np.int64)
    if not arities:
        return leaf_of_rank, 0.0
    *below, k = arities
    part, cpu_s = _split_evenly(n_ranks, edges, k, split)
    for number in range(k):
        members = np.flatnonzero(part == number)
        leaves, spent_s = multisect(len(members), _edges_among(members, n_ranks, edges), below, split)
        leaf_of_rank[members] = number * int(np.prod(below)) + leaves
        cpu_s += spent_s
    return leaf_of_rank, cpu_s


def _split_evenly(n: int, edges: np.ndarray, k: int, split: Split) -> tuple[np.ndarray, float]:
    """k parts of n / k ranks."""
    if n == k or len(edges) == 0:
        return np.arange(n) * k // n, 0.0
    part, cpu_s = split(n, edges, k, int((1 + _SLACK) * (n // k)))
    start = time.process_time()
    part = repaired(part, edges, k, n // k)
    return part, cpu_s + time.process_time() - start


def _edges_among(members: np.ndarray, n: int, edges: np.ndarray) -> np.ndarray:
    """The edges with both ends in `members`, renumbered in the order of `members`."""
    number = np.full(n, -1)
    number[members] = np.arange(len(members))
    inside = np.column_stack([number[edges[:, 0]], number[edges[:, 1]], edges[:, 2]])
    return inside[(inside[:, :2] >= 0).all(axis=1)]


def repaired(part: np.ndarray, edges: np.ndarray, k: int, most: int) -> np.ndarray:
    """Moves ranks from parts of more than `most` members to smaller parts, each time with the least loss."""
    part = np.array(part)
    size = np.bincount(part, minlength=k)
    if size.max() <= most:
        return part
    pull = np.zeros((len(part), k), dtype=np.int64)
    for here, there in ((0, 1), (1, 0)):
        np.add.at(pull, (edges[:, here], part[edges[:, there]]), edges[:, 2])
    while size.max() > most:
        movable = np.flatnonzero(size[part] > most)
        open_parts = np.flatnonzero(size < most)
        loss = pull[movable, part[movable], None] - pull[np.ix_(movable, open_parts)]
        which, where = np.unravel_index(loss.argmin(), loss.shape)
        rank, old, new = movable[which], part[movable[which]], open_parts[where]
        for here, there in ((0, 1), (1, 0)):
            mine = edges[edges[:, here] == rank]
            np.subtract.at(pull, (mine[:, there], old), mine[:, 2])
            np.add.at(pull, (mine[:, there], new), mine[:, 2])
        part[rank] = new
        size[old], size[new] = size[old] - 1, size[new] + 1
    return part
