"""The instances of the mapping benchmark: families of communication graphs, and the trees for them.

A graph's edges are an int64 array of shape [n_edges, 3] with columns u < v and weight (bytes of the pair in
both directions), each pair once, sorted. Random numbers come from NumPy's PCG64 with a fixed seed, so that an
instance has the same bytes on every machine.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Edges = np.ndarray
DISTANCES = (1, 10, 100, 1000)


@dataclass(frozen=True)
class Instance:
    """A communication graph and a tree (lowest level first). Each leaf is a core."""

    family: str
    arities: tuple[int, ...]
    ranks_per_core: int = 1

    @property
    def name(self) -> str:
        cores = f"on{self.n_cores}" if self.ranks_per_core > 1 else ""
        return f"{self.family}_{self.n_ranks}{cores}"

    @property
    def n_cores(self) -> int:
        return int(np.prod(self.arities))

    @property
    def n_ranks(self) -> int:
        return self.n_cores * self.ranks_per_core

    @property
    def distances(self) -> tuple[int, ...]:
        return DISTANCES[: len(self.arities)]

    @property
    def tree(self) -> str:
        """The machine in the form of `corewise map --machine`."""
        return f"tree:{':'.join(map(str, self.arities))}@{':'.join(map(str, self.distances))}"

    def edges(self) -> Edges:
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return unique_edges(FAMILIES[self.family](self.n_ranks, rng))


def unique_edges(edges: Edges) -> Edges:
    """Each pair once, u < v; weights of repeated pairs are added up, loops are dropped."""
    edges = np.asarray(edges, dtype=np.int64).reshape(-1, 3)
    edges = edges[edges[:, 0] != edges[:, 1]]
    pairs = np.sort(edges[:, :2], axis=1)
    pairs, where = np.unique(pairs, axis=0, return_inverse=True)
    weights = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(weights, where.reshape(-1), edges[:, 2])
    return np.column_stack([pairs, weights])


def grid_shape(n: int, dimensions: int) -> tuple[int, ...]:
    """The factorisation of n with the least surface, as for MPI_Dims_create, largest side first."""

    def shapes(rest: int, sides: int) -> list[tuple[int, ...]]:
        if sides == 1:
            return [(rest,)]
        return [
            (d, *tail) for d in range(1, rest + 1) if rest % d == 0 for tail in shapes(rest // d, sides - 1)
        ]

    return min(
        (tuple(sorted(s, reverse=True)) for s in shapes(n, dimensions)), key=lambda s: sum(n / d for d in s)
    )


def _grid(n: int, dimensions: int) -> Edges:
    shape = grid_shape(n, dimensions)
    ranks = np.arange(n).reshape(shape)
    edges = []
    for axis in range(dimensions):
        near = np.take(ranks, range(shape[axis] - 1), axis).ravel()
        far = np.take(ranks, range(1, shape[axis]), axis).ravel()
        edges.append(np.column_stack([near, far, np.full(len(near), 1)]))
    return np.concatenate(edges)


def _grid2d(n: int, rng: np.random.Generator) -> Edges:
    return _grid(n, 2)


def _grid3d(n: int, rng: np.random.Generator) -> Edges:
    return _grid(n, 3)


def _halo3d(n: int, rng: np.random.Generator) -> Edges:
    """3D stencil of 26 neighbours: a face weighs 16, an edge 4, a corner 1 (cubes of side 4)."""
    shape = grid_shape(n, 3)
    ranks = np.arange(n).reshape(shape)
    edges = []
    for offset in itertools.product((-1, 0, 1), repeat=3):
        if offset > (0, 0, 0):
            here = tuple(
                slice(max(0, -step), length - max(0, step))
                for step, length in zip(offset, shape, strict=True)
            )
            there = tuple(
                slice(max(0, step), length + min(0, step)) for step, length in zip(offset, shape, strict=True)
            )
            near, far = ranks[here].ravel(), ranks[there].ravel()
            weight = 4 ** (3 - np.count_nonzero(offset))
            edges.append(np.column_stack([near, far, np.full(len(near), weight)]))
    return np.concatenate(edges)


def _ring(n: int, rng: np.random.Generator) -> Edges:
    ranks = np.arange(n)
    return np.column_stack([ranks, (ranks + 1) % n, np.full(n, 8)])


def _recursive_doubling(n: int, rng: np.random.Generator) -> Edges:
    """Step k exchanges 2^k blocks with rank ^ 2^k (all-gather). Partners beyond n are left out."""
    ranks = np.arange(n)
    edges = []
    for k in range((n - 1).bit_length()):
        partner = ranks ^ (1 << k)
        keep = (partner > ranks) & (partner < n)
        edges.append(np.column_stack([ranks[keep], partner[keep], np.full(keep.sum(), 1 << k)]))
    return np.concatenate(edges)


def _binomial(n: int, rng: np.random.Generator) -> Edges:
    """Broadcast: step k sends i -> i + 2^k for i < 2^k."""
    steps = [1 << k for k in range((n - 1).bit_length())]
    return np.array([(i, i + step, 8) for step in steps for i in range(step) if i + step < n])


def _random(n: int, rng: np.random.Generator) -> Edges:
    """Eight partners per rank on average, weights 1 to 100."""
    pairs = rng.integers(0, n, size=(4 * n, 2))
    return np.column_stack([pairs, rng.integers(1, 101, size=len(pairs))])


def _random_geometric(n: int, rng: np.random.Generator) -> Edges:
    """Points in the unit square with about ten partners within a radius; nearer points exchange more."""
    points = rng.random((n, 2))
    radius = np.sqrt(10 / (np.pi * n))
    cell = np.floor(points / radius).astype(np.int64)
    members: dict[tuple[int, int], list[int]] = {}
    for rank, (x, y) in enumerate(cell):
        members.setdefault((x, y), []).append(rank)
    edges = []
    for rank, (x, y) in enumerate(cell):
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        near = [other for cell_near in around for other in members.get(cell_near, ()) if other > rank]
        length = np.hypot(*(points[near] - points[rank]).T)
        edges += [
            (rank, r, 1 + int(9 * (1 - d / radius))) for r, d in zip(near, length, strict=True) if d < radius
        ]
    return np.array(edges)


def _rmat(n: int, rng: np.random.Generator) -> Edges:
    """R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with 0.57, 0.19, 0.19, 0.05; eight edges per rank."""
    n_edges, scale = 8 * n, (n - 1).bit_length()
    u = np.zeros(n_edges, dtype=np.int64)
    v = np.zeros(n_edges, dtype=np.int64)
    for _ in range(scale):
        quadrant = rng.choice(4, size=n_edges, p=[0.57, 0.19, 0.19, 0.05])
        u, v = 2 * u + quadrant // 2, 2 * v + quadrant % 2
    keep = (u < n) & (v < n)
    return np.column_stack([u[keep], v[keep], np.ones(keep.sum(), dtype=np.int64)])


FAMILIES: dict[str, Callable[[int, np.random.Generator], Edges]] = {
    "binomial": _binomial,
    "grid2d": _grid2d,
    "grid3d": _grid3d,
    "halo3d": _halo3d,
    "random": _random,
    "rdoubling": _recursive_doubling,
    "rgg": _random_geometric,
    "ring": _ring,
    "rmat": _rmat,
}
TREES = {
    "small": [(4, 2, 16), (6, 2, 11)],
    "medium": [(4, 8, 32), (6, 2, 88)],
    "large": [(4, 8, 32, 8), (6, 2, 11, 62)],
    "huge": [(4, 8, 32, 64)],
    "shared": [(4, 2, 8), (6, 2, 5)],
}
RANKS_PER_CORE = {"shared": 1600}


def instances(size: str) -> list[Instance]:
    """All families on trees of one size: small, medium, large, huge, or shared (about 100,000 ranks)."""
    ranks_per_core = RANKS_PER_CORE.get(size, 1)
    return [Instance(family, arities, ranks_per_core) for arities in TREES[size] for family in FAMILIES]


def write_metis(path: Path, n_ranks: int, edges: Edges) -> None:
    """Writes a METIS graph file with edge weights, which every compared program reads."""
    both = np.concatenate([edges, edges[:, [1, 0, 2]]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    first = np.searchsorted(both[:, 0], np.arange(n_ranks + 1))
    with path.open("w") as out:
        out.write(f"{n_ranks} {len(edges)} 001\n")
        for rank in range(n_ranks):
            rows = both[first[rank] : first[rank + 1], 1:]
            out.write(" ".join(f"{peer + 1} {weight}" for peer, weight in rows) + "\n")


def read_metis(path: Path) -> tuple[int, Edges]:
    """The number of ranks and the edges of a file that write_metis() wrote."""
    lines = path.read_text().splitlines()
    rows = [np.fromstring(line, dtype=np.int64, sep=" ").reshape(-1, 2) for line in lines[1:]]
    ranks = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    both = np.column_stack([ranks, np.concatenate(rows) - [1, 0]])
    return len(rows), both[both[:, 0] < both[:, 1]]


def hop_bytes(edges: Edges, instance: Instance, leaf_of_rank: np.ndarray) -> int:
    """J: the sum over all pairs of weight x distance, in whole numbers."""
    a, b = leaf_of_rank[edges[:, 0]], leaf_of_rank[edges[:, 1]]
    distance = np.zeros(len(edges), dtype=np.int64)
    leaves = 1
    for arity, step in zip(instance.arities, np.diff([0, *instance.distances]), strict=True):
        distance += step * (a // leaves != b // leaves)
        leaves *= arity
    return int((edges[:, 2] * distance).sum())
