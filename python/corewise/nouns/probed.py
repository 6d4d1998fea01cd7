"""Probed: what `corewise probe` measured of every level of a machine."""

from __future__ import annotations

from typing import ClassVar

from corewise.nouns.codec import Index, Noun, Seconds
from corewise.nouns.machine import Figures


class ProbedLevel(Figures, frozen=True, kw_only=True):
    """A level's figures; `groups` are the pairs of cores, grouped if they differ for certain, fastest first.

    `duplex` and `shares_bus` are derived from the loads, None if they are inconclusive.
    """

    name: str
    duplex: bool | None
    shares_bus: bool | None
    n_pairs: Index
    groups: list[list[tuple[Index, Index]]]


class Probed(Noun, frozen=True, kw_only=True):
    """What was measured, and how; `notes` are sentences on the findings, `file` is the machine file."""

    FORMAT: ClassVar[str] = "corewise-probe"
    WRITTEN_BY: ClassVar[str] = "corewise probe --json"

    machine: str
    fingerprint: str
    command: list[str]
    date: str
    conditions: dict[str, str]
    n_ranks: Index
    n_passes: Index
    verified: bool | None
    wall_s: Seconds | None
    levels: list[ProbedLevel]
    notes: list[str]
    file: str | None
