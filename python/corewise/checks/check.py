"""Check and Finding: one trap that bindings fall into, and where it applies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.checks.situation import Situation


@dataclass(frozen=True)
class Finding:
    """A trap that applies here, in sentences; `command` is the corrected command, where there is one."""

    found: str
    why: str
    do: str
    command: str | None = None


@dataclass(frozen=True)
class Check:
    """A row of the register: `name` stays the same for scripts, `source` says where the trap is known from.

    `look` is a pure function; it returns at most one finding for each thing that is wrong.
    """

    name: str
    sentence: str
    source: str
    look: Callable[[Situation], list[Finding]]
