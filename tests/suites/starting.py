"""Starts a command with a time limit, and leaves no process of it."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

COREWISE = Path(sys.executable).with_name("corewise")
TIMED_OUT = 124  # exit code of a command whose time was up, as of timeout(1)
GRACE_S = 20.0  # corewise ends a launcher, its daemons and the ranks, each within 5 s
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)


def prepare() -> None:
    """Prepares this process for starting commands: orphans become its children, and corewise is imported.

    A command of corewise is then a fork of this process, which saves the 0.4 s of CPU time that Python takes
    to start. A suite has thousands of runs.
    """
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)  # a killed run ends what its processes started, too
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: object) -> NoReturn:
    """Ends this process at once: a worker of a pool takes SystemExit for the result of a task, and stays."""
    end_children()
    os._exit(128 + number)


def run(argv: list[str], folder: Path, environment: dict[str, str], out: IO, err: IO, limit_s: float) -> int:
    """Runs a command in `folder`. Returns its exit code, 128 + signal, or TIMED_OUT. Needs prepare()."""
    child = os.fork()
    if child == 0:
        _become(argv, folder, environment, out.fileno(), err.fileno())
    try:
        for number, patience_s in ((None, limit_s), (signal.SIGTERM, GRACE_S), (signal.SIGKILL, GRACE_S)):
            if number is not None:
                os.kill(child, number)
            if _has_ended(child, patience_s):
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                return TIMED_OUT if number is not None else status if status >= 0 else 128 - status
        return TIMED_OUT
    finally:
        end_children()


def end_children() -> None:
    """Kills every child, and processes that become children because of that."""
    while children := _children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    return [
        int(pid)
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
    ]


def _has_ended(child: int, patience_s: float) -> bool:
    descriptor = os.pidfd_open(child)
    try:
        return bool(select.select([descriptor], [], [], patience_s)[0])
    finally:
        os.close(descriptor)


def _become(argv: list[str], folder: Path, environment: dict[str, str], out: int, err: int) -> NoReturn:
    """Runs the command in place of this process; doesn't return."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDONLY)
        for number, descriptor in enumerate((null, out, err)):
            os.dup2(descriptor, number)
        os.closerange(3, 1 << 16)
        if argv[0] != str(COREWISE):
            os.execvpe(argv[0], argv, environment)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = argv
        from corewise.cli import main

        status = main() or 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
