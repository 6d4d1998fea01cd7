"""Figures that notebooks show, and the content of their files."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from matplotlib.figure import Figure

from corewise.plots.style import COLOURS, fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Drawing(Figure):
    """A figure that notebooks show."""

    def _repr_svg_(self) -> str:
        return svg_of(lambda: self)


def drawing(width: float, height: float) -> tuple[Drawing, Axes]:
    """A figure of that size in inches, with one panel without frame."""
    figure = Drawing(figsize=(width, height), dpi=144, layout="constrained")
    axes = figure.subplots()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure, axes


def label_colour(label: str) -> str:
    """The colour of a placement on the page; other labels have the colour of text."""
    return COLOURS[label] if label in ("default", "best", "worst") else COLOURS["text"]


def svg_of(draw: Callable[[], Figure]) -> str:
    """The figure as an SVG element, transparent; the same figure gives the same text."""
    with fitted(draw, "page") as figure:
        text = saved(figure, "svg", transparent=True).decode()
    return text[text.index("<svg") :]


def saved(figure: Figure, form: Literal["png", "svg", "pdf"], transparent: bool = False) -> bytes:
    """The content of a file; without the date, except in a PNG, which has none."""
    file = io.BytesIO()
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    figure.savefig(file, format=form, transparent=transparent, metadata=dated)
    return file.getvalue()


WIDTH = 5.0  # inches
ROW = 0.2  # inches


def grouped_bars(groups: Mapping[str, Mapping[str, float]], value_text: Callable[[float], str]) -> Figure:
    """`groups` maps a title to its bars, label -> value (0 or more). All share a scale from 0."""
    from corewise.plots.drawing import drawing, label_colour

    n_rows = sum(len(bars) + 1.6 for bars in groups.values())
    figure, axes = drawing(WIDTH, ROW * n_rows + 0.1)
    longest = max((value for bars in groups.values() for value in bars.values()), default=0) or 1
    ticks, labels, at = [], [], 0.0
    for title, bars in groups.items():
        axes.text(-0.13, at, title, transform=axes.get_yaxis_transform(), va="center", parse_math=False)
        for label, value in bars.items():
            at += 1
            axes.barh(at, value, height=0.85, color=label_colour(label))
            axes.text(value + 0.015 * longest, at, value_text(value), va="center", fontsize="small")
            ticks.append(at)
            labels.append(label)
        at += 1.6
    axes.set(xlim=(0, 1.2 * longest), ylim=(at - 1, -0.6), xticks=[])
    axes.set_yticks(ticks, labels, fontsize="small")
    return figure
