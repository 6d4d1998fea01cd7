"""Section: a table of all ranks, what each exchanges and where each placement puts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corewise.model import CommMatrix, Machine
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.text.quantities import index_text

TITLE = "Ranks"
MOST_ROWS = 2048  # of more ranks, those with most bytes are listed


@dataclass(frozen=True)
class Place:
    """`text` is "node 3, core 5" with logical indices; `order` sorts places as the machine does."""

    text: str
    order: int


@dataclass(frozen=True)
class Row:
    """What a rank sends and receives; `places` and bytes `crossing` between nodes are by placement."""

    rank: int
    bytes: int
    messages: int
    partners: int
    places: list[Place]
    crossing: list[int]


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    rows: list[Row]
    n_ranks: int
    labels: list[str]
    several_nodes: bool


def context(result: TuneResult) -> Context:
    """A row a rank, in rank order: bytes and messages sent and received, partners, and its places."""
    matrix = result.traffic.folded()
    totals = _totals(matrix)
    listed = np.sort(np.argsort(-totals["bytes"], kind="stable")[:MOST_ROWS])
    nodes = {c.label: np.array(c.placement.node) for c in result.candidates}
    crossing = {label: _bytes_between_nodes(matrix, of_rank) for label, of_rank in nodes.items()}
    several = result.machine.n_nodes > 1
    rows = [
        Row(
            rank,
            **{name: column[rank].item() for name, column in totals.items()},
            places=[_place(result.machine, c, rank, several) for c in result.candidates],
            crossing=[of_rank[rank].item() for of_rank in crossing.values()],
        )
        for rank in listed.tolist()
    ]
    return Context(rows, matrix.n_ranks, list(nodes), several)


def _totals(matrix: CommMatrix) -> dict[str, np.ndarray]:
    """[rank]: bytes and messages both ways together, and ranks that it exchanges any with."""
    n_ranks = matrix.n_ranks
    src, dst, n_bytes, messages = _between_ranks(matrix)
    pairs = np.unique(np.minimum(src, dst).astype(np.int64) * n_ranks + np.maximum(src, dst))
    ends = np.concatenate([pairs // n_ranks, pairs % n_ranks])
    return {
        "bytes": _sum_at(src, n_bytes, n_ranks) + _sum_at(dst, n_bytes, n_ranks),
        "messages": _sum_at(src, messages, n_ranks) + _sum_at(dst, messages, n_ranks),
        "partners": np.bincount(ends, minlength=n_ranks),
    }


def _between_ranks(matrix: CommMatrix) -> tuple[np.ndarray, ...]:
    """The columns src, dst, bytes, messages without self-messages."""
    columns = matrix.columns()
    apart = columns[0] != columns[1]
    return tuple(column[apart] for column in columns)


def _sum_at(ranks: np.ndarray, values: np.ndarray, n_ranks: int) -> np.ndarray:
    sums = np.zeros(n_ranks, np.int64)
    np.add.at(sums, ranks, values.astype(np.int64))
    return sums


def _bytes_between_nodes(matrix: CommMatrix, node_of_rank: np.ndarray) -> np.ndarray:
    """[rank]: bytes that it exchanges with ranks of other nodes, both ways together."""
    src, dst, n_bytes, _ = _between_ranks(matrix)
    n_bytes = np.where(node_of_rank[src] != node_of_rank[dst], n_bytes, 0)
    both_ways: np.ndarray = _sum_at(src, n_bytes, matrix.n_ranks) + _sum_at(dst, n_bytes, matrix.n_ranks)
    return both_ways


def _place(machine: Machine, candidate: Candidate, rank: int, with_node: bool) -> Place:
    node, cores = candidate.placement.node[rank], candidate.placement.cores[rank]
    text = f"node {node}, core {index_text(cores)}" if with_node else f"core {index_text(cores)}"
    return Place(text, machine.core_at(node, cores[0]))
