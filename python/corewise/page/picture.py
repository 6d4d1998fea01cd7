"""Pictures inside a page: each is an element that loads nothing."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture(draw: Callable[[], Figure], description: str) -> Markup:
    """The figure that `draw` returns; `description` is for screen readers."""
    from corewise.plots.drawing import svg_of

    return embedded("svg+xml", svg_of(draw).encode(), description)


def embedded(kind: str, content: bytes, description: str) -> Markup:
    """An image file of that kind, such as "png"."""
    data = base64.b64encode(content).decode()
    return Markup('<img class="figure" alt="{}" src="data:image/{};base64,{}">').format(
        description, kind, data
    )
