"""Recorded numbers for claims from earlier runs of `corewise study NAME`, with time and place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from corewise.plugin.documents import read_toml

from corewise_laboratory.studies.claim_list import papers_file


@dataclass(frozen=True)
class Recorded:
    """`ours` is our number, and `conditions` are time and place of the runs."""

    ours: Any
    conditions: str


@cache
def _records() -> dict[str, Recorded]:
    found: dict[str, Recorded] = {}
    for group in read_toml(papers_file("recorded.toml"), "recorded numbers").tables("runs"):
        numbers = group.table("ours").values
        found |= {name: Recorded(ours, group.get("conditions", str)) for name, ours in numbers.items()}
    return found


def recorded(claim: str) -> Recorded | None:
    """The recorded number of a claim, by its ID or our own sentence; None without one."""
    return _records().get(claim)
