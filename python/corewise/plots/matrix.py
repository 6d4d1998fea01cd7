"""The communication matrix as SVG: squares shaded by bytes, source ranks down, destination ranks across."""

from __future__ import annotations

import numpy as np

from corewise.model import CommMatrix
from corewise.plots.heatmap import binned, shade_levels
from corewise.plots.svg import element, figure, round_steps, text
from corewise.text.quantities import bytes_text

MOST_CELLS = 96  # a side; with more ranks, neighbours share a cell
N_SHADES = 8
SIDE, LEFT, TOP, MARGIN = 390, 56, 40, 14


def matrix_svg(matrix: CommMatrix) -> str:
    """Bytes of every ordered pair on a log scale in eight shades; pairs without messages stay empty.

    Cells have the classes shade-1 (least) to shade-8 (most), which the page colours; see matrix_legend().
    """
    cells = binned(matrix, MOST_CELLS)
    shades = shade_levels(cells, N_SHADES)
    shapes = [element("rect", x=LEFT, y=TOP, width=SIDE, height=SIDE, class_="frame")]
    shapes.append(cells_svg(shades, f"translate({LEFT} {TOP}) scale({SIDE / len(cells):g})"))
    shapes += _axes(matrix.n_ranks)
    description = (
        f"Heat map of {matrix.n_ranks} x {matrix.n_ranks} ranks: {bytes_text(matrix.bytes)} "
        f"in {matrix.messages} messages, source ranks down, destination ranks across"
    )
    return figure(LEFT + SIDE + MARGIN, TOP + SIDE + MARGIN, description, *shapes)


def matrix_legend(matrix: CommMatrix) -> list[tuple[int, str]]:
    """(shade, its range of bytes) for the shades in matrix_svg(), fewest bytes first."""
    cells = binned(matrix, MOST_CELLS)
    shades = shade_levels(cells, N_SHADES)
    entries = []
    for shade in range(1, N_SHADES + 1):
        inside = cells[shades == shade]
        if inside.size:
            least, most = bytes_text(inside.min()), bytes_text(inside.max())
            entries.append((shade, least if least == most else f"{least} to {most}"))
    return entries


def cells_svg(shades: np.ndarray, transform: str) -> str:
    """Cells of side 1 in shades 1 to N_SHADES, without shade 0; `transform` scales and moves them."""
    squares = [_squares(shades, shade) for shade in range(1, N_SHADES + 1)]
    return element("g", *squares, transform=transform, shape_rendering="crispEdges")


def _squares(shades: np.ndarray, shade: int) -> str:
    """All cells of one shade as one path in units of a cell; neighbours in a row are one rectangle."""
    steps = []
    for row, of_row in enumerate(shades == shade):
        edges = np.flatnonzero(np.diff(of_row.astype(np.int8), prepend=0, append=0))
        for first, end in edges.reshape(-1, 2).tolist():
            steps.append(f"M{first} {row}h{end - first}v1H{first}z")
    return element("path", d="".join(steps), class_=f"shade-{shade}") if steps else ""


def _axes(n_ranks: int) -> list[str]:
    shapes = [
        text(LEFT + SIDE / 2, 12, "destination rank", class_="name", text_anchor="middle"),
        text(14, TOP + SIDE / 2, "source rank", class_="name", text_anchor="middle",
             transform=f"rotate(-90 14 {TOP + SIDE / 2:g})"),
    ]  # fmt: skip
    for rank in {int(step) for step in round_steps(0, n_ranks - 1, 9)}:
        middle = (rank + 0.5) * SIDE / n_ranks
        shapes.append(text(LEFT + middle, TOP - 6, str(rank), class_="tick", text_anchor="middle"))
        shapes.append(text(LEFT - 6, TOP + middle + 4, str(rank), class_="tick", text_anchor="end"))
    return shapes
