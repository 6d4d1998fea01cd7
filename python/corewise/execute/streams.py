"""Standard streams of a command, and the relays that move their bytes for as long as it runs."""

from __future__ import annotations

import math
import select
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any, Protocol


class Relay(Protocol):
    """Moves bytes between two descriptors, a chunk at a time."""

    def waits_for(self) -> tuple[int, int] | None:
        """The descriptor and its poll(2) event without which nothing can move; None once all has moved."""

    def move(self) -> None:
        """Moves what it can without waiting; called when the event is there."""


@dataclass(frozen=True)
class Streams:
    """What a command gets as its standard streams; None is ours.

    `relays` work while the command runs: in the same thread, so that what they raise ends the command.
    """

    stdin: IO[Any] | int | None = None
    stdout: IO[Any] | int | None = None
    stderr: IO[Any] | int | None = None
    relays: tuple[Relay, ...] = ()


def relay(relays: Iterable[Relay], timeout_s: float | None, until: int | None = None) -> None:
    """Waits at most `timeout_s` until bytes can move or the descriptor `until` is readable; moves them."""
    poll = select.poll()
    waiting = {}
    for each in relays:
        if event := each.waits_for():
            poll.register(*event)
            waiting[event[0]] = each
    if until is not None:
        poll.register(until, select.POLLIN)
    for descriptor, _ in poll.poll(None if timeout_s is None else math.ceil(timeout_s * 1000)):
        if descriptor in waiting:
            waiting[descriptor].move()
