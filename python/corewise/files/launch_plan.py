"""LaunchPlan: a command ready to start, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LaunchPlan:
    """A command ready to start: plain data, printing it is `--dry-run`.

    `env` holds only what is added to the caller's environment; `files` maps a path to the text to write
    there. `notes` are sentences: what the launcher's own syntax can't say, and what does it instead.
    """

    argv: list[str]
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
