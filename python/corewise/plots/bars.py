"""Grouped horizontal bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
