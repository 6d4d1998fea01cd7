"""Svg: a picture as text, which notebooks show."""

from __future__ import annotations


class Svg(str):
    """A picture as SVG text, which notebooks show."""

    def _repr_svg_(self) -> str:
        return self
