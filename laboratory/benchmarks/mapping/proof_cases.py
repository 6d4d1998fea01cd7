"""Small jobs and machines for proofs.py: patterns of 16 to 64 ranks, and nodes with this number of cores."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from families import FAMILIES, Edges, grid_shape, unique_edges

MATRICES = Path(__file__).resolve().parents[3] / "fixtures" / "matrices"

TREES = {
    16: ["2:2:4", "4:4", "2:8", "8:2", "2:2:2:2", "4:2:2", "2:4:2"],
    24: ["4:3:2", "6:4", "12:2", "2:2:6", "6:2:2", "3:8", "2:12", "8:3"],
    32: ["4:4:2", "8:4", "16:2", "2:16", "2:2:8", "4:8", "8:2:2", "2:2:2:2:2"],
    64: ["4:4:4", "8:8", "4:2:8", "16:4", "32:2", "8:4:2", "2:2:2:2:2:2"],
}
DISTANCES = {"steps": lambda level: level + 1, "tens": lambda level: 10**level}
# nodes whose packages differ: [package][cache] number of cores
UNEVEN_NODES = {
    16: [[[4, 4], [4, 2], [2]], [[6, 4], [6]]],
    24: [[[4, 4, 4], [4, 4], [4]], [[10, 6], [8]]],
    32: [[[8, 8], [8, 4], [4]]],
    64: [[[16, 16], [16, 8], [8]]],
}


def torus(n: int, dimensions: int) -> Edges:
    """A stencil with wrap-around. An axis of two has one edge per pair."""
    ranks = np.arange(n).reshape(grid_shape(n, dimensions))
    edges = [
        np.column_stack([ranks.ravel(), np.roll(ranks, 1, axis).ravel(), np.full(n, 8)])
        for axis in range(dimensions)
        if ranks.shape[axis] > 1
    ]
    return np.concatenate(edges)


def hypercube(n: int) -> Edges:
    """Recursive doubling of an all-reduce: the same bytes in each step. Partners beyond n are left out."""
    return np.array(
        [(r, r ^ 1 << k, 8) for k in range((n - 1).bit_length()) for r in range(n) if r ^ 1 << k < n]
    )


def all_to_all(n: int) -> Edges:
    return np.array([(u, v, 8) for u in range(n) for v in range(u)])


def random_regular(n: int, degree: int, rng: np.random.Generator) -> Edges:
    """`degree` partners per rank: the sum of random perfect matchings (n is even)."""
    matchings = [rng.permutation(n).reshape(-1, 2) for _ in range(degree)]
    pairs = np.concatenate(matchings)
    return np.column_stack([pairs, rng.integers(1, 101, size=len(pairs))])


def dense(n: int, rng: np.random.Generator) -> Edges:
    """Every pair exchanges 1 to 100 bytes."""
    pairs = np.array([(u, v) for u in range(n) for v in range(u)])
    return np.column_stack([pairs, rng.integers(1, 101, size=len(pairs))])


def rmat(n: int, edges_per_rank: int, rng: np.random.Generator) -> Edges:
    """R-MAT with fewer edges than in families.py (eight per rank), for a sparse pattern."""
    edges = unique_edges(FAMILIES["rmat"](n, rng))
    return edges[rng.permutation(len(edges))[: edges_per_rank * n]]


def recorded(name: str, n: int) -> Edges | None:
    """The bytes of a traced program on n ranks. None if there is no recording."""
    path = next(iter(MATRICES.rglob(f"{name}.{n}.npz")), None)
    if path is None:
        return None
    bytes_sent = np.load(path)["bytes"]
    src, dst = np.nonzero(bytes_sent)
    return np.column_stack([src, dst, bytes_sent[src, dst]])


Pattern = Callable[[int, np.random.Generator], Edges | None]
PATTERNS: dict[str, Pattern] = {
    **{name: FAMILIES[name] for name in sorted(FAMILIES) if name not in ("random", "rmat")},
    "alltoall": lambda n, rng: all_to_all(n),
    "dense": dense,
    "hypercube": lambda n, rng: hypercube(n),
    "random3": lambda n, rng: random_regular(n, 3, rng),
    "random4": lambda n, rng: random_regular(n, 4, rng),
    "random8": FAMILIES["random"],
    "rmat2": lambda n, rng: rmat(n, 2, rng),
    "rmat8": FAMILIES["rmat"],
    "torus2d": lambda n, rng: torus(n, 2),
    "torus3d": lambda n, rng: torus(n, 3),
    **{name: lambda n, rng, name=name: recorded(name, n) for name in ("cg.C", "lu.C", "mg.C", "sp.C")},
    "hpl": lambda n, rng: recorded("hpl.4000", n),
}


def edges_of(pattern: str, n: int) -> Edges | None:
    """Columns u < v, bytes in both directions; the same on every machine.

    None if the pattern doesn't exist in this size.
    """
    edges = PATTERNS[pattern](n, np.random.default_rng(zlib.crc32(f"{pattern}_{n}".encode())))
    return None if edges is None else unique_edges(edges)


def tree_spec(arities: str, distances: str) -> str:
    """A bare tree in the form of `corewise map --machine`."""
    levels = range(arities.count(":") + 1)
    return f"tree:{arities}@{':'.join(str(DISTANCES[distances](level)) for level in levels)}"
