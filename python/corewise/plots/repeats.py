"""Repeated measurements as dots, with median and interval, one row for each placement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from corewise.nouns.run import RunKey
from corewise.statistics import median_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, ROW_HEIGHT, AXIS_HEIGHT = 5.0, 0.48, 0.5  # inches


def repeats_figure(samples_s: Mapping[RunKey, Sequence[float]]) -> Figure:
    """A dot plot of times in s, a row for each key; `samples_s` maps a key to its repeats in order.

    Keys without repeats are left out. Rows show their source if sources differ. The axis starts at the
    smallest time, not at 0, because the figure is about spread. Repeats go from top to bottom in their row,
    so that a drift is visible as a slope.
    """
    from corewise.plots.drawing import drawing, label_colour

    rows = {key: values for key, values in samples_s.items() if values}
    figure, axes = drawing(WIDTH, ROW_HEIGHT * len(rows) + AXIS_HEIGHT)
    for row, (key, values) in enumerate(rows.items()):
        interval, colour = median_interval(values), label_colour(key.label)
        axes.fill_betweenx(
            [row - 0.32, row + 0.32], interval.low, interval.high, color=colour, alpha=0.16, lw=0
        )
        axes.vlines(interval.expected, row - 0.36, row + 0.36, color=colour, lw=1.5)
        at = row - 0.26 + 0.52 * (np.arange(len(values)) + 0.5) / len(values)
        axes.plot(values, at, "o", color=colour, alpha=0.75, markersize=4.5, markeredgewidth=0)
    with_source = len({key.source for key in rows}) > 1
    names = [f"{key.label}\n{key.source}" if with_source else key.label for key in rows]
    axes.set_yticks(range(len(rows)), names, color=axes.yaxis.label.get_color(), parse_math=False)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.set_xlabel("time (s)", loc="right")
    axes.ticklabel_format(axis="x", useOffset=False)
    return figure
