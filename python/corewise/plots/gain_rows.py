"""Predicted and measured gains with their intervals as SVG, one row for each result."""

from __future__ import annotations

from collections.abc import Mapping

from corewise.nouns.gain import Gain
from corewise.plots.svg import element, figure, round_steps, text
from corewise.text.quantities import percent_text

WIDTH, MARGIN, VALUE_WIDTH = 640, 24, 130
ROW_HEIGHT, GAIN_HEIGHT, AXIS_HEIGHT = 18, 20, 34
SERIES = {"predicted": "default", "measured": "best"}  # whose colours each kind has


def gain_rows_svg(rows: Mapping[str, Mapping[str, Gain]], width: int = WIDTH) -> str:
    """An SVG in which a dot is the expected gain and a bar is its interval; empty without any gain.

    `rows` maps a result's name to its gains, by "predicted" and "measured".
    """
    gains = [gain for of_row in rows.values() for gain in of_row.values()]
    if not gains:
        return ""
    low, high = min(0.0, *(gain.low for gain in gains)), max(0.0, *(gain.high for gain in gains))
    slack = (high - low) * 0.04 or 0.01
    low, high = low - slack, high + slack
    scale = (width - MARGIN - VALUE_WIDTH) / (high - low)

    def x(value: float) -> float:
        return MARGIN + (value - low) * scale

    shapes: list[str] = []
    steps = round_steps(low, high, 7 if width >= WIDTH else 4)
    top = 0.0
    for name, of_row in rows.items():
        shapes.append(text(0, top + 13, name, class_="name"))
        top += ROW_HEIGHT
        bottom = top + GAIN_HEIGHT * len(of_row)
        for at, css_class in [*((step, "grid") for step in steps), (0.0, "zero")]:
            shapes.append(element("line", x1=x(at), x2=x(at), y1=top, y2=bottom, class_=css_class))
        for kind, gain in of_row.items():
            ends = [x(value) for value in (gain.low, gain.expected, gain.high)]
            shapes += _gain(kind, gain, ends, top + GAIN_HEIGHT / 2, width - VALUE_WIDTH + 12)
            top += GAIN_HEIGHT
        top += 8
    shapes += [text(x(at), top + 14, f"{at * 100:g} %", class_="tick", text_anchor="middle") for at in steps]
    end = {"class_": "tick", "text_anchor": "end"}
    shapes.append(text(x(high), top + 29, "gain = 1 − t best / t default", **end))
    height = top + AXIS_HEIGHT
    return figure(width, height, f"Gains of {len(rows)} results with their intervals", *shapes)


def _gain(kind: str, gain: Gain, ends: list[float], y: float, label_x: float) -> list[str]:
    """Dot, bar and text of a gain; `ends` are the x of its lower bound, expected value and upper bound."""
    low, expected, high = ends
    bar = element("rect", x=low, y=y - 4, width=max(high - low, 1), height=8, class_="interval")
    dot = element("circle", element("title", gain.text()), cx=expected, cy=y, r=4)
    return [
        element("g", bar, dot, class_=f"series series-{SERIES[kind]}"),
        text(label_x, y + 4, f"{percent_text(gain.expected)} {kind}", class_="tick"),
    ]
