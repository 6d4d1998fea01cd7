"""The settings of steering, from the library in the job (preload/steer/settings.def)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace

from corewise.errors import InputError, did_you_mean
from corewise.start.programs import native
from corewise.steering.replay import PROGRAM
from corewise.steering.targets import TARGETS_NS

# Settings for which corewise doesn't use the library's default.
CHOSEN = {"targets_ns": TARGETS_NS}

# Settings that users can't set, and why.
_OF_A_RUN = {
    "node": "each node has its own number",
    "dry_run": "`--dry-run` sets it",
    "async_progress": "`--async-progress` sets it",
}


@dataclass(frozen=True)
class Setting:
    """A setting: a whole number from `least` to `most`, in `unit`."""

    name: str
    default: int
    least: int
    most: int
    unit: str
    meaning: str
    source: str


def steer_settings() -> dict[str, Setting]:
    """The settings that users may set, by name, in the order of a log."""
    done = subprocess.run([native(PROGRAM), "--settings"], capture_output=True, check=True)
    rows = [Setting(**row) for row in json.loads(done.stdout)]
    return {
        row.name: replace(row, default=CHOSEN.get(row.name, row.default))
        for row in rows
        if row.name not in _OF_A_RUN
    }


def checked_settings(given: Mapping[str, int | str]) -> dict[str, int]:
    """The values as numbers; raises InputError for an unknown setting or a wrong value."""
    if not isinstance(given, Mapping):
        raise InputError(f"found settings={given!r:.60}; expected a dict of whole numbers by name")
    known = steer_settings() if given else {}
    return {name: _value(name, value, known) for name, value in given.items()}


def _value(name: str, value: int | str, known: Mapping[str, Setting]) -> int:
    if name in _OF_A_RUN:
        raise InputError(f"the setting '{name}' can't be set: {_OF_A_RUN[name]}")
    if name not in known:
        near = did_you_mean(name, known)
        raise InputError(f"unknown setting '{name}'{near or '; corewise steer --list-settings shows all'}")
    setting = known[name]
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = None
    if number is None or not setting.least <= number <= setting.most:
        raise InputError(
            f"{name}: found '{value}'; expected a whole number from {setting.least} to {setting.most} "
            f"({setting.unit})"
        )
    return number
