"""Starting a command and making sure that all of it ends: the launcher, its daemons and the ranks."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from corewise.errors import InputError, MissingError

# A launcher that is told to end gets this long to end its ranks; what is left then gets as long again.
GRACE_S = 5.0
TIMED_OUT = 124  # exit code of a command that was ended because its time was up, as timeout(1) has it
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def run_command(
    argv: list[str],
    stdout: IO | int | None = None,
    stderr: IO | int | None = None,
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, float]:
    """Runs a command to its end; returns its exit code and its wall-clock time, s.

    `environment` takes the place of ours.
    The exit code is 128 + signal when it was killed, TIMED_OUT when its time was up. However this function is
    left, by Ctrl-C and SIGTERM too, no process of the command is left on this host. Raises MissingError or
    InputError for a program that can't be started.
    """
    others = {pid for pid, parent in _living().items() if parent == os.getpid()}
    with _adopting_orphans(), _termination_raises():
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                argv, stdout=stdout, stderr=stderr, env=environment, start_new_session=True
            )
        except FileNotFoundError as error:
            raise MissingError(f"'{argv[0]}' was not found") from error
        except OSError as error:
            raise InputError(f"'{argv[0]}' could not be started ({error.strerror})") from error
        try:
            code = child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            code = TIMED_OUT
        finally:
            wall_s = time.perf_counter() - start
            _end_all(child, others)
    return (code if code >= 0 else 128 - code), wall_s


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """Orphans of the command become our children instead of init's, so that they can be found and ended."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0)


@contextmanager
def _termination_raises() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run like Ctrl-C does, by way of KeyboardInterrupt."""

    def interrupt(signum, frame):
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_all(child: subprocess.Popen, others: set[int]) -> None:
    """Asks the launcher first, which knows its remote ranks too; then ends whatever it left on this host.

    A second Ctrl-C doesn't cut this short: it takes at most three times GRACE_S.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        if child.poll() is None:
            child.terminate()
            _wait_while(lambda: child.poll() is None)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in _left(others):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            _wait_while(lambda: bool(_left(others)))
        child.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def _wait_while(still: Callable[[], bool]) -> None:
    deadline = time.monotonic() + GRACE_S
    while still() and time.monotonic() < deadline:
        time.sleep(0.02)


def _left(others: set[int]) -> list[int]:
    """Living processes of the command: new children of ours and all that descend from them."""
    parent_of = _living()
    found = [pid for pid, parent in parent_of.items() if parent == os.getpid() and pid not in others]
    for ancestor in found:  # grows while it is walked
        found += [pid for pid, parent in parent_of.items() if parent == ancestor]
    return found


def _living() -> dict[int, int]:
    """Parent of every process that still runs (proc(5), /proc/PID/stat)."""
    parent_of = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state not in ("Z", "X"):
                parent_of[int(path.parent.name)] = int(parent)
    return parent_of
