"""Nested boxes with a size in CSS pixels; a parent packs its children into a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corewise.plots.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP, PADDING, TITLE_HEIGHT, FONT = 5, 7, 17, 11
WIDTH_PER_HEIGHT = 1.7  # preferred shape of a box
CHARACTER_WIDTH = 0.58  # of the font size, for a sans-serif font
PIXELS = 96  # per inch
MARGIN = 10
LOAD, TRACK = COLOURS["worst"], COLOURS["line"]


class Rect(NamedTuple):
    """A rectangle; `style` are properties of a Matplotlib patch."""

    x: float
    y: float
    width: float
    height: float
    style: dict[str, Any]


class Text(NamedTuple):
    """A line of text; `y` is its baseline, `style` are properties of a Matplotlib text."""

    x: float
    y: float
    content: str
    font: float
    style: dict[str, Any]


class Box(NamedTuple):
    """Shapes in a box whose top left corner is (0, 0)."""

    width: float
    height: float
    shapes: list[Rect | Text]


class Line(NamedTuple):
    """One line of text in a leaf box."""

    content: str
    font: float
    bold: bool = False


class Frame(NamedTuple):
    """The frame of a box with children: `load` is a note at the right, `share` (0 to 1) a bar below."""

    title: str
    fill: str
    load: str = ""
    share: float | None = None


def text_width(content: str, font: float) -> float:
    """The width of a text, estimated from above."""
    return len(content) * font * CHARACTER_WIDTH


def packed(frame: Frame, children: Sequence[Box]) -> Box:
    """The children row by row inside a titled frame."""
    n_columns = min(_sensible_columns(len(children)), key=lambda n: _misfit(children, n))
    columns, rows = _grid(children, n_columns)
    title_width = text_width(frame.title, FONT) + (text_width(frame.load, FONT) + 14 if frame.load else 0)
    width = max(sum(columns) + GAP * (n_columns - 1), title_width) + 2 * PADDING
    top = TITLE_HEIGHT + (5.0 if frame.share is not None else 0.0)
    height = top + sum(rows) + GAP * (len(rows) - 1) + PADDING
    shapes = _frame(frame, width, height)
    for row, row_height in enumerate(rows):
        left: float = PADDING
        for box, column in zip(children[row * n_columns :], columns, strict=False):
            shapes += [shape._replace(x=shape.x + left, y=shape.y + top) for shape in box.shapes]
            left += column + GAP
        top += row_height + GAP
    return Box(width, height, shapes)


def leaf_size(lines: Sequence[Line]) -> tuple[float, float]:
    """Width and height that the lines need."""
    width = max(text_width(line.content, line.font) for line in lines) + 12
    return width, sum(line.font + 4 for line in lines) + 8


def leaf(lines: Sequence[Line], least_size: tuple[float, float], **style: Any) -> Box:
    """A box of centred lines, at least `least_size` wide and high."""
    width, height = (max(pair) for pair in zip(leaf_size(lines), least_size, strict=True))
    shapes: list[Rect | Text] = [Rect(0, 0, width, height, style)]
    baseline = (height - leaf_size(lines)[1]) / 2 + 4
    for line in lines:
        baseline += line.font + 3
        weight = {"ha": "center", "weight": "bold" if line.bold else "normal"}
        shapes.append(Text(width / 2, baseline, line.content, line.font, weight))
    return Box(width, height, shapes)


def boxes_figure(box: Box, legend: Sequence[str]) -> Figure:
    """A figure of the box with the lines of the legend below it."""
    from matplotlib.patches import Rectangle

    from corewise.plots.drawing import Drawing

    width = max([box.width, *(text_width(line, FONT) for line in legend)]) + 2 * MARGIN
    height = box.height + 2 * MARGIN + (6 + 16 * len(legend) if legend else 0)
    figure = Drawing(figsize=(width / PIXELS, height / PIXELS), dpi=144)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-MARGIN, width - MARGIN), ylim=(height - MARGIN, -MARGIN))
    axes.axis("off")
    below = [Text(2, box.height + 18 + 16 * i, line, FONT, {}) for i, line in enumerate(legend)]
    for shape in [*box.shapes, *below]:
        if isinstance(shape, Rect):
            axes.add_artist(Rectangle((shape.x, shape.y), shape.width, shape.height, lw=0.6, **shape.style))
        else:
            size = shape.font * 72 / PIXELS
            axes.text(shape.x, shape.y, shape.content, fontsize=size, parse_math=False, **shape.style)
    return figure


def _frame(frame: Frame, width: float, height: float) -> list[Rect | Text]:
    shapes: list[Rect | Text] = [
        Rect(0, 0, width, height, {"fc": frame.fill, "ec": COLOURS["edge"]}),
        Text(PADDING, 13, frame.title, FONT, {}),
    ]
    if frame.load:
        shapes.append(Text(width - PADDING, 13, frame.load, FONT, {"ha": "right", "color": COLOURS["quiet"]}))
    if frame.share is not None:
        room = width - 2 * PADDING
        shapes.append(Rect(PADDING, TITLE_HEIGHT, room, 3, {"fc": TRACK, "ec": "none"}))
        shapes.append(Rect(PADDING, TITLE_HEIGHT, room * frame.share, 3, {"fc": LOAD, "ec": "none"}))
    return shapes


def _sensible_columns(n: int) -> list[int]:
    """Numbers of columns that give full rows if possible, else all numbers."""
    divisors = [columns for columns in range(1, n + 1) if n % columns == 0]
    return divisors if len(divisors) > 2 or n <= 3 else list(range(1, n + 1))


def _grid(children: Sequence[Box], n_columns: int) -> tuple[list[float], list[float]]:
    """(widths of the columns, heights of the rows)."""
    columns = [max(box.width for box in children[column::n_columns]) for column in range(n_columns)]
    starts = range(0, len(children), n_columns)
    rows = [max(box.height for box in children[start : start + n_columns]) for start in starts]
    return columns, rows


def _misfit(children: Sequence[Box], n_columns: int) -> float:
    """The factor, 1 or more, between the grid's shape and WIDTH_PER_HEIGHT."""
    columns, rows = _grid(children, n_columns)
    shape = sum(columns) / sum(rows) / WIDTH_PER_HEIGHT
    return max(shape, 1 / shape)
