"""Bar charts with intervals as a PNG file: a panel per workload, groups of bars, a colour per series."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corewise.plugin.figures import SERIES_COLOURS
from corewise.statistics import Interval

from corewise_laboratory.plots import png

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# [panel][group][series], None if nothing could be measured.
Panels = Mapping[str, Mapping[str, Mapping[str, Interval | None]]]

_PANELS_A_ROW = 3
_GROUP_WIDTH = 0.8  # relative to the distance between two groups


def interval_bars_png(panels: Panels, value_label: str, title: str) -> bytes:
    """A PNG file; each panel has its own scale, which contains 0.

    `value_label` is quantity and unit. A cross on the axis marks a bar without a measurement.
    """
    from matplotlib.figure import Figure

    columns = min(_PANELS_A_ROW, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(max(6.0, 4.2 * columns), 0.9 + 2.9 * rows), dpi=120, layout="constrained")
    series = list(dict.fromkeys(s for groups in panels.values() for bars in groups.values() for s in bars))
    for at, (name, groups) in enumerate(panels.items()):
        axes = figure.add_subplot(rows, columns, at + 1)
        _draw_panel(axes, groups, series)
        axes.set_title(name, parse_math=False, fontsize=10)
        if at % columns == 0:
            axes.set_ylabel(value_label, parse_math=False)
    figure.suptitle(title, parse_math=False)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if len(series) > 1:
        figure.legend(handles, labels, loc="outside lower center", ncols=min(6, len(series)), frameon=False)
    return png(figure)


def _draw_panel(axes: Axes, groups: Mapping[str, Mapping[str, Interval | None]], series: list[str]) -> None:
    width = _GROUP_WIDTH / len(series)
    for index, name in enumerate(series):
        offset = (index + 0.5) * width - _GROUP_WIDTH / 2
        found = {at: bars[name] for at, bars in enumerate(groups.values()) if name in bars}
        measured = {at: interval for at, interval in found.items() if interval is not None}
        colour = SERIES_COLOURS[index % len(SERIES_COLOURS)]
        axes.bar(
            [at + offset for at in measured],
            [interval.expected for interval in measured.values()],
            width * 0.9,
            yerr=[
                [interval.expected - interval.low for interval in measured.values()],
                [interval.high - interval.expected for interval in measured.values()],
            ],
            color=colour,
            ecolor="0.25",
            capsize=2,
            label=name,
        )
        for at in found.keys() - measured.keys():
            axes.plot([at + offset], [0], "x", color=colour, clip_on=False)
    axes.set_xticks(range(len(groups)), groups, parse_math=False)
    axes.tick_params(axis="x", length=0)
    ends = [end for bars in groups.values() for i in bars.values() if i for end in (i.low, i.high)]
    axes.set_ylim(bottom=min([0.0, *ends]), top=None if any(ends) else 1.0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
