"""All nodes of a machine as a strip of small squares, shaded by the bytes over each node's link."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from corewise.plots.svg import element, figure, text
from corewise.text.quantities import bytes_text, index_text

N_SHADES = 8
MOST_CELLS = 1024  # with more nodes, neighbours share a square
COLUMNS = 32
SIDE, GAP, LEFT, MARGIN = 10, 2, 40, 3


def node_strip_svg(loads: Sequence[float], greatest: float, opened: Collection[int] = ()) -> str:
    """Squares in rows, node 0 first; the number before a row is its first node's.

    `loads` are bytes, [node]. Shades are equal parts of `greatest`, so that strips of several placements can
    be compared. A node without bytes is empty. If there are many nodes, neighbours share a square, which
    shows the highest load. Nodes in `opened` are outlined.
    """
    a_cell = nodes_a_cell(len(loads))
    cells = [loads[first : first + a_cell] for first in range(0, len(loads), a_cell)]
    pitch = SIDE + GAP
    shapes = []
    for index, cell in enumerate(cells):
        (row, column), first = divmod(index, COLUMNS), index * a_cell
        left, top = LEFT + column * pitch, MARGIN + row * pitch
        if column == 0:
            shapes.append(text(LEFT - 6, top + SIDE - 1, str(first), class_="tick", text_anchor="end"))
        css_class = f"cell shade-{shade_of(max(cell), greatest)}"
        if any(first <= node < first + len(cell) for node in opened):
            css_class += " opened"
        title = element("title", _name(first, cell))
        shapes.append(element("rect", title, class_=css_class, x=left, y=top, width=SIDE, height=SIDE))
    n_rows = -(-len(cells) // COLUMNS)
    width = LEFT + min(len(cells), COLUMNS) * pitch + MARGIN
    description = f"{len(loads)} nodes; the darker a square, the more bytes cross the node's link"
    return figure(width, 2 * MARGIN + n_rows * pitch, description, *shapes)


def legend_entries(greatest: float) -> list[tuple[int, str]]:
    """(shade, its meaning), fewest bytes first; only "none" if no node sends to another."""
    parts = range(1, N_SHADES + 1) if greatest > 0 else ()
    return [(0, "none"), *((part, f"up to {bytes_text(greatest * part / N_SHADES)}") for part in parts)]


def nodes_a_cell(n_nodes: int) -> int:
    """How many neighbouring nodes share a square."""
    return max(1, -(-n_nodes // MOST_CELLS))


def shade_of(load: float, greatest: float) -> int:
    """0 without bytes, else 1 to N_SHADES in equal parts of `greatest`, each including its upper end."""
    if load <= 0 or greatest <= 0:
        return 0
    return min(N_SHADES, max(1, math.ceil(N_SHADES * load / greatest - 1e-9)))


def _name(first: int, cell: Sequence[float]) -> str:
    if len(cell) == 1:
        return f"node {first}: {bytes_text(cell[0])}"
    return f"nodes {index_text(range(first, first + len(cell)))}: at most {bytes_text(max(cell))}"
