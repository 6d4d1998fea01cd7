"""The predicted gain over the number of ranks: a curve with intervals for each machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.plots.style import SERIES_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.nouns.comparison import MachineAdvice

_MARKERS = "osD^vP*X"
_SPREAD = 0.3  # of the distance between ticks: shifts curves so that intervals don't overlap


def gain_curves(curves: Mapping[str, Sequence[MachineAdvice]]) -> Figure:
    """A figure; `curves` are by machine."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    cases = [case for of_machine in curves.values() for case in of_machine]
    figure = Figure(figsize=(6.4, 4.4), dpi=120, layout="constrained")
    axes = figure.subplots()
    scales = sorted({case.n_ranks for case in cases})
    for index, (name, of_machine) in enumerate(curves.items()):
        ordered = sorted(of_machine, key=lambda case: case.n_ranks)
        aside = (index + 0.5) / len(curves) * _SPREAD - _SPREAD / 2
        at = [scales.index(case.n_ranks) + aside for case in ordered]
        colour, marker = SERIES_COLOURS[index % len(SERIES_COLOURS)], _MARKERS[index % len(_MARKERS)]
        axes.errorbar(
            at,
            [case.gain.expected for case in ordered],
            yerr=[
                [case.gain.expected - case.gain.low for case in ordered],
                [case.gain.high - case.gain.expected for case in ordered],
            ],
            color=colour,
            marker=marker,
            capsize=3,
            label=name,
        )
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.set_xticks(range(len(scales)), [str(n) for n in scales])
    axes.set_xlabel("ranks")
    axes.set_ylabel("predicted gain (1 - t_best / t_default)")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_title(", ".join(dict.fromkeys(case.input for case in cases)), parse_math=False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    return figure
