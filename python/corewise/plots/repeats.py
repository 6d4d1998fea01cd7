"""Repeated measurements as dots in SVG, with median and interval, one row for each placement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from corewise.nouns.run import RunKey, key_names
from corewise.plots.svg import element, figure, round_steps, text
from corewise.statistics import median_interval

WIDTH, LABEL_WIDTH, MARGIN = 460, 90, 24
ROW_HEIGHT, AXIS_HEIGHT = 46, 34


def repeats_svg(samples_s: Mapping[RunKey, Sequence[float]], width: int = WIDTH) -> str:
    """A dot plot of times in s, a row for each key; `samples_s` maps a key to its repeats in order.

    Keys without repeats are left out. Rows show their source if sources differ. The axis starts at the
    smallest time, not at 0, because the figure is about spread. Repeats go from top to bottom in their row,
    so that a drift is visible as a slope.
    """
    rows = {key: values for key, values in samples_s.items() if values}
    times = [value for values in rows.values() for value in values]
    if not times:
        return ""
    low, high = min(times), max(times)
    slack = (high - low) * 0.05 or high * 0.01
    low, high = low - slack, high + slack

    def x(value: float) -> float:
        return LABEL_WIDTH + (width - LABEL_WIDTH - MARGIN) * (value - low) / (high - low)

    height = ROW_HEIGHT * len(rows) + AXIS_HEIGHT
    shapes = _axis(x, low, high, width, height)
    with_source = len({key.source for key in rows}) > 1
    for index, (key, values) in enumerate(rows.items()):
        shapes += _row(x, index * ROW_HEIGHT, key, values)
        if with_source:
            shapes.append(_source(index * ROW_HEIGHT, key))
    names = key_names(rows)
    counts = ", ".join(f"{names[key]} {len(values)}" for key, values in rows.items())
    return figure(width, height, f"Run times in seconds, one dot a repeat ({counts})", *shapes)


def _axis(x: Callable[[float], float], low: float, high: float, width: float, height: float) -> list[str]:
    bottom = height - AXIS_HEIGHT
    shapes = []
    steps = round_steps(low, high, 6 if width >= WIDTH else 4)
    decimals = _decimals(steps)
    for value in steps:
        shapes.append(element("line", x1=x(value), x2=x(value), y1=4, y2=bottom, class_="grid"))
        shapes.append(
            text(x(value), bottom + 14, f"{value:.{decimals}f}", class_="tick", text_anchor="middle")
        )
    shapes.append(text(width - MARGIN, bottom + 29, "time (s)", class_="tick", text_anchor="end"))
    return shapes


def _decimals(steps: list[float]) -> int:
    step = steps[1] - steps[0] if len(steps) > 1 else abs(steps[0]) / 10 or 1.0
    decimals = 0
    while decimals < 9 and step * 10**decimals < 0.999:
        decimals += 1
    return decimals


def _row(x: Callable[[float], float], top: float, key: RunKey, values: Sequence[float]) -> list[str]:
    middle = top + ROW_HEIGHT / 2
    interval = median_interval(values)
    inside = [
        element("rect", x=x(interval.low), y=middle - 15, width=x(interval.high) - x(interval.low), height=30,
                class_="interval"),
        element("line", x1=x(interval.expected), x2=x(interval.expected), y1=middle - 17, y2=middle + 17,
                class_="median"),
    ]  # fmt: skip
    for index, value in enumerate(values):
        y = middle - 12 + 24 * (index + 0.5) / len(values)
        inside.append(element("circle", element("title", f"{value:.4g} s"), cx=x(value), cy=y, r=3.5))
    return [
        text(LABEL_WIDTH - 12, middle + 4, key.label, text_anchor="end", class_="name"),
        element("g", *inside, class_=f"series series-{key.label}"),
    ]


def _source(top: float, key: RunKey) -> str:
    return text(LABEL_WIDTH - 12, top + ROW_HEIGHT / 2 + 18, key.source, text_anchor="end", class_="tick")
