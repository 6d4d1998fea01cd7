"""Starts a plan: writes its files, then runs its command to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from corewise.errors import InputError
from corewise.execute.process import run_command
from corewise.execute.streams import Streams
from corewise.files.whole_file import write_whole
from corewise.nouns.launch_plan import LaunchPlan


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
    return run_command(plan.argv, streams, timeout_s, os.environ | plan.env)


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
