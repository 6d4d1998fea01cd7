"""Executes the runs that a sweep's journal lacks, in order; also records failed runs."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

from corewise import LaunchPlan
from corewise.errors import InputError, MissingError
from corewise.plugin.execution import TIMED_OUT, Streams, start

from corewise_laboratory.sweep.grid import Configuration, PlannedRun, planned_runs
from corewise_laboratory.sweep.journal import RunRecord, open_journal
from corewise_laboratory.sweep.measuring import measured_value
from corewise_laboratory.sweep.spec import SweepSpec

# Bytes of a run's output that are read; the rest is ignored.
MOST_OUTPUT = 16 * 1024 * 1024


@dataclass(frozen=True)
class Progress:
    """The progress before a run: `done` of `total` runs, and the next configuration."""

    done: int
    total: int
    configuration: Configuration
    run: PlannedRun


Say = Callable[[Progress], None]
# Runs a configuration once with these streams and a time limit (s); returns exit code and wall time (s).
Start = Callable[[Configuration, Streams, float], tuple[int, float]]


def start_command(configuration: Configuration, streams: Streams, timeout_s: float) -> tuple[int, float]:
    """Runs the configuration's command on this host."""
    return start(LaunchPlan(configuration.argv, configuration.environment), streams, timeout_s)


def run_sweep(
    spec: SweepSpec,
    grid: list[Configuration],
    folder: Path,
    say: Say = lambda _: None,
    start: Start = start_command,
) -> list[RunRecord]:
    """Executes the runs that `folder` lacks; returns all records, including old ones.

    Raises InputError if the folder belongs to another sweep, and MissingError for a missing program. After
    Ctrl-C, the same call continues.
    """
    check_programs(grid)
    planned = planned_runs(len(grid), spec.protocol)
    with open_journal(folder, plan_document(spec, grid)) as journal:
        ended = {(record.configuration, record.repeat) for record in journal.records}
        for run in planned:
            if (run.configuration, run.repeat) in ended:
                continue
            say(Progress(len(journal.records), len(planned), grid[run.configuration], run))
            journal.append(_run_once(spec, grid[run.configuration], run, start))
        return journal.records


def run_one(
    spec: SweepSpec, grid: list[Configuration], number: int, start: Start = start_command
) -> RunRecord:
    """Executes the planned run `number` (from 0), without the journal."""
    run = planned_runs(len(grid), spec.protocol)[number]
    return _run_once(spec, grid[run.configuration], run, start)


def check_programs(grid: list[Configuration]) -> None:
    """Raises MissingError for the first configuration whose program is missing."""
    for configuration in grid:
        path = configuration.environment.get("PATH")
        if shutil.which(configuration.argv[0], path=path) is None:
            raise MissingError(f"program '{configuration.argv[0]}' was not found ({configuration.label})")


def plan_document(spec: SweepSpec, grid: list[Configuration]) -> dict[str, Any]:
    """Everything on which measured values depend. Figures and groups may change between calls."""
    return {
        "name": spec.name,
        "configurations": [asdict(configuration) for configuration in grid],
        "measure": asdict(spec.measure),
        "runs": asdict(spec.protocol),
    }


def _run_once(spec: SweepSpec, configuration: Configuration, run: PlannedRun, start: Start) -> RunRecord:
    started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        streams = Streams(subprocess.DEVNULL, output, messages)
        exit_code, wall_s = start(configuration, streams, spec.protocol.timeout_s)
        printed, said = _text(output), _text(messages)
    timed_out = exit_code == TIMED_OUT and wall_s >= spec.protocol.timeout_s
    problem = f"ended after its {wall_s:.3g} s were up" if timed_out else _problem(exit_code, said)
    value = None
    if problem is None:
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


def _problem(exit_code: int, messages: str) -> str | None:
    if exit_code == 0:
        return None
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    return f"exit code {exit_code}: {lines[-1][:200] if lines else 'it said nothing'}"
