"""LaunchPlan: a command ready to start, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LaunchPlan:
    """A command ready to start: plain data, printing it is `--dry-run`.

    `env` holds only what is added to the caller's environment; `files` maps a path to the text to write
    there.
    """

    argv: list[str]
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
