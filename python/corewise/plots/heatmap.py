"""The communication matrix as a heat map: as text for a terminal, and as a figure."""

from __future__ import annotations

import math
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import numpy as np

from corewise.model import CommMatrix
from corewise.plots.style import blues
from corewise.text.quantities import bytes_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = " .:-=+*#%@"

MOST_PNG_CELLS = 640  # less than the figure's pixels a side, so that each cell is visible


def binned(matrix: CommMatrix, most_cells: int) -> np.ndarray:
    """Bytes, [src, dst], as floats; if there are more than `most_cells` ranks, neighbours share a cell.

    A cell of several pairs has the maximum of their bytes, so that a shade means the same as for one pair.
    The last row and column may contain fewer ranks than the others.
    """
    side = ranks_a_cell(matrix, most_cells)
    n_cells = -(-matrix.n_ranks // side)
    src, dst, sent_bytes, _ = matrix.columns()
    cells = np.zeros((n_cells, n_cells))
    np.maximum.at(cells, (src // side, dst // side), sent_bytes.astype(float))
    return cells


def ranks_a_cell(matrix: CommMatrix, most_cells: int) -> int:
    """How many neighbouring ranks share a row of binned()."""
    return max(1, -(-matrix.n_ranks // most_cells))


def text_heatmap(matrix: CommMatrix, width: int = 0) -> list[str]:
    """Lines of shading characters, log scale: a row for each source, a column for each destination.

    No line is wider than `width`, by default the terminal's: if there are too many ranks, neighbours share a
    cell.
    """
    margin = len(str(matrix.n_ranks)) + 2
    room = max(1, (width or get_terminal_size().columns) - margin)
    cell_width = 2 if 2 * matrix.n_ranks <= room else 1  # two characters make about a square
    side = ranks_a_cell(matrix, room // cell_width)
    cells = binned(matrix, room // cell_width)
    lines = [_column_heads(matrix, len(cells) * cell_width, margin)]
    for row, levels in enumerate(shade_levels(cells, len(SHADES) - 1)):
        shades = "".join(SHADES[level] * cell_width for level in levels)
        lines.append(f"{row * side:>{margin - 1}} {shades}".rstrip())
    return [*lines, _legend(cells, side)]


def heatmap(matrix: CommMatrix, title: str, ranks_per_node: int | None = None) -> Figure:
    """A figure: source ranks down, destination ranks across, bytes on a log scale.

    Pairs without messages are white. With `ranks_per_node`, lines separate the nodes if there are few enough.
    """
    from matplotlib.colors import LogNorm
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    from corewise.plots.drawing import Drawing

    side = ranks_a_cell(matrix, MOST_PNG_CELLS)
    cells = binned(matrix, MOST_PNG_CELLS)
    figure = Drawing(
        figsize=(7.2, 6), dpi=150, layout=ConstrainedLayoutEngine(compress=True, w_pad=0.1, h_pad=0.1)
    )
    axes = figure.add_subplot()
    edge = len(cells) * side - 0.5
    image = axes.imshow(
        np.ma.masked_equal(cells, 0),
        cmap=blues(),
        norm=LogNorm(*_scale(cells)),
        extent=(-0.5, edge, edge, -0.5),
        interpolation="nearest",
    )
    axes.set_title(title, parse_math=False)
    axes.set(xlabel="destination rank", ylabel="source rank")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(9, integer=True))
    if ranks_per_node and matrix.n_ranks / ranks_per_node <= 64:
        for border in np.arange(ranks_per_node, matrix.n_ranks, ranks_per_node) - 0.5:
            axes.axhline(border, color="0.6", linewidth=0.5)
            axes.axvline(border, color="0.6", linewidth=0.5)
    label = "bytes sent" if side == 1 else f"bytes sent, greatest pair of {side} x {side} ranks"
    ticks = _powers_of_two(*_scale(cells))
    bar = figure.colorbar(
        image, label=label, ticks=ticks, format=FuncFormatter(lambda value, _: bytes_text(value))
    )
    bar.ax.minorticks_off()
    return figure


def _scale(cells: np.ndarray) -> tuple[float, float]:
    """The ends of the log scale in bytes, at least a factor of ten apart: small differences look small."""
    sent = cells[cells > 0]
    if not sent.size:
        return 1.0, 10.0
    return min(sent.min(), sent.max() / 10), sent.max()


def _powers_of_two(low: float, high: float) -> list[int]:
    """About six powers of two between the ends of the scale."""
    first, last = max(0, math.ceil(math.log2(low))), math.floor(math.log2(high))
    return [2**exponent for exponent in range(first, last + 1, max(1, (last - first) // 6))]


def shade_levels(cells: np.ndarray, n_levels: int) -> np.ndarray:
    """0 for no bytes, else 1 to n_levels in equal steps of the log scale."""
    low, high = _scale(cells)
    levels = np.zeros(cells.shape, dtype=int)
    sent = cells > 0
    share = np.log(cells[sent] / low) / np.log(high / low)
    levels[sent] = 1 + np.minimum((share * n_levels).astype(int), n_levels - 1)
    return levels


def _column_heads(matrix: CommMatrix, width: int, margin: int) -> str:
    """First and last destination rank above the columns."""
    last = str(matrix.n_ranks - 1)
    room = max(0, width - len(last))
    return f"{'':>{margin}}{'0 dst':<{room}}{last}" if room >= 6 else f"{'':>{margin}}0-{last}"


def _legend(cells: np.ndarray, side: int) -> str:
    if not cells.any():
        return "no bytes at all"
    low, high = _scale(cells)
    low_text = bytes_text(low) if low >= 1 else f"{low:.1g} B"
    unit = "a pair" if side == 1 else f"of the greatest pair of {side} x {side} ranks"
    return f"bytes {unit}, log scale: '{SHADES[1]}' from {low_text}, '{SHADES[-1]}' to {bytes_text(high)}"
