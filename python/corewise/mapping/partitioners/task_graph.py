"""TaskGraph: the communication graph for partitioners, undirected, with both directions of each edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corewise import model

# Totals up to this are exact in the doubles of np.bincount, and far from any partitioner's limit.
_MOST_WEIGHT = 2**52


@dataclass(frozen=True)
class TaskGraph:
    """Rows sorted by vertex: `start` [n + 1], `vertex`, `peer` and `weight` [two an edge], all int64."""

    start: np.ndarray
    vertex: np.ndarray
    peer: np.ndarray
    weight: np.ndarray

    @property
    def n(self) -> int:
        return len(self.start) - 1

    @classmethod
    def of(cls, matrix: model.CommMatrix) -> TaskGraph:
        """The bytes of each pair in both directions together, scaled down if their sum is too large."""
        src, dst, size_bytes, _ = matrix.columns()
        talks = (src != dst) & (size_bytes > 0)
        src, dst, weight = (column[talks].astype(np.int64) for column in (src, dst, size_bytes))
        shift = max(0, (matrix.bytes // _MOST_WEIGHT).bit_length())
        weight = np.maximum(weight >> shift, 1)
        keys = np.concatenate([src * matrix.n_ranks + dst, dst * matrix.n_ranks + src])
        key, place = np.unique(keys, return_inverse=True)
        both_ways = np.bincount(place, weights=np.tile(weight, 2), minlength=len(key)).astype(np.int64)
        return cls._of_sorted(matrix.n_ranks, key // matrix.n_ranks, key % matrix.n_ranks, both_ways)

    def cut(self, side: np.ndarray) -> int:
        """The weight of edges between vertices on different sides; `side` is [n]."""
        return int(self.weight[side[self.vertex] != side[self.peer]].sum()) // 2

    def part(self, members: np.ndarray) -> TaskGraph:
        """The subgraph of the vertices where `members` [n] is true, renumbered in order."""
        number = np.cumsum(members) - 1
        inside = members[self.vertex] & members[self.peer]
        vertex, peer = number[self.vertex[inside]], number[self.peer[inside]]
        return self._of_sorted(int(members.sum()), vertex, peer, self.weight[inside])

    @classmethod
    def _of_sorted(cls, n: int, vertex: np.ndarray, peer: np.ndarray, weight: np.ndarray) -> TaskGraph:
        return cls(np.searchsorted(vertex, np.arange(n + 1)), vertex, peer, weight)
