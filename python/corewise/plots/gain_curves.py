"""Gains with intervals: over the number of ranks, a curve for each machine, or a row for each program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.nouns.advice import Gain
from corewise.plots.style import COLOURS, SERIES_COLOURS
from corewise.text.quantities import percent_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.nouns.comparison import MachineAdvice


_MARKERS = "osD^vP*X"
_SPREAD = 0.3  # of the distance between ticks: shifts curves so that intervals don't overlap


def gain_curves(curves: Mapping[str, Sequence[MachineAdvice]]) -> Figure:
    """A figure; `curves` are by machine."""
    from matplotlib.ticker import PercentFormatter

    from corewise.plots.drawing import Drawing

    cases = [case for of_machine in curves.values() for case in of_machine]
    figure = Drawing(figsize=(6.4, 4.4), dpi=120, layout="constrained")
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


WIDTH, ROW_HEIGHT, AXIS_HEIGHT = 7.0, 0.24, 0.6  # inches
SERIES = {"predicted": "default", "measured": "best"}  # whose colours each kind has


def gain_rows(rows: Mapping[str, Mapping[str, Gain]]) -> Figure:
    """A dot is the expected gain, a bar its interval.

    `rows` maps a result's name to its gains, by "predicted" and "measured".
    """
    from matplotlib.ticker import PercentFormatter

    from corewise.plots.drawing import drawing

    n_rows = sum(len(of_row) + 1.4 for of_row in rows.values())
    figure, axes = drawing(WIDTH, ROW_HEIGHT * n_rows + AXIS_HEIGHT)
    at = 0.0
    for name, of_row in rows.items():
        axes.text(0, at, name, transform=axes.get_yaxis_transform(), va="center", parse_math=False)
        for kind, gain in of_row.items():
            at += 1
            colour = COLOURS[SERIES[kind]]
            axes.barh(at, gain.high - gain.low, left=gain.low, height=0.4, color=colour, alpha=0.3)
            axes.plot(gain.expected, at, "o", color=colour)
            words = axes.text(
                1.02, at, f"{percent_text(gain.expected)} {kind}", va="center", fontsize="small"
            )
            words.set_transform(axes.get_yaxis_transform())
        at += 1.4
    axes.axvline(0, color=COLOURS["quiet"], lw=1)
    axes.set(ylim=(at - 0.6, -0.6), yticks=[])
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("gain = 1 − t best / t default", loc="right")
    return figure
