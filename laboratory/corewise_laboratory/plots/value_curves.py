"""Curves in panels as a PNG file: a study's values, and the paper's published points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.plugin.figures import SERIES_COLOURS

from corewise_laboratory.plots import MARKERS, png

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

# [panel][series], points (x, y); x is a number or a name.
Curves = Mapping[str, Mapping[str, Sequence[tuple[str, float]]]]

_PANELS_A_ROW = 2


def value_curves_png(panels: Curves, x_label: str, y_label: str, title: str) -> bytes:
    """A PNG file; each panel has its own scale. Series named "paper..." are drawn without lines."""
    from matplotlib.figure import Figure

    columns = min(_PANELS_A_ROW, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(max(6.0, 4.6 * columns), 1.2 + 3.0 * rows), dpi=120, layout="constrained")
    names = list(dict.fromkeys(name for series in panels.values() for name in series))
    for at, (panel, series) in enumerate(panels.items()):
        axes = figure.add_subplot(rows, columns, at + 1)
        _draw_panel(axes, series, names)
        axes.set_title(panel, parse_math=False, fontsize=10)
        axes.set_xlabel(x_label, parse_math=False)
        if at % columns == 0:
            axes.set_ylabel(y_label, parse_math=False)
    figure.suptitle(title, parse_math=False)
    handles: dict[str, Artist] = {}
    for axes in figure.axes:
        handles |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if len(handles) > 1:
        figure.legend(
            list(handles.values()),
            list(handles),
            loc="outside lower center",
            ncols=min(4, len(handles)),
            frameon=False,
        )
    return png(figure)


def _draw_panel(axes: Axes, series: Mapping[str, Sequence[tuple[str, float]]], names: list[str]) -> None:
    labels = list(dict.fromkeys(x for points in series.values() for x, _ in points))
    place = _places(labels)
    for name, points in series.items():
        index = names.index(name)
        paper = name.startswith("paper")
        axes.plot(
            [place[x] for x, _ in points],
            [value for _, value in points],
            linestyle="none" if paper else "-",
            marker=MARKERS[index % len(MARKERS)],
            markersize=9 if paper else 4,
            fillstyle="none" if paper else "full",
            color="black" if paper else SERIES_COLOURS[index % len(SERIES_COLOURS)],
            label=name,
        )
    if not all(_is_number(label) for label in labels):
        axes.set_xticks(list(place.values()), labels, parse_math=False, fontsize=8)
    elif max(place.values()) > 100 * max(min(place.values()), 1):
        axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    axes.grid(alpha=0.3)


def _places(labels: list[str]) -> dict[str, float]:
    """Positions of labels on the x axis: their values if all are numbers, else 0, 1, 2, ..."""
    if all(_is_number(label) for label in labels):
        return {label: float(label) for label in labels}
    return {label: float(index) for index, label in enumerate(labels)}


def _is_number(label: str) -> bool:
    try:
        return math.isfinite(float(label))
    except ValueError:
        return False
