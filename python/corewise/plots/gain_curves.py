"""The predicted gain over the number of ranks: a curve with intervals for each machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corewise.plots.png import SERIES_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKERS = "osD^vP*X"
_SPREAD = 0.3  # of the distance between ticks: shifts curves so that intervals don't overlap


@dataclass(frozen=True)
class GainPoint:
    """A gain as a fraction with its interval; `extrapolated` if this number of ranks was not traced."""

    n_ranks: int
    low: float
    expected: float
    high: float
    extrapolated: bool


def gain_curves(curves: Mapping[str, Sequence[GainPoint]], title: str) -> Figure:
    """A figure; `curves` are by machine. Extrapolated points are hollow."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    figure = Figure(figsize=(6.4, 4.4), dpi=120, layout="constrained")
    axes = figure.subplots()
    scales = sorted({point.n_ranks for points in curves.values() for point in points})
    for index, (name, points) in enumerate(curves.items()):
        ordered = sorted(points, key=lambda point: point.n_ranks)
        aside = (index + 0.5) / len(curves) * _SPREAD - _SPREAD / 2
        at = [scales.index(point.n_ranks) + aside for point in ordered]
        colour, marker = SERIES_COLOURS[index % len(SERIES_COLOURS)], _MARKERS[index % len(_MARKERS)]
        axes.errorbar(
            at,
            [point.expected for point in ordered],
            yerr=[
                [point.expected - point.low for point in ordered],
                [point.high - point.expected for point in ordered],
            ],
            color=colour,
            capsize=3,
            label=name,
        )
        for x, point in zip(at, ordered, strict=True):
            face = "white" if point.extrapolated else colour
            axes.plot([x], [point.expected], marker, color=colour, markerfacecolor=face)
    if any(point.extrapolated for points in curves.values() for point in points):
        axes.plot([], [], "o", color="0.3", markerfacecolor="white", label="extrapolated")
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.set_xticks(range(len(scales)), [str(n) for n in scales])
    axes.set_xlabel("ranks")
    axes.set_ylabel("predicted gain (1 - t_best / t_default)")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title(title, parse_math=False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    return figure
