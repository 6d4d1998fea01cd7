"""Scatter plots of two measured quantities with error bars as a PNG file; on the diagonal, both are equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corewise.plugin.figures import SERIES_COLOURS
from corewise.statistics import Interval

from corewise_laboratory.plots import MARKERS, png


@dataclass(frozen=True)
class Point:
    """`label` stands next to the point."""

    x: Interval
    y: Interval
    label: str


def scatter_png(series: Mapping[str, Sequence[Point]], x_label: str, y_label: str, title: str) -> bytes:
    """A PNG file with the same logarithmic scale on both axes, and with error bars for intervals.

    Points with values at or below 0, which have no logarithm, are left out.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullLocator

    figure = Figure(figsize=(6.4, 6), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log")
    ends: list[float] = []
    for index, (name, points) in enumerate(series.items()):
        drawn = [point for point in points if min(point.x.low, point.y.low) > 0]
        ends += [end for point in drawn for i in (point.x, point.y) for end in (i.low, i.high)]
        axes.errorbar(
            [point.x.expected for point in drawn],
            [point.y.expected for point in drawn],
            xerr=_lengths([point.x for point in drawn]),
            yerr=_lengths([point.y for point in drawn]),
            fmt=MARKERS[index % len(MARKERS)],
            color=SERIES_COLOURS[index % len(SERIES_COLOURS)],
            elinewidth=0.8,
            label=name,
        )
        for point in drawn:
            place = (point.x.expected, point.y.expected)
            axes.annotate(
                point.label, place, (4, 4), textcoords="offset points", fontsize=8, parse_math=False
            )
    if ends:
        scale = (min(ends) / 1.2, max(ends) * 1.2)
        axes.set(xlim=scale, ylim=scale)
        axes.plot(scale, scale, color="0.6", linewidth=0.8, zorder=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel(x_label, parse_math=False)
    axes.set_ylabel(y_label, parse_math=False)
    axes.set_title(title, parse_math=False)
    axes.set_aspect("equal")
    axes.grid(alpha=0.3)
    if series:
        axes.legend(frameon=False)
    return png(figure)


def _lengths(intervals: Sequence[Interval]) -> list[list[float]]:
    """Error bars for matplotlib: lengths below and above the point."""
    return [[i.expected - i.low for i in intervals], [i.high - i.expected for i in intervals]]
