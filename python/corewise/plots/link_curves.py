"""Time and bandwidth of one message by its size, a line for each level, as in the HPL paper's Figure 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.plots.style import SERIES_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Point = tuple[int, float, float, float]  # size_bytes, time_s, low_s, high_s: a row of LinkFigures.curve

_MARKERS = "osD^vP*X"


def link_curves(curves: Mapping[str, Sequence[Point]], title: str) -> Figure:
    """A figure of two panels over the message size: time above, bandwidth (size over time) below.

    `curves` are by level. Bands are the bounds. All axes are logarithmic.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator

    from corewise.plots.drawing import Drawing
    from corewise.text.quantities import bytes_text, rate_text, seconds_text

    figure = Drawing(figsize=(6.4, 7.2), dpi=120, layout="constrained")
    times, rates = figure.subplots(2, 1, sharex=True)
    for index, (name, points) in enumerate(curves.items()):
        style = {"color": SERIES_COLOURS[index % len(SERIES_COLOURS)]}
        line = style | {"marker": _MARKERS[index % len(_MARKERS)], "markersize": 4, "label": name}
        sizes = [size for size, *_ in points]
        times.plot(sizes, [time for _, time, _, _ in points], **line)
        times.fill_between(
            sizes, [low for _, _, low, _ in points], [high for *_, high in points], alpha=0.2, **style
        )
        rates.plot(sizes, [size / time for size, time, _, _ in points], **line)
        rates.fill_between(
            sizes,
            [size / high for size, _, _, high in points],
            [size / low for size, _, low, _ in points],
            alpha=0.2,
            **style,
        )
    for axes, label, text in ((times, "time of one message", seconds_text), (rates, "bandwidth", rate_text)):
        axes.set(xscale="log", yscale="log", ylabel=label)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _, text=text: text(value)))
        axes.grid(alpha=0.3)
    rates.set_xscale("log", base=2)
    rates.set_xlabel("message size")
    rates.xaxis.set_major_locator(LogLocator(base=16))  # 1 B, 16 B, ..., 1 MiB
    rates.xaxis.set_major_formatter(FuncFormatter(lambda value, _: bytes_text(value)))
    times.set_title(title, parse_math=False)
    if curves:
        times.legend(frameon=False)
    return figure
