"""What a steering log comes to: decisions with evidence and outcome, as corewise-steer-replay prints them."""

from __future__ import annotations

from typing import TypedDict


class Decision(TypedDict):
    """One decision, `time_s` after the job's start.

    `swap` is its number, and `undoes` that of the swap that an undo takes back, else 0.
    """

    time_s: float
    metric: str
    confidence: float
    action: str
    ranks: list[int]
    swap: int
    undoes: int
    because: str
    outcome: str


class WaitTime(TypedDict):
    """What the ranks waited of all their time, s."""

    wait_s: float
    all_s: float


class Difference(TypedDict):
    """The first interval whose recorded decisions did not come out again."""

    interval: int
    recorded: str
    again: str


class _Optional(TypedDict, total=False):
    advice: str | None  # on what no swap mends (steering/advice.py)


class Story(_Optional):
    """A log of one node: `intervals` of them from `first_interval` on, of which `compared` have decisions.

    `wait_before` and `wait_after` are parts of the ranks' time before the first swap and after the last, made
    of `time_before` and `time_after`; None where there is none.
    """

    node: int
    first_interval: int
    intervals: int
    compared: int
    decisions: list[Decision]
    swaps: int
    rollbacks: int
    own_messages: int
    own_bytes: int
    wait_before: float | None
    wait_after: float | None
    time_before: WaitTime
    time_after: WaitTime | None
    settings: dict[str, int]
    differs: Difference | None
