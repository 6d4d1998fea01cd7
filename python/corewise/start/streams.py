"""Standard streams of a command, and relays that copy their bytes while it runs."""

from __future__ import annotations

import math
import select
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any, Protocol


class Relay(Protocol):
    """Copies bytes between two descriptors in chunks."""

    def waits_for(self) -> tuple[int, int] | None:
        """The descriptor and poll(2) event to wait for; None when everything has been copied."""

    def move(self) -> None:
        """Copies what it can without blocking; called after the event."""


@dataclass(frozen=True)
class Streams:
    """The standard streams of a command; None means ours.

    `relays` run while the command runs, in the same thread, so that their errors end the command.
    """

    stdin: IO[Any] | int | None = None
    stdout: IO[Any] | int | None = None
    stderr: IO[Any] | int | None = None
    relays: tuple[Relay, ...] = ()


def relay(relays: Iterable[Relay], timeout_s: float | None, until: int | None = None) -> None:
    """Waits until a relay can copy or `until` is readable, at most `timeout_s`; then copies."""
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
