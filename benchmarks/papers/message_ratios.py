"""The message ratios of the SMP-CMP paper's section V.A under every reading of them that comes to mind.

    python benchmarks/papers/message_ratios.py [--least N]

The paper prints, for 128 processes on Draco (8 a node) and Jaguar (12 a node), inter-node over intra-node
messages of the logical ring (0.142, 0.09), the binomial broadcast (0.65, 0.66) and the recursive doubling
all-gather (1.0, 1.0). A reading is a number of processes, an order of ranks over nodes, what is counted, how
the counts become one number, and how the broadcast is done. Printed: readings that give at least N of the six
numbers within 0.01, most first, and how many readings there are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import product

import numpy as np
from corewise.text.table import text_table

PAPER = {"ring": (0.142, 0.09), "broadcast": (0.65, 0.66), "recursive doubling": (1.0, 1.0)}
RANKS_PER_NODE = (8, 12)  # of Draco and Jaguar
WITHIN = 0.01

Messages = np.ndarray  # [message, (src, dst, bytes in blocks)]


def distances(n: int) -> list[int]:
    """1, 2, 4, ... below n."""
    return [1 << k for k in range((n - 1).bit_length())]


def ring(n: int) -> Messages:
    """n - 1 times a block from each rank to the next."""
    return np.array([(i, (i + 1) % n, 1) for _ in range(n - 1) for i in range(n)])


def recursive_doubling(n: int) -> Messages:
    """With a partner at each distance, as many blocks as the distance."""
    return np.array([(i, i ^ d, d) for d in distances(n) for i in range(n)])


def nearest_first(n: int) -> Messages:
    """The broadcast as the paper describes it: each i < 2^k sends to i + 2^k."""
    return np.array([(i, i + d, 1) for d in distances(n) for i in range(d)])


def farthest_first(n: int) -> Messages:
    """The broadcast of MPICH: the root sends to n / 2 first."""
    return np.array([(i, i + d, 1) for d in distances(n) for i in range(0, n, 2 * d)])


def scatter(n: int) -> Messages:
    """Half of the blocks to n / 2, half of those to n / 4, ..."""
    return np.array([(i, i + d, d) for d in distances(n) for i in range(0, n, 2 * d)])


def from_every_root(tree: Callable[[int], Messages]) -> Callable[[int], Messages]:
    """One broadcast from each rank."""

    def all_of_them(n: int) -> Messages:
        once = tree(n)
        return np.vstack([np.column_stack([(once[:, :2] + root) % n, once[:, 2]]) for root in range(n)])

    return all_of_them


BROADCASTS = {
    "nearest first": nearest_first,
    "farthest first": farthest_first,
    "nearest first, every root": from_every_root(nearest_first),
    "farthest first, every root": from_every_root(farthest_first),
    "scatter and ring": lambda n: np.vstack([scatter(n), ring(n)]),
    "scatter and recursive doubling": lambda n: np.vstack([scatter(n), recursive_doubling(n)]),
}
# Node of each rank, from the numbers of ranks and of ranks a node.
ORDERS = {
    "block": lambda n, per: np.arange(n) // per,
    "round-robin": lambda n, per: np.arange(n) % -(-n // per),
    "folded": lambda n, per: _folded(np.arange(n), -(-n // per)),
}
WEIGHTS = {
    "messages": lambda messages: np.ones(len(messages)),
    "bytes": lambda messages: messages[:, 2].astype(float),
    "pairs": lambda messages: _first_of_each_pair(messages),
}


def _folded(rank: np.ndarray, n_nodes: int) -> np.ndarray:
    there = rank % n_nodes
    return np.where(rank // n_nodes % 2 == 0, there, n_nodes - 1 - there)


def _first_of_each_pair(messages: Messages) -> np.ndarray:
    weight = np.zeros(len(messages))
    weight[np.unique(messages[:, :2], axis=0, return_index=True)[1]] = 1
    return weight


def in_all(messages: Messages, node: np.ndarray, weight: np.ndarray) -> float:
    """All between nodes over all within nodes."""
    inter = node[messages[:, 0]] != node[messages[:, 1]]
    within = weight[~inter].sum()
    return weight[inter].sum() / within if within else np.inf


def exchanges_once(messages: Messages, node: np.ndarray, weight: np.ndarray) -> float:
    """The same, what crosses nodes counted once for both ends, what stays within at both of them."""
    return in_all(messages, node, weight) / 2


def mean_of_senders(messages: Messages, node: np.ndarray, weight: np.ndarray) -> float:
    """The mean over ranks that send both between nodes and within one."""
    inter = node[messages[:, 0]] != node[messages[:, 1]]
    between, within = (
        np.bincount(messages[of, 0], weights=weight[of], minlength=len(node)) for of in (inter, ~inter)
    )
    both = (between > 0) & (within > 0)
    return float(np.mean(between[both] / within[both])) if both.any() else np.inf


STATISTICS = {
    "in all": in_all,
    "exchanges once": exchanges_once,
    "mean of senders": mean_of_senders,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--least", type=int, default=2, help="numbers of the paper that a reading gives")
    least = parser.parse_args().least
    readings = list(product((16, 32, 64, 128), ORDERS, WEIGHTS, STATISTICS, BROADCASTS))
    rows = []
    for n, order, weight, statistic, broadcast in readings:
        found = []
        for messages in (ring(n), BROADCASTS[broadcast](n), recursive_doubling(n)):
            nodes = [ORDERS[order](n, per) for per in RANKS_PER_NODE]
            found += [STATISTICS[statistic](messages, node, WEIGHTS[weight](messages)) for node in nodes]
        wanted = [number for numbers in PAPER.values() for number in numbers]
        n_right = sum(abs(ours - paper) <= WITHIN for ours, paper in zip(found, wanted, strict=True))
        if n_right >= least:
            rows.append([n, order, weight, statistic, broadcast, *(f"{ours:.3f}" for ours in found), n_right])
    rows.sort(key=lambda row: -row[-1])
    heads = [">processes", "<order", "<counted", "<as", "<broadcast"]
    heads += [f">{name}, {cluster}" for name in PAPER for cluster in ("Draco", "Jaguar")]
    cells = [[str(cell) for cell in row] for row in rows]
    print("\n".join(text_table(f"{len(rows)} of {len(readings)} readings", [*heads, ">right"], cells)))


if __name__ == "__main__":
    main()
