"""Interruptions: SIGTERM and SIGHUP end a command as Ctrl-C does; none disturbs what must be finished."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENDS = (signal.SIGTERM, signal.SIGHUP)


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP: the end of a job's time or of a session, not somebody who changed their mind."""


@contextmanager
def termination_raises() -> Iterator[None]:
    """SIGTERM and SIGHUP raise Terminated, except where ignored (nohup) or handled already."""

    def interrupt(signum, frame):
        raise Terminated

    with _handled_by(interrupt, [number for number in ENDS if signal.getsignal(number) == signal.SIG_DFL]):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP are ignored."""
    with _handled_by(signal.SIG_IGN, [signal.SIGINT, *ENDS]):
        yield


@contextmanager
def _handled_by(handler: Callable | signal.Handlers, numbers: list[signal.Signals]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
