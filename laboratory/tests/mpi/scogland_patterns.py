"""Communication matrices of the micro-benchmarks of Scogland et al. in microbench/*.c, for one run."""

from __future__ import annotations

from corewise.model import CommMatrix
from corewise.profile.patterns import matrix_of


def idleness(n_ranks: int, size_bytes: int, steps: int = 5, messages: int = 1) -> CommMatrix:
    """Ranks i and i + p/2 exchange `messages` messages in each direction in each of `steps` steps."""
    return _of_pairs(n_ranks, _counterparts(n_ranks), size_bytes, steps * messages)


def out_of_sync(n_ranks: int, size_bytes: int, steps: int = 2) -> CommMatrix:
    """Ranks i and i + p/2 send each other a message in each of `steps` steps."""
    return _of_pairs(n_ranks, _counterparts(n_ranks), size_bytes, steps)


def cache_locality(
    n_ranks: int, size_bytes: int, talkers: int, steps: int = 5, talkers_at: str = "first"
) -> CommMatrix:
    """Each half of the ranks is a node.

    In each of `steps` steps, the first (or last) `talkers` ranks of a node exchange a message with their
    counterparts on the other node, and its other ranks with a neighbour.
    """
    on_node = n_ranks // 2
    first = 0 if talkers_at == "first" else on_node - talkers
    first_other = talkers if talkers_at == "first" else 0
    pairs = _counterparts(n_ranks)[first : first + talkers]
    for base in (0, on_node):
        others = range(base + first_other, base + first_other + on_node - talkers)
        pairs += [(others[i], others[i + 1]) for i in range(0, len(others), 2)]
    return _of_pairs(n_ranks, pairs, size_bytes, steps)


def _counterparts(n_ranks: int) -> list[tuple[int, int]]:
    return [(rank, rank + n_ranks // 2) for rank in range(n_ranks // 2)]


def _of_pairs(n_ranks: int, pairs: list[tuple[int, int]], size_bytes: int, messages: int) -> CommMatrix:
    """`messages` messages of `size_bytes` both ways between the ranks of each pair."""
    both = [way for a, b in pairs for way in ((a, b), (b, a))]
    return matrix_of(n_ranks, sorted((src, dst, size_bytes * messages, messages) for src, dst in both))
