"""Section: figures as pictures inside the page."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

TITLE = "Figures"


@dataclass(frozen=True)
class Context:
    """PNG files by name, in base64."""

    pictures: dict[str, str]


def context(pngs: Mapping[str, bytes]) -> Context | None:
    """The pictures; `pngs` maps a file's name to its content. None if there are no pictures."""
    if not pngs:
        return None
    return Context({name: base64.b64encode(png).decode() for name, png in pngs.items()})
