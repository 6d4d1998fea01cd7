"""The traffic of a micro-benchmark's run as phases: step by step the same messages as corewise's patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from corewise.model import CommMatrix, Phase, Traffic
from corewise.profile import patterns


def ring(n_ranks: int, size_bytes: int) -> Traffic:
    """p-1 equal steps: each rank sends a block to the next. Raises the same errors as patterns.ring."""
    total = patterns.ring(n_ranks, size_bytes)
    once = [(src, (src + 1) % n_ranks) for src in range(n_ranks)] if n_ranks > 1 else []
    return Traffic.of_phases([Phase(max(n_ranks - 1, 1), _step(total, once, size_bytes))])


def recursive_doubling(n_ranks: int, size_bytes: int) -> Traffic:
    """Step k = 0, 1, ...: i and i xor 2^k exchange 2^k blocks. Raises the same errors as the pattern."""
    total = patterns.recursive_doubling(n_ranks, size_bytes)
    groups = [1 << k for k in range((n_ranks - 1).bit_length())]
    return _in_steps(
        total, [(group * size_bytes, [(i, i ^ group) for i in range(n_ranks)]) for group in groups]
    )


def binomial(n_ranks: int, size_bytes: int) -> Traffic:
    """Step k = 0, 1, ...: each i < 2^k sends to i + 2^k, as in the SMP-CMP paper. Errors of the pattern."""
    total = patterns.binomial(n_ranks, size_bytes)
    distances = [1 << k for k in range((n_ranks - 1).bit_length())]
    return _in_steps(
        total, [(size_bytes, [(i, i + d) for i in range(d) if i + d < n_ranks]) for d in distances]
    )


def random(
    n_ranks: int, ranks_per_node: int, intra_node: int, ratio: float, size_bytes: int, seed: int
) -> Traffic:
    """All messages at once (MPI_Isend, MPI_Irecv, then MPI_Waitall). Errors of patterns.random."""
    return Traffic.of(patterns.random(n_ranks, ranks_per_node, intra_node, ratio, size_bytes, seed))


# Sorted by name; with the same arguments as corewise's patterns.
STEPS: dict[str, Callable[..., Traffic]] = {
    "binomial": binomial,
    "random": random,
    "recursive-doubling": recursive_doubling,
    "ring": ring,
}


def _in_steps(total: CommMatrix, steps: list[tuple[int, list[tuple[int, int]]]]) -> Traffic:
    """Phases from each step's message size and pairs; a single rank gets one empty phase."""
    phases = [Phase(1, _step(total, pairs, size_bytes)) for size_bytes, pairs in steps]
    return Traffic.of_phases(phases or [Phase(1, total)])


def _step(total: CommMatrix, pairs: Iterable[tuple[int, int]], size_bytes: int) -> CommMatrix:
    """One message of `size_bytes` for each (source, destination), for all ranks of `total`."""
    columns = np.array(list(pairs), dtype=np.int32).reshape(-1, 2)
    sizes = np.full(len(columns), size_bytes, dtype=np.uint64)
    return CommMatrix.from_columns(
        total.n_ranks, columns[:, 0].copy(), columns[:, 1].copy(), sizes, np.ones_like(sizes)
    )
