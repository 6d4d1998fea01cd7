"""Section: the communication matrix and its totals."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from corewise.model import CommMatrix, Traffic
from corewise.nouns.input_summary import TopPair
from corewise.nouns.tune_result import TuneResult
from corewise.plots.heatmap import ranks_a_cell
from corewise.plots.matrix import MOST_CELLS, matrix_legend, matrix_svg
from corewise.profile.tables import TOP_PAIRS, top_pairs

TITLE = "Traffic"


@dataclass(frozen=True)
class Context:
    """Totals, the pairs with most bytes, and the heat map.

    `ratio` is inter-node over intra-node bytes; None without nodes.
    """

    matrix: CommMatrix
    n_pairs: int
    ratio: float | None
    n_phases: int
    top: list[TopPair]
    figure: Markup
    legend: list[tuple[int, str]]
    a_cell: int


def context(result: TuneResult) -> Context:
    """The traffic of the job, without top pairs, because another section lists them."""
    return context_of_traffic(result.traffic, result.advice.ratio, most_pairs=0)


def context_of_traffic(traffic: Traffic, ratio: float | None = None, most_pairs: int = TOP_PAIRS) -> Context:
    """Lists at most `most_pairs` top pairs."""
    matrix = traffic.folded()
    src, dst, *_ = matrix.columns()
    return Context(
        matrix,
        int((src != dst).sum()),
        ratio,
        len(traffic.phases),
        top_pairs(matrix, most_pairs) if most_pairs else [],
        Markup(matrix_svg(matrix)),
        matrix_legend(matrix),
        ranks_a_cell(matrix, MOST_CELLS),
    )
