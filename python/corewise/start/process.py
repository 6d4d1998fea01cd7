"""Starts a command, and makes sure that all its processes end: launcher, daemons and ranks."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from corewise.errors import CorewiseError, InputError, MissingError
from corewise.interrupts import passing_on, stopping_with_us, termination_raises, undisturbed
from corewise.start.streams import Streams, relay

# After SIGTERM, a launcher has this time to end its ranks. Remaining processes then get the same time.
GRACE_S = 5.0
TIMED_OUT = 124  # exit code of a command that exceeded its time limit, as with timeout(1)
_LOOK_S = 0.02  # interval between checks if the end of a process can't be awaited with poll(2)
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def run_command(
    argv: list[str],
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, float]:
    """Runs a command to its end; returns its exit code and its wall-clock time, s.

    `environment` replaces ours. The command holds the locks of folders in use (in_use.py) too. The exit code
    is 128 + signal if the command was killed, and TIMED_OUT after `timeout_s`. However this function ends,
    also by Ctrl-C or SIGTERM, no process of the command is left on this host. SIGUSR1 and SIGUSR2 are passed
    on to the command, and Ctrl-Z stops it with us. Raises MissingError or InputError for a program that can't
    be started, and the errors of relays.
    """
    others = {pid for pid, parent in _living().items() if parent == os.getpid()}
    with _adopting_orphans(), termination_raises():
        child, start = None, time.perf_counter()
        try:
            child = _started(argv, streams, environment)
            with passing_on(child.send_signal), stopping_with_us(lambda number: _send(_left(others), number)):
                code = _wait(child, streams, timeout_s)
        finally:
            wall_s = time.perf_counter() - start
            with undisturbed():
                _end_all(child, others, streams)
    return (code if code >= 0 else 128 - code), wall_s


def _started(
    argv: list[str], streams: Streams, environment: Mapping[str, str] | None
) -> subprocess.Popen[Any]:
    try:
        return subprocess.Popen(
            argv,
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            env=environment,
            start_new_session=True,
            close_fds=False,  # the shell may have opened descriptors for the program
        )
    except FileNotFoundError as error:
        raise MissingError(f"'{argv[0]}' was not found") from error
    except OSError as error:
        raise InputError(f"'{argv[0]}' could not be started ({error.strerror})") from error


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """Orphans of the command become children of this process instead of init, to be found and ended."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0)


def _wait(child: subprocess.Popen[Any], streams: Streams, timeout_s: float | None) -> int:
    """The child's exit code, or TIMED_OUT. Runs the relays meanwhile."""
    deadline = math.inf if timeout_s is None else time.monotonic() + timeout_s
    with _end_of(child) as ended:
        while child.poll() is None:
            left_s = min(deadline - time.monotonic(), _LOOK_S if ended is None else math.inf)
            if left_s <= 0:
                return TIMED_OUT
            relay(streams.relays, None if left_s == math.inf else left_s, until=ended)
    return child.returncode


@contextmanager
def _end_of(child: subprocess.Popen[Any]) -> Iterator[int | None]:
    """A descriptor that becomes readable when the child ends; None before Linux 5.3 (pidfd_open(2))."""
    try:
        descriptor = os.pidfd_open(child.pid)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _end_all(child: subprocess.Popen[Any] | None, others: set[int], streams: Streams) -> None:
    """First asks the launcher to end, which also ends remote ranks; then ends the remaining local processes.

    Takes at most 3 * GRACE_S. `child` is None if its start was interrupted.
    """
    if child and child.poll() is None:
        child.terminate()
        _relay_while(lambda: child.poll() is None, streams)
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = _left(others)
        if not left:
            break
        _send(left, number)
        _relay_while(lambda: bool(_left(others)), streams)
    if child:
        child.wait()
    _reap(others)


def _send(pids: list[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _reap(others: set[int]) -> None:
    """Reaps adopted orphans, because a PID namespace can't end while one of its processes is left."""
    for pid, (parent, _) in _processes().items():
        if parent == os.getpid() and pid not in others:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _relay_while(still: Callable[[], bool], streams: Streams) -> None:
    """Waits for processes to end; keeps relaying, because a process may block until its output is read."""
    deadline, relays = time.monotonic() + GRACE_S, streams.relays
    while still() and time.monotonic() < deadline:
        try:
            relay(relays, _LOOK_S)
        except (CorewiseError, OSError):  # the command is being ended anyway: ignore further errors
            relays = ()


def _left(others: set[int]) -> list[int]:
    """Living processes of the command: new children of this process, and their descendants."""
    parent_of = _living()
    found = [pid for pid, parent in parent_of.items() if parent == os.getpid() and pid not in others]
    for ancestor in found:  # the loop appends to the list
        found += [pid for pid, parent in parent_of.items() if parent == ancestor]
    return found


def _living() -> dict[int, int]:
    """Parent of every process that is not a zombie."""
    return {pid: parent for pid, (parent, state) in _processes().items() if state not in (b"Z", b"X")}


def _processes() -> dict[int, tuple[int, bytes]]:
    """Parent and state of every process (/proc/PID/stat, proc(5)); names in it may be any bytes."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_bytes().rpartition(b")")[2].split()[:2]
            found[int(path.parent.name)] = (int(parent), state)
    return found
