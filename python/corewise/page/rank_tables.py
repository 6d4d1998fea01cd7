"""Tables on ranks and pairs for the page's data: their traffic, and their places in each placement."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from corewise.model import CommMatrix, Machine
from corewise.nouns.page_data import PageColumn, PageTable
from corewise.nouns.placement import Placement
from corewise.page.moved import level_name, meeting_levels
from corewise.profile.tables import top_pairs
from corewise.text.quantities import index_text

Pairs = tuple[np.ndarray, ...]  # src, dst, bytes, messages
MOST_PAIRS = 1000


def rank_table(
    pairs: Pairs, n_ranks: int, machine: Machine, placements: Mapping[str, Placement]
) -> PageTable:
    """A row for each rank, most bytes first: traffic in both directions, partners, and places.

    `pairs` is the result of between_ranks().
    """
    totals = _totals(pairs, n_ranks)
    order = np.argsort(-totals["bytes"], kind="stable")
    columns = [
        PageColumn("rank", "rank", order.tolist()),
        PageColumn("bytes", "bytes", totals["bytes"][order].tolist()),
        PageColumn("messages", "count", totals["messages"][order].tolist()),
        PageColumn("partners", "count", totals["partners"][order].tolist()),
    ]
    for name, placement in placements.items():
        places = places_of(placement, machine.n_nodes > 1)
        columns.append(PageColumn(name, "place", [places[rank] for rank in order.tolist()]))
        if machine.n_nodes > 1:
            crossing = _bytes_between_nodes(pairs, np.array(placement.node))
            columns.append(PageColumn(f"{name}: to other nodes", "bytes", crossing[order].tolist()))
    title = "Ranks: what each sends and receives, and its core under each placement (logical indices)"
    return PageTable(name="ranks", title=title, columns=columns)


def pair_table(matrix: CommMatrix, machine: Machine, placements: Mapping[str, Placement]) -> PageTable:
    """The ordered pairs with most bytes, and how near each placement puts them."""
    pairs = top_pairs(matrix, MOST_PAIRS)
    src, dst = (np.array([getattr(pair, end) for pair in pairs], int) for end in ("src", "dst"))
    columns = [
        PageColumn("from rank", "rank", src.tolist()),
        PageColumn("to rank", "partner", dst.tolist()),
        PageColumn("bytes", "bytes", [pair.bytes for pair in pairs]),
        PageColumn("messages", "count", [pair.messages for pair in pairs]),
        PageColumn("share of all bytes", "share", [pair.share for pair in pairs]),
    ]
    for name, placement in placements.items():
        levels = meeting_levels(machine, placement.on(machine), src, dst)
        near = [f"in one {level_name(machine, level)}" for level in levels.tolist()]
        columns.append(PageColumn(name, "text", near))
    return PageTable(name="pairs", title="Pairs of ranks with most bytes", columns=columns)


def places_of(placement: Placement, with_node: bool) -> list[str]:
    """[rank] "node 3, core 5", logical indices."""
    return [
        f"node {node}, core {index_text(cores)}" if with_node else f"core {index_text(cores)}"
        for node, cores in zip(placement.node, placement.cores, strict=True)
    ]


def between_ranks(matrix: CommMatrix) -> Pairs:
    """The columns src, dst, bytes, messages without messages of a rank to itself."""
    columns = matrix.columns()
    apart = columns[0] != columns[1]
    return tuple(column[apart] for column in columns)


def _totals(pairs: Pairs, n_ranks: int) -> dict[str, np.ndarray]:
    """[rank] bytes and messages in both directions together, and the number of partners."""
    from scipy.sparse import csr_array

    src, dst, n_bytes, messages = pairs
    sent = csr_array((np.ones(len(src), np.int8), (src, dst)), shape=(n_ranks, n_ranks))
    return {
        "bytes": _sum_at(src, n_bytes, n_ranks) + _sum_at(dst, n_bytes, n_ranks),
        "messages": _sum_at(src, messages, n_ranks) + _sum_at(dst, messages, n_ranks),
        "partners": np.diff((sent + sent.T).indptr),
    }


def _sum_at(ranks: np.ndarray, values: np.ndarray, n_ranks: int) -> np.ndarray:
    sums = np.zeros(n_ranks, np.int64)
    np.add.at(sums, ranks, values.astype(np.int64))
    return sums


def _bytes_between_nodes(pairs: Pairs, node_of_rank: np.ndarray) -> np.ndarray:
    """[rank] bytes to and from other nodes."""
    src, dst, n_bytes, _ = pairs
    n_bytes, n_ranks = np.where(node_of_rank[src] != node_of_rank[dst], n_bytes, 0), len(node_of_rank)
    both_ways: np.ndarray = _sum_at(src, n_bytes, n_ranks) + _sum_at(dst, n_bytes, n_ranks)
    return both_ways
