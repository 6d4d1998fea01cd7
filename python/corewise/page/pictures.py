"""Section: figures as pictures inside the page."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

TITLE = "Figures"


def context(pngs: Mapping[str, bytes]) -> dict[str, Any] | None:
    """`pngs` maps a file's name to its content; None where there is none."""
    if not pngs:
        return None
    return {"pictures": {name: base64.b64encode(png).decode() for name, png in pngs.items()}}
