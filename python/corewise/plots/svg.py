"""Writes SVG: elements with escaped values, axis steps, and figures with a text for screen readers.

Colours come from the page: shapes only have classes such as `series-best`, so that a figure works in light
and dark style and in print. Without the page, shapes are black.
"""

from __future__ import annotations

import math
from html import escape


def element(tag: str, *children: str, **attributes: object) -> str:
    """One element; `children` are markup, attribute values get escaped.

    An underscore in a name becomes a hyphen (`stroke_width`), a trailing one is dropped (`class_`).
    """
    pairs = [
        f' {name.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for name, value in attributes.items()
    ]
    inside = "".join(children)
    return f"<{tag}{''.join(pairs)}>{inside}</{tag}>" if inside else f"<{tag}{''.join(pairs)}/>"


def text(x: float, y: float, content: str, **attributes: object) -> str:
    """A text element with its content escaped."""
    return element("text", escape(content), x=x, y=y, **attributes)


def figure(width: float, height: float, description: str, *shapes: str) -> str:
    """A whole SVG that scales with the page; `description` is for screen readers."""
    return element(
        "svg",
        element("title", escape(description)),
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        class_="figure",
    )


def round_steps(low: float, high: float, most: int = 6) -> list[float]:
    """At most `most` multiples of 1, 2 or 5 times a power of ten that lie in [low, high]."""
    span = high - low
    if span <= 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(span / most))
    for factor in (1, 2, 5, 10, 20):
        step = factor * power
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= most:
            return [index * step for index in range(first, last + 1)]
    raise AssertionError("20 powers of ten cover any span")


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
