"""An independent check: machines, distances and objectives, computed in the simplest way.

This code shares nothing with corewise. Leaves are numbered 0, 1, 2, ... over the whole machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import prod

Matrix = dict[tuple[int, int], tuple[int, int]]  # (src, dst) -> (bytes, messages)


@dataclass(frozen=True)
class RegularTree:
    """`arities` counts children, lowest level first.

    `node_level` is the level whose groups are nodes: (2, 2, 2, 16) with node_level 3 is 16 Draco nodes.
    """

    arities: tuple[int, ...]
    node_level: int
    distances: tuple[int, ...] = ()

    @property
    def n_cores(self) -> int:
        return prod(self.arities)

    @property
    def n_levels(self) -> int:
        return len(self.arities)

    def group(self, level: int, core: int) -> int:
        """The object at `level` that contains `core`; level 0 is the core itself."""
        return core // prod(self.arities[:level])

    def meeting_level(self, a: int, b: int) -> int:
        """Level of the lowest common ancestor, 0 for the same core."""
        return next(
            level for level in range(len(self.arities) + 1) if self.group(level, a) == self.group(level, b)
        )

    def distance(self, a: int, b: int) -> int:
        """0 for the same core, else the distance of the meeting level (by default its number)."""
        level = self.meeting_level(a, b)
        return 0 if level == 0 else (self.distances or range(1, len(self.arities) + 1))[level - 1]


@dataclass(frozen=True)
class UnevenNode:
    """One node; `caches[package]` lists the cores of each of its caches. Levels: cache, package, node."""

    caches: tuple[tuple[int, ...], ...]
    distances: tuple[int, int, int] = (1, 2, 3)
    n_levels = 3

    @property
    def n_cores(self) -> int:
        return sum(map(sum, self.caches))

    def group(self, level: int, core: int) -> int:
        """The object at `level` that contains `core`; level 0 is the core itself."""
        if level in (0, 3):
            return core if level == 0 else 0
        packages = [package for package, caches in enumerate(self.caches) for n in caches for _ in range(n)]
        caches = [cache for cache, n in enumerate(sum(self.caches, ())) for _ in range(n)]
        return (caches if level == 1 else packages)[core]


def link_loads(
    tree: RegularTree, matrix: Matrix, cores: list[int], within_nodes: bool
) -> dict[tuple[int, int], int]:
    """(class k, group of level k - 1) -> bytes, both directions, over the link up to that group's parent."""
    loads: dict[tuple[int, int], int] = {}
    for (src, dst), (size, _messages) in matrix.items():
        top = tree.meeting_level(cores[src], cores[dst])
        if src == dst or (within_nodes and top > tree.node_level):
            continue
        for level in range(1, top + 1):
            for rank in (src, dst):
                key = (level, tree.group(level - 1, cores[rank]))
                loads[key] = loads.get(key, 0) + size
    return loads


def _maxima(loads: dict[tuple[int, int], int], top: int) -> list[int]:
    return [
        max((load for (level, _), load in loads.items() if level == k), default=0) for k in range(top, 1, -1)
    ]


def link_load(tree: RegularTree, matrix: Matrix, cores: list[int]) -> list[int]:
    """Maxima for the levels inside nodes, top down, without the links of single cores."""
    return _maxima(link_loads(tree, matrix, cores, within_nodes=True), tree.node_level)


def congestion(tree: RegularTree, matrix: Matrix, cores: list[int]) -> list[int]:
    """The same over all levels, the network first."""
    return _maxima(link_loads(tree, matrix, cores, within_nodes=False), len(tree.arities))


def hop_bytes(tree: RegularTree, matrix: Matrix, cores: list[int]) -> int:
    """Sum over all messages of bytes times distance."""
    return sum(
        size * tree.distance(cores[src], cores[dst]) for (src, dst), (size, _) in matrix.items() if src != dst
    )


def time_s(tree: RegularTree, matrix: Matrix, cores: list[int], figures: list[tuple[float, float]]) -> float:
    """The slowest of all links (bytes over bandwidth) and all ranks (messages times latency).

    `figures[k - 1]` is (latency_s, bandwidth_bytes_per_s) of level k.
    """
    loads = link_loads(tree, matrix, cores, within_nodes=False)
    slowest_link = max((load / figures[level - 1][1] for (level, _), load in loads.items()), default=0.0)
    rank_s = [0.0] * len(cores)
    for (src, dst), (_, messages) in matrix.items():
        level = tree.meeting_level(cores[src], cores[dst])
        if src != dst and level > 0:
            for rank in (src, dst):
                rank_s[rank] += messages * figures[level - 1][0]
    return max(slowest_link, *rank_s)


def best_and_worst(tree: RegularTree, matrix: Matrix, n_ranks: int, objective) -> tuple:
    """(best, worst) of `objective(tree, matrix, cores)` over all mappings of n_ranks on the tree's cores.

    Rank 0 stays on core 0: the tree is regular, so each mapping has an equal one with rank 0 there.
    """
    others = permutations(range(1, tree.n_cores), n_ranks - 1)
    values = [objective(tree, matrix, [0, *cores]) for cores in others]
    return min(values), max(values)
