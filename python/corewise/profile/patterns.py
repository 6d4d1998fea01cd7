"""Communication matrices of known patterns, one run each; the laboratory's microbench/*.c send the same."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from corewise.errors import InputError
from corewise.model import CommMatrix


def ring(n_ranks: int, size_bytes: int) -> CommMatrix:
    """Logical ring all-gather of blocks of `size_bytes`: p-1 messages from each rank to the next."""
    check_sizes(n_ranks, size_bytes)
    pairs = [(rank, (rank + 1) % n_ranks) for rank in range(n_ranks)] if n_ranks > 1 else []
    return matrix_of(n_ranks, [(src, dst, size_bytes * (n_ranks - 1), n_ranks - 1) for src, dst in pairs])


def recursive_doubling(n_ranks: int, size_bytes: int) -> CommMatrix:
    """Recursive-doubling all-gather: 2^k blocks of `size_bytes` between i and i xor 2^k.

    Raises InputError unless p is a power of two.
    """
    check_sizes(n_ranks, size_bytes)
    if n_ranks & (n_ranks - 1):
        raise InputError(f"recursive-doubling: {n_ranks} ranks; expected a power of two")
    steps = [1 << k for k in range(n_ranks.bit_length() - 1)]
    return matrix_of(
        n_ranks, [(rank, rank ^ group, group * size_bytes, 1) for rank in range(n_ranks) for group in steps]
    )


def binomial(n_ranks: int, size_bytes: int, order: str = "paper") -> CommMatrix:
    """Binomial-tree broadcast of `size_bytes` from rank 0.

    Order `paper`: in step k = 0, 1, ..., each i < 2^k sends to i + 2^k. Order `mpich`: in step k = ..., 1, 0,
    each multiple i of 2^(k+1) sends to i + 2^k. Raises InputError for another order.
    """
    check_sizes(n_ranks, size_bytes)
    if order not in ("paper", "mpich"):
        raise InputError(f"binomial: order '{order}'; expected 'paper' or 'mpich'")
    distances = [1 << k for k in range((n_ranks - 1).bit_length())]
    senders = {d: range(d) if order == "paper" else range(0, n_ranks, 2 * d) for d in distances}
    return matrix_of(
        n_ranks, [(src, src + d, size_bytes, 1) for d in distances for src in senders[d] if src + d < n_ranks]
    )


def random(
    n_ranks: int, ranks_per_node: int, intra_node: int, ratio: float, size_bytes: int, seed: int = 1
) -> CommMatrix:
    """Random benchmark of the SMP-CMP paper, with `ranks_per_node` consecutive ranks a node.

    Draws `intra_node` distinct ordered pairs within each node and round(ratio x intra_node x nodes) pairs
    between nodes; each sends one message of `size_bytes`. The laboratory's microbench/random.c draws the same
    pairs from the same seed. Raises InputError if there are fewer pairs than wanted.
    """
    check_sizes(n_ranks, size_bytes)
    if ranks_per_node < 1 or intra_node < 0 or not ratio >= 0 or seed < 0:
        raise InputError(
            f"random: ranks_per_node {ranks_per_node}, intra_node {intra_node}, ratio {ratio}, seed {seed}; "
            "expected 1 or more ranks a node, and nothing negative"
        )
    nodes = [
        range(first, min(first + ranks_per_node, n_ranks)) for first in range(0, n_ranks, ranks_per_node)
    ]
    pools = [[(src, dst) for src in node for dst in node if src != dst] for node in nodes]
    between = [
        (src, dst)
        for src in range(n_ranks)
        for dst in range(n_ranks)
        if src // ranks_per_node != dst // ranks_per_node
    ]
    generator = _SplitMix64(seed)
    pairs = [pair for pool in pools for pair in _draw(generator, pool, intra_node, "within each node")]
    pairs += _draw(generator, between, int(ratio * intra_node * len(nodes) + 0.5), "between nodes")
    return matrix_of(n_ranks, [(src, dst, size_bytes, 1) for src, dst in pairs])


class _SplitMix64:
    """SplitMix64 (Steele, Lea, Flood 2014): the same numbers as laboratory/microbench/random.c."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def next(self) -> int:
        """The next 64 random bits."""
        mask = (1 << 64) - 1
        self._state = (self._state + 0x9E3779B97F4A7C15) & mask
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)


def _draw(
    generator: _SplitMix64, pool: list[tuple[int, int]], wanted: int, where: str
) -> list[tuple[int, int]]:
    """`wanted` distinct items of `pool`: Floyd's algorithm (Bentley, Floyd, CACM 1987)."""
    if wanted > len(pool):
        raise InputError(f"random: {wanted} pairs wanted {where}, where there are only {len(pool)}")
    drawn: set[int] = set()
    for last in range(len(pool) - wanted, len(pool)):
        item = generator.next() % (last + 1)
        drawn.add(last if item in drawn else item)
    return [pool[item] for item in sorted(drawn)]


def check_sizes(n_ranks: int, size_bytes: int) -> None:
    """Raises InputError for sizes that no pattern can have."""
    if n_ranks < 1 or size_bytes < 0:
        raise InputError(
            f"{n_ranks} ranks and {size_bytes} bytes; expected 1 rank or more and 0 bytes or more"
        )


def matrix_of(n_ranks: int, entries: Iterable[tuple[int, int, int, int]]) -> CommMatrix:
    """A matrix from (src, dst, bytes, messages) of each pair."""
    return CommMatrix.from_columns(n_ranks, *np.array(list(entries), np.uint64).reshape(-1, 4).T)
