"""Signal handling: SIGTERM and SIGHUP end a command like Ctrl-C; other signals are passed on to the program.

Python handles signals only in the main thread. In other threads, these functions do nothing.
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
    """SIGTERM or SIGHUP: the end of a job's time limit or of a session, in contrast to Ctrl-C by the user."""


@contextmanager
def termination_raises() -> Iterator[None]:
    """SIGTERM and SIGHUP raise Terminated, unless they are ignored (nohup) or handled already."""

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        raise Terminated

    with _handled_by(interrupt, [number for number in ENDS if signal.getsignal(number) == signal.SIG_DFL]):
        yield


@contextmanager
def passing_on(send: Callable[[int], None]) -> Iterator[None]:
    """SIGUSR1 and SIGUSR2 call `send` instead of ending us, unless they are ignored or handled already.

    Launchers pass them on to the ranks, which for example write a checkpoint.
    """

    def pass_on(signum: int, _frame: FrameType | None) -> None:
        send(signum)

    with _handled_by(pass_on, [number for number in PASSED_ON if signal.getsignal(number) == signal.SIG_DFL]):
        yield


@contextmanager
def stopping_with_us(send: Callable[[int], None]) -> Iterator[None]:
    """On Ctrl-Z, stops the processes of `send` and then this process; both continue after `fg` or `bg`.

    Sends SIGSTOP instead of SIGTSTP, because the kernel ignores SIGTSTP in a session without a terminal, and
    because mpirun of Open MPI 5, which handles it, does not continue all ranks.
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
    """Delays signals whose handlers may raise an exception until after the block."""
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
    """Whether an interruption caused the error; Python 3.11 raises RuntimeError during class creation."""
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
