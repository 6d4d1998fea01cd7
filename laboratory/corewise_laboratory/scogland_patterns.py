"""Communication matrices of the micro-benchmarks of Scogland et al. in microbench/*.c, for one run."""

from __future__ import annotations

from corewise.errors import InputError
from corewise.model import CommMatrix
from corewise.plugin.placing import patterns


def idleness(n_ranks: int, size_bytes: int, steps: int = 5, messages: int = 1) -> CommMatrix:
    """Communication idleness of Scogland et al.

    Ranks i and i + p/2 exchange `messages` messages in each direction in each of `steps` steps. Raises
    InputError for an odd number of ranks.
    """
    patterns.check_sizes(n_ranks, size_bytes)
    return _of_pairs(n_ranks, _counterparts(n_ranks, "idleness"), size_bytes, steps * messages)


def out_of_sync(n_ranks: int, size_bytes: int, steps: int = 2) -> CommMatrix:
    """Out-of-sync communication of Scogland et al.

    Ranks i and i + p/2 send each other a message in each of `steps` steps. Raises InputError for an odd
    number of ranks.
    """
    patterns.check_sizes(n_ranks, size_bytes)
    return _of_pairs(n_ranks, _counterparts(n_ranks, "out-of-sync"), size_bytes, steps)


def cache_locality(
    n_ranks: int, size_bytes: int, talkers: int, steps: int = 5, talkers_at: str = "first"
) -> CommMatrix:
    """Cache locality of Scogland et al.: each half of the ranks is a node.

    In each of `steps` steps, the first (or last) `talkers` ranks of a node exchange a message with their
    counterparts on the other node, and its other ranks with a neighbour. Raises InputError for an odd number
    of ranks, or if a node has an odd number of other ranks.
    """
    patterns.check_sizes(n_ranks, size_bytes)
    counterparts = _counterparts(n_ranks, "cache-locality")
    on_node = n_ranks // 2
    if not 0 < talkers <= on_node or (on_node - talkers) % 2:
        raise InputError(
            f"cache-locality: {talkers} of {on_node} ranks talk; expected an even number of others"
        )
    first = 0 if talkers_at == "first" else on_node - talkers
    first_other = talkers if talkers_at == "first" else 0
    pairs = counterparts[first : first + talkers]
    for base in (0, on_node):
        others = range(base + first_other, base + first_other + on_node - talkers)
        pairs += [(others[i], others[i + 1]) for i in range(0, len(others), 2)]
    return _of_pairs(n_ranks, pairs, size_bytes, steps)


def _counterparts(n_ranks: int, name: str) -> list[tuple[int, int]]:
    if n_ranks % 2:
        raise InputError(f"{name}: {n_ranks} ranks; expected an even number: ranks i and i + p/2 are a pair")
    return [(rank, rank + n_ranks // 2) for rank in range(n_ranks // 2)]


def _of_pairs(n_ranks: int, pairs: list[tuple[int, int]], size_bytes: int, messages: int) -> CommMatrix:
    """`messages` messages of `size_bytes` both ways between the ranks of each pair."""
    both = [way for a, b in pairs for way in ((a, b), (b, a))]
    return patterns.matrix_of(
        n_ranks, sorted((src, dst, size_bytes * messages, messages) for src, dst in both)
    )
