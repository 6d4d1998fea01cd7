"""Checked: the traps that `corewise check` found, and the masks that it saw."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from corewise.nouns.codec import Index, Noun


class Trap(Noun, frozen=True):
    """A trap that the check `name` found. `command` is the corrected command, None if there is none."""

    name: str = field(name="id")
    found: str
    why: str
    do: str
    command: str | None
    source: str


class SeenMask(Noun, frozen=True):
    """The hardware threads (OS indices) that a rank was seen to be bound to."""

    rank: Index
    host: str
    os_pus: list[Index]


class Checked(Noun, frozen=True, kw_only=True):
    """The result of a check. `ranks` are the started ranks, empty without a command.

    `unseen` says why `ranks` is empty although the launcher did not fail, else None. `notes` are sentences on
    what could not be checked.
    """

    FORMAT: ClassVar[str] = "corewise-check"
    WRITTEN_BY: ClassVar[str] = "corewise check --json"

    findings: list[Trap]
    ranks: list[SeenMask]
    unseen: str | None
    notes: list[str]
