"""Nested boxes as SVG: each box has a size, and a parent packs its children into a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corewise.plots.svg import element, text

GAP, PADDING, TITLE_HEIGHT, FONT = 5, 7, 17, 11
WIDTH_PER_HEIGHT = 1.7  # preferred shape of a box
CHARACTER_WIDTH = 0.58  # of the font size, for a sans-serif font
INK = "#1b1f24"


@dataclass(frozen=True)
class Box:
    """A drawing with its top left corner at (0, 0)."""

    width: float
    height: float
    markup: str


@dataclass(frozen=True)
class Line:
    """One line of text in a leaf box."""

    content: str
    font_size: float
    bold: bool = False


@dataclass(frozen=True)
class Frame:
    """The frame of a box with children: `load` is a note at the right, `share` (0 to 1) a bar below."""

    title: str
    css_class: str
    fill: str
    stroke: str = "#8a8f98"
    load: str = ""
    share: float | None = None


def text_width(content: str, font_size: float) -> float:
    """The width of a text, estimated from above."""
    return len(content) * font_size * CHARACTER_WIDTH


def packed(frame: Frame, children: Sequence[Box]) -> Box:
    """The children row by row inside a titled frame."""
    n_columns = min(_sensible_columns(len(children)), key=lambda n: _misfit(children, n))
    columns, rows = _grid(children, n_columns)
    parts: list[str] = []
    top = TITLE_HEIGHT + (5.0 if frame.share is not None else 0.0)
    for row, height in enumerate(rows):
        left: float = PADDING
        for box, width in zip(children[row * n_columns :], columns, strict=False):
            parts.append(element("g", box.markup, transform=f"translate({left:g} {top:g})"))
            left += width + GAP
        top += height + GAP
    title_width = text_width(frame.title, FONT) + (text_width(frame.load, FONT) + 14 if frame.load else 0)
    width = max(sum(columns) + GAP * (n_columns - 1), title_width) + 2 * PADDING
    height = top - GAP + PADDING
    return Box(width, height, _frame(frame, width, height) + "".join(parts))


def leaf_size(lines: Sequence[Line]) -> tuple[float, float]:
    """Width and height that the lines need."""
    width = max(text_width(line.content, line.font_size) for line in lines) + 12
    return width, sum(line.font_size + 4 for line in lines) + 8


def leaf(
    lines: Sequence[Line],
    css_class: str,
    fill: str,
    stroke: str,
    least_size: tuple[float, float],
    dashed: bool = False,
) -> Box:
    """A box of centred lines, at least `least_size` wide and high."""
    width, height = (max(pair) for pair in zip(leaf_size(lines), least_size, strict=True))
    dash = {"stroke_dasharray": "4 3"} if dashed else {}
    frame = element(
        "rect", width=width, height=height, rx=3, class_=css_class, fill=fill, stroke=stroke, **dash
    )
    shapes = [frame]
    baseline = (height - leaf_size(lines)[1]) / 2 + 4
    for line in lines:
        baseline += line.font_size + 3
        style = {"font_size": line.font_size, "font_weight": "bold" if line.bold else "normal", "fill": INK}
        shapes.append(text(width / 2, baseline, line.content, text_anchor="middle", **style))
    return Box(width, height, "".join(shapes))


def _frame(frame: Frame, width: float, height: float) -> str:
    shapes = [
        element(
            "rect",
            width=width,
            height=height,
            rx=4,
            class_=frame.css_class,
            fill=frame.fill,
            stroke=frame.stroke,
        ),
        text(PADDING, 13, frame.title, font_size=FONT, fill=INK),
    ]
    if frame.load:
        end = {"text_anchor": "end", "class_": "tree-load"}
        shapes.append(text(width - PADDING, 13, frame.load, font_size=FONT, fill="#8a4b08", **end))
    if frame.share is not None:
        room = width - 2 * PADDING
        place = {"x": PADDING, "y": TITLE_HEIGHT, "height": 3}
        shapes.append(element("rect", width=room, fill="#e4e6e9", class_="tree-track", **place))
        shapes.append(element("rect", width=room * frame.share, fill="#d9822b", class_="tree-bar", **place))
    return "".join(shapes)


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
