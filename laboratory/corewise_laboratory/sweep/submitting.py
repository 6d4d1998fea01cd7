"""Executes a sweep's runs as job arrays of Slurm: submits missing runs, waits, and collects records.

Each run is a task of an array. It writes its record to a file in the sweep's folder, and the waiting command
moves records to the journal. Names of jobs in Slurm's queue identify unfinished runs. No other state is
stored, so that the command, a job or Slurm's controller may be killed at any time.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from corewise.errors import RunError
from corewise.plugin.batch import QueuedTask, SubmitTo, queued_tasks, submit, this_command
from corewise.plugin.documents import counted, index_text, json_text, read_json, shell_text, write_whole

from corewise_laboratory.sweep.grid import Configuration, PlannedRun, planned_runs
from corewise_laboratory.sweep.journal import Journal, RunRecord, open_journal
from corewise_laboratory.sweep.running import Progress, Say, check_programs, plan_document, run_one
from corewise_laboratory.sweep.spec import SweepSpec

FOLDER = "submitted"  # subfolder for the specification, records before their collection, and output
_BLOCK = 1000  # tasks of an array; Slurm's MaxArraySize is 1001 by default
_POLL_S = 2.0
_SCRIPT = """\
#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array={indices}
#SBATCH --exclusive
#SBATCH --time={minutes}
#SBATCH --output="{folder}/%x-%a.out"
exec {command} "$(({first} + SLURM_ARRAY_TASK_ID))"
"""


@dataclass(frozen=True)
class Jobs:
    """The jobs of the sweep in `folder`. Run i is task i % 1000 of the array with name PREFIX(i // 1000)."""

    folder: Path

    @property
    def prefix(self) -> str:
        """The beginning of the names of its jobs, different for each folder."""
        return f"corewise-sweep-{hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]}-"

    def record(self, number: int) -> Path:
        """The file for the record of the run `number`."""
        return self.folder / FOLDER / f"{number}.json"

    def queued(self) -> dict[int, QueuedTask] | None:
        """Unfinished runs with their tasks; None if Slurm's controller doesn't answer."""
        tasks = queued_tasks(self.prefix)
        if tasks is None:
            return None
        return {int(task.job_name[len(self.prefix) :]) * _BLOCK + task.index: task for task in tasks}


def run_task(spec: SweepSpec, grid: list[Configuration], folder: Path, number: int) -> int:
    """Executes a task of an array; returns 1 if the run failed."""
    record = run_one(spec, grid, number)
    write_whole(Jobs(folder).record(number), json_text(asdict(record)) + "\n")
    return 1 if record.problem else 0


def run_submitted(
    spec: SweepSpec,
    spec_path: Path,
    grid: list[Configuration],
    folder: Path,
    submit_to: SubmitTo,
    say: Say,
    tell: Callable[[str], None],
) -> list[RunRecord]:
    """Submits the runs that neither `folder` nor Slurm has, waits, and returns all records.

    `tell` gets sentences about jobs. Raises RunError if Slurm's controller doesn't answer before submission,
    and for runs that ended without a record. After Ctrl-C, the jobs stay, a sentence says how to cancel
    them, and the same call continues.
    """
    check_programs(grid)
    planned = planned_runs(len(grid), spec.protocol)
    jobs = Jobs(folder)
    with open_journal(folder, plan_document(spec, grid)) as journal:
        lacking = _collect(jobs, journal, planned)
        queued = jobs.queued()
        if queued is None and lacking:
            raise RunError(
                "Slurm's controller doesn't answer (squeue failed); the same command continues later"
            )
        ids = {task.job for task in (queued or {}).values()}
        if new := sorted(set(lacking) - set(queued or {})):
            ids |= set(_submit(spec, spec_path, jobs, new, submit_to))
            tell(f"submitted {counted(len(new), 'run')}: {_jobs_text(ids)}")
        answered, told_of_held = True, False
        with _cancelling_said(ids, tell):
            while lacking:
                queued = jobs.queued()  # before records, because a run writes its record before it ends
                if answered and queued is None:
                    tell("Slurm's controller doesn't answer; waiting until it does")
                answered = queued is not None
                lacking = _collect(jobs, journal, planned)
                if queued is not None and lacking and not set(lacking) & set(queued):
                    raise _lost(lacking, jobs)
                if not told_of_held and (held := [task for task in (queued or {}).values() if task.held]):
                    tell(_held_text(held))
                    told_of_held = True
                if lacking:
                    run = planned[lacking[0]]
                    say(Progress(len(journal.records), len(planned), grid[run.configuration], run))
                    time.sleep(_POLL_S)
        return journal.records


def _collect(jobs: Jobs, journal: Journal, planned: list[PlannedRun]) -> list[int]:
    """Moves records to the journal; returns the numbers of the runs that it lacks, in order."""
    ended = {(record.configuration, record.repeat) for record in journal.records}
    lacking = []
    for number, run in enumerate(planned):
        path = jobs.record(number)
        if (run.configuration, run.repeat) not in ended:
            if not path.exists():
                lacking.append(number)
                continue
            journal.append(RunRecord.from_table(read_json(path, "a run's record")))
        path.unlink(missing_ok=True)
    return lacking


def _submit(
    spec: SweepSpec, spec_path: Path, jobs: Jobs, numbers: Sequence[int], submit_to: SubmitTo
) -> Iterator[str]:
    """Submits an array for each block of runs; the IDs of the jobs."""
    folder = jobs.folder / FOLDER
    folder.mkdir(exist_ok=True)
    # A copy, so that edits of the specification don't affect waiting jobs.
    copy = folder / spec_path.name
    write_whole(copy, spec_path.read_bytes())
    command = this_command("sweep", str(copy), "-o", str(jobs.folder), "--task")
    for block in sorted({number // _BLOCK for number in numbers}):
        own = [number % _BLOCK for number in numbers if number // _BLOCK == block]
        script = _SCRIPT.format(
            name=f"{jobs.prefix}{block}",
            indices=index_text(own),
            minutes=math.ceil(spec.protocol.timeout_s / 60) + 1,
            folder=str(folder).replace("%", "%%"),
            command=shell_text(command),
            first=block * _BLOCK,
        )
        yield submit(script, submit_to.options)


def _lost(numbers: list[int], jobs: Jobs) -> RunError:
    return RunError(
        f"{counted(len(numbers), 'run')} ended without a result (number {index_text(numbers)}; what they "
        f"printed is in {jobs.folder / FOLDER}); the same command submits them again"
    )


@contextmanager
def _cancelling_said(ids: set[str], tell: Callable[[str], None]) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if ids:
            tell(f"the jobs stay in Slurm's queue; to cancel them: scancel {' '.join(sorted(ids))}")
        raise


def _held_text(held: list[QueuedTask]) -> str:
    jobs = " ".join(sorted({task.job for task in held}))
    return (
        f"{counted(len(held), 'run')} will not start without help (Slurm's reason: "
        f"{', '.join(sorted({task.held for task in held}))}); release them (scontrol release {jobs}), or "
        f"cancel them (scancel {jobs}) and run this command again"
    )


def _jobs_text(ids: set[str]) -> str:
    return f"{'job' if len(ids) == 1 else 'jobs'} {', '.join(sorted(ids))}"
