"""Starts a plan: writes its files, then runs its command to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.nouns.launch_plan import LaunchPlan
from corewise.start.process import run_command
from corewise.start.streams import Streams

_SHARED = ":oversubscribe"  # after the path of a rankfile, if ranks share a core


def write_files(plan: LaunchPlan) -> None:
    """Writes the plan's files; raises InputError for one that can't be written."""
    for name, text in plan.files.items():
        path = Path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"could not be written ({error.strerror})", path=path) from error
        write_whole(path, os.fsencode(text))  # names may be any bytes


def start(
    plan: LaunchPlan,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    timeout_s: float | None = None,
) -> tuple[int, float]:
    """Writes the plan's files and runs it; returns exit code and wall-clock time, s.

    The launcher gets our environment and the plan's variables.
    """
    write_files(plan)
    if sys.stdout:  # None if it is closed
        sys.stdout.flush()
    with _without_dashes(plan) as argv:
        return run_command(argv, streams, timeout_s, os.environ | plan.env)


@contextmanager
def _without_dashes(plan: LaunchPlan) -> Iterator[list[str]]:
    """The plan's command, with a link in place of a rankfile that mpirun can't read.

    Open MPI 5.0.7 refuses `--map-by rankfile:file=PATH` if PATH contains a dash (Debian 13; ompi#13545).
    """
    dashed = {f"rankfile:file={path}": path for path in plan.files if "-" in path}
    at = next((i for i, word in enumerate(plan.argv) if word.removesuffix(_SHARED) in dashed), None)
    if at is None:
        yield plan.argv
        return
    readable = "/tmp" if "-" in tempfile.gettempdir() else None
    with tempfile.TemporaryDirectory(prefix="corewise_", dir=readable) as folder:
        link, word = f"{folder}/rankfile", plan.argv[at]
        os.symlink(os.path.abspath(dashed[word.removesuffix(_SHARED)]), link)
        suffix = _SHARED if word.endswith(_SHARED) else ""
        yield [*plan.argv[:at], f"rankfile:file={link}{suffix}", *plan.argv[at + 1 :]]


class Printed(NamedTuple):
    """A plan's exit code, its standard output, and its standard error."""

    exit_code: int
    output: str
    messages: str


def printed_by(plan: LaunchPlan, timeout_s: float) -> Printed:
    """Starts a plan with empty standard input, and returns its output."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        exit_code, _ = start(plan, Streams(subprocess.DEVNULL, output, messages), timeout_s)
        output.seek(0)
        messages.seek(0)
        return Printed(exit_code, *(file.read().decode(errors="replace") for file in (output, messages)))
