"""Signals: SIGTERM and SIGHUP end a command as Ctrl-C does, others reach the program; some have to wait.

Only the main thread handles signals. In other threads, as in a program that imports corewise, nothing
changes.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ENDS = (signal.SIGTERM, signal.SIGHUP)
PASSED_ON = (signal.SIGUSR1, signal.SIGUSR2)


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP: the end of a job's time or of a session, not somebody who changed their mind."""


@contextmanager
def termination_raises() -> Iterator[None]:
    """SIGTERM and SIGHUP raise Terminated, except where ignored (nohup) or handled already."""

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        raise Terminated

    with _handled_by(interrupt, [number for number in ENDS if signal.getsignal(number) == signal.SIG_DFL]):
        yield


@contextmanager
def passing_on(send: Callable[[int], None]) -> Iterator[None]:
    """SIGUSR1 and SIGUSR2 go to `send` instead of ending us, except where ignored or handled already.

    Launchers give them to the ranks, which write a checkpoint, for example.
    """

    def pass_on(signum: int, _frame: FrameType | None) -> None:
        send(signum)

    with _handled_by(pass_on, [number for number in PASSED_ON if signal.getsignal(number) == signal.SIG_DFL]):
        yield


@contextmanager
def stopping_with_us(send: Callable[[int], None]) -> Iterator[None]:
    """Ctrl-Z stops what `send` sends to before it stops us, and `fg` or `bg` lets both continue.

    Not SIGTSTP: the kernel ignores it in a session without a terminal, and Open MPI 5's mpirun, which has a
    handler, does not let all ranks continue.
    """

    def stop(_signum: int, _frame: FrameType | None) -> None:
        send(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        send(signal.SIGCONT)

    with _handled_by(stop, [signal.SIGTSTP] if signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL else []):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignores Ctrl-C, SIGTERM and SIGHUP inside the block."""
    with _handled_by(signal.SIG_IGN, [signal.SIGINT, *ENDS]):
        yield


@contextmanager
def postponed() -> Iterator[None]:
    """Signals whose handler may raise an exception come after the block."""
    came: list[int] = []

    def note(signum: int, _frame: FrameType | None) -> None:
        came.append(signum)

    with _handled_by(
        note, [number for number in (signal.SIGINT, *ENDS) if callable(signal.getsignal(number))]
    ):
        yield
    for signum in came:
        signal.raise_signal(signum)


def came_of_interrupt(error: BaseException) -> bool:
    """An interruption, or what Python made of it: in the set-up of a class, 3.11 raises RuntimeError."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


@contextmanager
def _handled_by(
    handler: Callable[..., Any] | signal.Handlers, numbers: list[signal.Signals]
) -> Iterator[None]:
    in_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers} if in_main else {}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
