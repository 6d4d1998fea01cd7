"""Starting a command and making sure that all of it ends: the launcher, its daemons and the ranks."""

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
from corewise.execute.in_use import inherited_locks
from corewise.execute.streams import Streams, relay
from corewise.interrupts import passing_on, stopping_with_us, termination_raises, undisturbed

# A launcher that got SIGTERM gets this long to end its ranks; what is left then gets as long again.
GRACE_S = 5.0
TIMED_OUT = 124  # exit code of a command that was ended because its time was up, as timeout(1) has it
_LOOK_S = 0.02  # between checks of processes that say nothing when they end
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def run_command(
    argv: list[str],
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, float]:
    """Runs a command to its end; returns its exit code and its wall-clock time, s.

    `environment` takes the place of ours. The command holds the locks of folders in use (in_use.py) with us.
    The exit code is 128 + signal when it was killed, TIMED_OUT when its time was up. However this function is
    left, by Ctrl-C and SIGTERM too, no process of the command is left on this host. SIGUSR1 and SIGUSR2 go to
    the command, and Ctrl-Z stops it with us. Raises MissingError or InputError for a program that can't be
    started, and what a relay of the streams raises.
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
        with inherited_locks():
            return subprocess.Popen(
                argv,
                stdin=streams.stdin,
                stdout=streams.stdout,
                stderr=streams.stderr,
                env=environment,
                start_new_session=True,
                close_fds=False,  # the program may want those that a shell has opened for it
            )
    except FileNotFoundError as error:
        raise MissingError(f"'{argv[0]}' was not found") from error
    except OSError as error:
        raise InputError(f"'{argv[0]}' could not be started ({error.strerror})") from error


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """Orphans of the command become our children instead of init's, so that they can be found and ended."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0)


def _wait(child: subprocess.Popen[Any], streams: Streams, timeout_s: float | None) -> int:
    """The child's exit code, TIMED_OUT where it has not ended in time; the relays work meanwhile."""
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
    """A descriptor that is readable once the child has ended; None before Linux 5.3 (pidfd_open(2))."""
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
    """Asks the launcher first, which knows its remote ranks too; then ends whatever it left on this host.

    At most three times GRACE_S. `child` is None if its start was interrupted.
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
    """Takes the exit codes of adopted orphans: a PID namespace can't end before all of its processes have."""
    for pid, (parent, _) in _processes().items():
        if parent == os.getpid() and pid not in others:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _relay_while(still: Callable[[], bool], streams: Streams) -> None:
    """Waits for the end of processes, which they may not reach while nobody reads what they print."""
    deadline, relays = time.monotonic() + GRACE_S, streams.relays
    while still() and time.monotonic() < deadline:
        try:
            relay(relays, _LOOK_S)
        except (CorewiseError, OSError):  # what made us end the command is known: ending it comes first
            relays = ()


def _left(others: set[int]) -> list[int]:
    """Living processes of the command: new children of ours and all that descend from them."""
    parent_of = _living()
    found = [pid for pid, parent in parent_of.items() if parent == os.getpid() and pid not in others]
    for ancestor in found:  # grows while it is walked
        found += [pid for pid, parent in parent_of.items() if parent == ancestor]
    return found


def _living() -> dict[int, int]:
    """Parent of every process that still runs."""
    return {pid: parent for pid, (parent, state) in _processes().items() if state not in (b"Z", b"X")}


def _processes() -> dict[int, tuple[int, bytes]]:
    """Parent and state of every process (proc(5), /proc/PID/stat, which holds a name of any bytes)."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_bytes().rpartition(b")")[2].split()[:2]
            found[int(path.parent.name)] = (int(parent), state)
    return found
