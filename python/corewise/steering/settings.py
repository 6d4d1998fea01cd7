"""The settings of steering, as the library in the job has them (preload/steer/settings.def)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace

from corewise.errors import InputError, did_you_mean
from corewise.execute.programs import native
from corewise.steering.replay import PROGRAM
from corewise.steering.targets import TARGETS_NS

# What a steered run sets other than the library's default.
CHOSEN = {"targets_ns": TARGETS_NS}

# Settings that a run makes itself.
_OF_A_RUN = {
    "node": "each node has its own number",
    "dry_run": "`--dry-run` sets it",
    "async_progress": "`--async-progress` sets it",
}


@dataclass(frozen=True)
class Setting:
    """A whole number from `least` to `most`, in `unit`; `default` is what a steered run has without it."""

    name: str
    default: int
    least: int
    most: int
    unit: str
    meaning: str
    source: str


def steer_settings() -> dict[str, Setting]:
    """By name, those that a user may set, in the order of a log."""
    done = subprocess.run([native(PROGRAM), "--settings"], capture_output=True, check=True)
    rows = [Setting(**row) for row in json.loads(done.stdout)]
    return {
        row.name: replace(row, default=CHOSEN.get(row.name, row.default))
        for row in rows
        if row.name not in _OF_A_RUN
    }


def checked_settings(given: Mapping[str, int | str]) -> dict[str, int]:
    """The values as numbers; raises InputError for what is no setting or no value of its setting."""
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
    except ValueError:
        number = None
    if number is None or not setting.least <= number <= setting.most:
        raise InputError(
            f"{name}: found '{value}'; expected a whole number from {setting.least} to {setting.most} "
            f"({setting.unit})"
        )
    return number
