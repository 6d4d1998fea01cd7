"""Grouped horizontal bars as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corewise.plots.svg import element, figure, text

WIDTH, LABEL_WIDTH, VALUE_WIDTH = 460, 90, 80
BAR_HEIGHT, TITLE_HEIGHT, GAP = 16, 22, 12


def grouped_bars_svg(
    groups: Mapping[str, Mapping[str, float]],
    value_text: Callable[[float], str],
    description: str,
    width: int = WIDTH,
) -> str:
    """An SVG; `groups` maps a title to its bars, label -> value (0 or more). All share a scale from 0."""
    longest = max((value for bars in groups.values() for value in bars.values()), default=0) or 1
    room = width - LABEL_WIDTH - VALUE_WIDTH
    shapes, top = [], 0.0
    for title, bars in groups.items():
        shapes.append(text(0, top + 15, title, class_="name"))
        top += TITLE_HEIGHT
        for label, value in bars.items():
            shapes += _bar(top, label, room * value / longest, value_text(value))
            top += BAR_HEIGHT + 3
        top += GAP
    return figure(width, top, description, *shapes)


def _bar(top: float, label: str, length: float, value: str) -> list[str]:
    baseline = top + BAR_HEIGHT - 4
    bar = element("rect", x=LABEL_WIDTH, y=top, width=max(length, 1), height=BAR_HEIGHT, rx=2)
    return [
        text(LABEL_WIDTH - 12, baseline, label, class_="tick", text_anchor="end"),
        element("g", bar, class_=f"series series-{label}"),
        text(LABEL_WIDTH + length + 8, baseline, value, class_="tick"),
    ]
