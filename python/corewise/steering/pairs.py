"""The files between a steered job and a solver outside of it: bytes of pairs, and wanted cores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

PAIRS_FIRST_LINE = "corewise-steer-pairs 1"
TARGETS_FIRST_LINE = "corewise-steer-targets 1"
PAIRS_ENDING, TARGETS_ENDING = ".pairs", ".targets"

_RANK = re.compile(r"rank id=(\d+) core=(\d+)")
_PEER = re.compile(r"peer rank=(\d+) peer=(\d+) bytes=(\d+)")


@dataclass(frozen=True)
class Pairs:
    """`core_of` [world rank] is the logical core on the node; `sent_bytes` [rank, peer] are total bytes."""

    core_of: dict[int, int] = field(default_factory=dict)
    sent_bytes: dict[tuple[int, int], int] = field(default_factory=dict)


def pairs_of(text: str) -> Pairs | None:
    """The contents of a file of pairs; None if it is no such file."""
    first, *lines = text.splitlines() or [""]
    if first != PAIRS_FIRST_LINE:
        return None
    pairs = Pairs()
    for line in lines:
        if rank := _RANK.fullmatch(line):
            pairs.core_of[int(rank[1])] = int(rank[2])
        elif peer := _PEER.fullmatch(line):
            pairs.sent_bytes[int(peer[1]), int(peer[2])] = int(peer[3])
        else:
            return None
    return pairs


def targets_text(core_of: Mapping[int, int]) -> str:
    """The text of a file of targets; `core_of` [world rank] is the wanted core."""
    lines = [f"target rank={rank} core={core}" for rank, core in sorted(core_of.items())]
    return "\n".join([TARGETS_FIRST_LINE, *lines]) + "\n"
