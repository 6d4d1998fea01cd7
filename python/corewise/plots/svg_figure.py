"""Converts an SVG to a Matplotlib figure, for PNG and PDF; supports only what plots/svg.py writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from corewise.plots.style import FONT_SIZE, NAMESPACE, PIXELS, Style, settings, width_inches

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.transforms import Affine2D, Transform

    Attributes = dict[str, str]

_TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
_STEP = re.compile(r"([MhvHz])\s*([-\d. ]*)")
_ALIGN = {"start": "left", "middle": "center", "end": "right"}


def drawn(svg: str, style: Style) -> Figure:
    """The figure with the width of `style`; `svg` is a result of themed()."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    inches = width_inches(width / PIXELS, style)
    with rc_context(settings(style)):
        figure = Figure(figsize=(inches, inches * height / width), dpi=300 if style == "paper" else 144)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        points = inches * 72 / width  # of a px
        _draw(axes, root, Affine2D(), {"font-size": str(FONT_SIZE)}, points)
    return figure


def _draw(
    axes: Axes, element: ElementTree.Element, to_root: Transform, inherited: Attributes, points: float
) -> None:
    given = inherited | element.attrib
    tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    here = _transform(element.get("transform", "")) + to_root
    if tag in _SHAPES:
        _SHAPES[tag](axes, given, here, points)
    elif tag == "text":
        _text(axes, element.text or "", given, here, points)
    kept = {name: value for name, value in given.items() if name in _INHERITED}
    for child in element:
        _draw(axes, child, here, kept, points)


_INHERITED = ("fill", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor")


def _transform(text: str) -> Affine2D:
    """The transformation of a `transform` attribute, whose last step is applied first."""
    from matplotlib.transforms import Affine2D

    whole = Affine2D()
    for name, words in reversed(_TRANSFORM.findall(text)):
        numbers = [float(word) for word in re.split(r"[\s,]+", words.strip())]
        if name == "translate":
            whole = whole.translate(numbers[0], numbers[1] if len(numbers) > 1 else 0)
        elif name == "scale":
            whole = whole.scale(numbers[0], numbers[-1])
        elif name == "rotate":
            angle, x, y = [*numbers, 0.0, 0.0][:3]
            whole = whole.rotate_deg_around(x, y, angle)
    return whole


def _paint(given: Attributes, points: float) -> Any:
    fill, stroke = given.get("fill", "black"), given.get("stroke", "none")
    alpha = float(given.get("opacity", 1)) * float(given.get("fill-opacity", 1))
    return {
        "facecolor": fill,
        "edgecolor": stroke,
        "alpha": alpha if alpha < 1 else None,
        "linewidth": float(given.get("stroke-width", 1)) * points if stroke != "none" else 0,
        "linestyle": (0, (4, 3)) if "stroke-dasharray" in given else "solid",
    }


def _rect(axes: Axes, given: Attributes, here: Transform, points: float) -> None:
    from matplotlib.patches import Rectangle

    x, y, width, height = (float(given.get(name, 0)) for name in ("x", "y", "width", "height"))
    _add(axes, Rectangle((x, y), width, height, **_paint(given, points)), here)


def _circle(axes: Axes, given: Attributes, here: Transform, points: float) -> None:
    from matplotlib.patches import Circle

    x, y, radius = (float(given[name]) for name in ("cx", "cy", "r"))
    _add(axes, Circle((x, y), radius, **_paint(given, points)), here)


def _line(axes: Axes, given: Attributes, here: Transform, points: float) -> None:
    from matplotlib.lines import Line2D

    ends = ([float(given[name]) for name in names] for names in (("x1", "x2"), ("y1", "y2")))
    width = float(given.get("stroke-width", 1)) * points
    line = Line2D(*ends, color=given.get("stroke", "none"), linewidth=width)
    line.set_transform(here + axes.transData)
    axes.add_artist(line)


def _path(axes: Axes, given: Attributes, here: Transform, points: float) -> None:
    """Paths of rectangles as in _squares() of plots/matrix.py: M x y h dx v dy H x z."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    vertices: list[tuple[float, float]] = []
    codes: list[Any] = []
    x = y = 0.0
    for command, words in _STEP.findall(given["d"]):
        numbers = [float(word) for word in words.split()]
        if command == "M":
            x, y = numbers
        elif command == "h":
            x += numbers[0]
        elif command == "v":
            y += numbers[0]
        elif command == "H":
            x = numbers[0]
        vertices.append((x, y))
        codes.append({"M": Path.MOVETO, "z": Path.CLOSEPOLY}.get(command, Path.LINETO))
    if vertices:
        paint = _paint(given, points) | {"antialiased": False}
        _add(axes, PathPatch(Path(vertices, codes), **paint), here)


def _add(axes: Axes, patch: Patch, here: Transform) -> None:
    patch.set_transform(here + axes.transData)
    axes.add_artist(patch)


_SHAPES = {"rect": _rect, "circle": _circle, "line": _line, "path": _path}


def _text(axes: Axes, content: str, given: Attributes, here: Transform, points: float) -> None:
    x, y = here.transform((float(given.get("x", 0)), float(given.get("y", 0))))
    rotated = -90.0 if "rotate(-90" in given.get("transform", "") else 0.0
    axes.text(
        x,
        y,
        content,
        color=given.get("fill", "black"),
        fontsize=float(given["font-size"]) * points,
        fontweight="bold" if given.get("font-weight") == "bold" else "normal",
        ha=_ALIGN[given.get("text-anchor", "start")],
        va="baseline",
        rotation=-rotated,
        rotation_mode="anchor",
        parse_math=False,
    )
