"""The communication matrix as SVG: squares shaded by bytes, source ranks down, destination ranks across."""

from __future__ import annotations

import numpy as np

from corewise.model import CommMatrix
from corewise.plots.heatmap import binned, shade_levels
from corewise.plots.svg import element, figure, round_steps, text
from corewise.text.quantities import bytes_text

MOST_CELLS = 96  # ranks a side that are drawn one by one; above it, neighbours share a cell
N_SHADES = 8
SIDE, LEFT, TOP, LEGEND_WIDTH = 400, 56, 40, 150


def matrix_svg(matrix: CommMatrix) -> str:
    """Bytes of every ordered pair on a log scale in eight shades; pairs without messages stay empty.

    Shades carry the classes shade-1 (least) to shade-8 (most), which the page colours.
    """
    cells = binned(matrix, MOST_CELLS)
    shades = shade_levels(cells, N_SHADES)
    shapes = [element("rect", x=LEFT, y=TOP, width=SIDE, height=SIDE, class_="frame")]
    squares = [_squares(shades, shade) for shade in range(1, N_SHADES + 1)]
    to_cells = f"translate({LEFT} {TOP}) scale({SIDE / len(cells):g})"
    shapes.append(element("g", *squares, transform=to_cells, shape_rendering="crispEdges"))
    shapes += _axes(matrix.n_ranks) + _legend(cells, shades, matrix.n_ranks)
    description = (
        f"Heat map of {matrix.n_ranks} x {matrix.n_ranks} ranks: {bytes_text(matrix.bytes)} "
        f"in {matrix.messages} messages, source ranks down, destination ranks across"
    )
    return figure(LEFT + SIDE + LEGEND_WIDTH, TOP + SIDE + 12, description, *shapes)


def _squares(shades: np.ndarray, shade: int) -> str:
    """All cells of one shade as one path in units of a cell; a row's neighbours make one rectangle."""
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


def _legend(cells: np.ndarray, shades: np.ndarray, n_ranks: int) -> list[str]:
    """The bytes that each shade in use stands for, most on top."""
    left, shapes, top = LEFT + SIDE + 20, [], TOP
    for shade in range(N_SHADES, 0, -1):
        inside = cells[shades == shade]
        if inside.size:
            least, most = bytes_text(inside.min()), bytes_text(inside.max())
            label = least if least == most else f"{least} to {most}"
            shapes.append(element("rect", x=left, y=top, width=14, height=14, class_=f"shade-{shade}"))
            shapes.append(text(left + 20, top + 11, label, class_="tick"))
            top += 20
    together = -(-n_ranks // len(cells))
    label = "bytes a pair" if together == 1 else f"bytes a cell ({together} x {together} ranks)"
    return [text(left, TOP - 6, label, class_="tick"), *shapes]
