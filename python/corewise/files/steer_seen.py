"""What a steering log tells of each rank in each interval, as corewise-steer-replay prints it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SeenRank:
    """One rank in an interval; times in s, `core` logical on its node."""

    rank: int
    node: int
    core: int
    compute_s: float
    wait_s: float
    transfer_s: float
    unsent_compute_s: float


@dataclass(frozen=True)
class SeenInterval:
    """An interval: its end, since the job's start, and its length, s; `packets` worked on, by core."""

    time_s: float
    length_s: float
    ranks: list[SeenRank]
    packets: dict[int, int]
