"""Predicted and measured gains with their intervals, one row for each result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from corewise.nouns.gain import Gain
from corewise.plots.style import COLOURS
from corewise.text.quantities import percent_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
