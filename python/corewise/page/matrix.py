"""Section: who talks to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from corewise.nouns.tune_result import TuneResult
from corewise.plots.heatmap import ranks_a_cell
from corewise.plots.matrix import MOST_CELLS, matrix_legend, matrix_svg

if TYPE_CHECKING:
    from corewise.model import CommMatrix, Traffic

TITLE = "Traffic"
TOP_PAIRS = 8


def context(result: TuneResult) -> dict[str, Any]:
    """Totals, the pairs with most bytes, and the heat map."""
    return context_of_traffic(result.traffic, result.advice.ratio)


def context_of_traffic(traffic: Traffic, ratio: float | None = None) -> dict[str, Any]:
    """`ratio` is that of bytes between nodes to bytes within nodes; None where there are no nodes."""
    matrix = traffic.folded()
    return {
        "n_ranks": matrix.n_ranks,
        "bytes": matrix.bytes,
        "messages": matrix.messages,
        "n_pairs": sum(src != dst for src, dst, _, _ in _entries(matrix)),
        "ratio": ratio,
        "n_phases": len(traffic.phases),
        "top": _top_pairs(matrix),
        "figure": Markup(matrix_svg(matrix)),
        "legend": matrix_legend(matrix),
        "a_cell": ranks_a_cell(matrix, MOST_CELLS),
    }


def _entries(matrix: CommMatrix) -> list[tuple[int, int, int, int]]:
    return list(zip(*(column.tolist() for column in matrix.columns()), strict=True))


def _top_pairs(matrix: CommMatrix) -> list[dict[str, Any]]:
    """Ordered pairs of different ranks with most bytes; ties by rank."""
    entries = [entry for entry in _entries(matrix) if entry[0] != entry[1]]
    entries.sort(key=lambda entry: (-entry[2], entry[:2]))
    total = matrix.bytes or 1
    return [
        {"src": src, "dst": dst, "bytes": n_bytes, "messages": messages, "share": n_bytes / total}
        for src, dst, n_bytes, messages in entries[:TOP_PAIRS]
    ]
