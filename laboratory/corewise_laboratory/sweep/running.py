"""Executes the runs that a sweep's journal lacks, in order, with their values; also records failed runs."""

from __future__ import annotations

import math
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

from corewise import LaunchPlan
from corewise.errors import InputError, MissingError
from corewise.start.launching import start
from corewise.start.process import TIMED_OUT
from corewise.start.streams import Streams

from corewise_laboratory.sweep.journal import RunRecord, open_journal
from corewise_laboratory.sweep.spec import Configuration, Measure, PlannedRun, SweepSpec, planned_runs

# Bytes of a run's output that are read; the rest is ignored.
MOST_OUTPUT = 16 * 1024 * 1024


def run_sweep(
    spec: SweepSpec, grid: list[Configuration], folder: Path, say: Callable[[str], None]
) -> list[RunRecord]:
    """Executes the runs that `folder` lacks; returns all records, including old ones.

    `say` shows a sentence about the progress, before each run. Raises InputError if the folder belongs to
    another sweep, and MissingError for a missing program. After Ctrl-C, the same call continues.
    """
    check_programs(grid)
    planned = planned_runs(len(grid), spec.protocol)
    with open_journal(folder, plan_document(spec, grid)) as journal:
        ended = {(record.configuration, record.repeat) for record in journal.records}
        for run in planned:
            if (run.configuration, run.repeat) not in ended:
                say(f"{len(journal.records)} of {len(planned)} runs; {grid[run.configuration].label}")
                journal.append(run_once(spec, grid, run))
        return journal.records


def check_programs(grid: list[Configuration]) -> None:
    """Raises MissingError for the first configuration whose program is missing."""
    for configuration in grid:
        path = configuration.environment.get("PATH")
        if shutil.which(configuration.argv[0], path=path) is None:
            raise MissingError(f"program '{configuration.argv[0]}' was not found ({configuration.label})")


def plan_document(spec: SweepSpec, grid: list[Configuration]) -> dict[str, Any]:
    """Everything on which measured values depend. Groups may change between calls."""
    return {
        "name": spec.name,
        "configurations": [asdict(configuration) for configuration in grid],
        "measure": spec.measure.to_json(),
        "runs": spec.protocol.to_json(),
    }


def run_once(spec: SweepSpec, grid: list[Configuration], run: PlannedRun) -> RunRecord:
    """Executes a planned run, without the journal."""
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        streams = Streams(subprocess.DEVNULL, output, messages)
        planned = grid[run.configuration]
        plan = LaunchPlan(planned.argv, planned.environment)
        exit_code, wall_s = start(plan, streams, spec.protocol.timeout_s)
        printed, said = _text(output), _text(messages)
    value, problem = None, None
    if exit_code == TIMED_OUT and wall_s >= spec.protocol.timeout_s:
        problem = f"ended after its {wall_s:.3g} s were up"
    elif exit_code != 0:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        problem = f"exit code {exit_code}: {lines[-1][:200] if lines else 'it said nothing'}"
    else:
        try:
            value = measured_value(spec.measure, wall_s, printed, said)
        except InputError as error:
            problem = str(error)
    return RunRecord(
        configuration=run.configuration,
        repeat=run.repeat,
        warmup=run.warmup,
        value=value,
        wall_s=wall_s,
        exit_code=exit_code,
        problem=problem,
        started=started,
        host=socket.gethostname(),
    )


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MOST_OUTPUT).decode(errors="replace")


def measured_value(measure: Measure, wall_s: float, output: str, messages: str) -> float:
    """The wall time, or the number that the regex finds on standard output or on standard error (`messages`).

    Raises InputError for no value, several values, or no finite number.
    """
    if not measure.regex:
        return wall_s
    found = [match[1] for match in re.finditer(measure.regex, f"{output}\n{messages}", re.MULTILINE)]
    if len(found) != 1:
        raise InputError(f"found {len(found)} values of regex '{measure.regex}'; expected one")
    try:
        value = float(found[0])
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"found {found[0]!r:.60} at regex '{measure.regex}'; expected a number")
    return value
