"""Executes a sweep's runs as a job array of Slurm: collects records, and submits missing runs.

Run i is task i of the array. It writes its record to a file in the sweep's folder, and the next call of the
command moves records to the journal. The name of the job in Slurm's queue identifies unfinished runs. No
other state is stored, so that the command, a job or Slurm's controller may be killed at any time.
"""

from __future__ import annotations

import hashlib
import math
import os
from pathlib import Path

from corewise.batch.submitting import QueuedTask, queued_tasks, submit
from corewise.cli.submit_options import SubmitTo, this_command
from corewise.errors import InputError, RunError
from corewise.files.document import read_json
from corewise.files.whole_file import write_whole
from corewise.text.escaping import json_text, shell_text
from corewise.text.quantities import counted, index_text

from corewise_laboratory.sweep.journal import Journal, RunRecord, open_journal
from corewise_laboratory.sweep.running import check_programs, plan_document, run_once
from corewise_laboratory.sweep.spec import Configuration, PlannedRun, SweepSpec, planned_runs

FOLDER = "submitted"  # subfolder for the specification, records before their collection, and output
MOST_TASKS = 1000  # Slurm's MaxArraySize is 1001 by default


def job_name(folder: Path) -> str:
    """The name of the sweep's job, different for each folder."""
    return f"corewise-sweep-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"


def run_task(spec: SweepSpec, grid: list[Configuration], folder: Path, number: int) -> int:
    """Executes a task of the array; returns 1 if the run failed."""
    record = run_once(spec, grid, planned_runs(len(grid), spec.protocol)[number])
    write_whole(_record_file(folder, number), json_text(record.to_json()) + "\n")
    return 1 if record.problem else 0


def run_submitted(
    spec: SweepSpec, spec_path: Path, grid: list[Configuration], folder: Path, submit_to: SubmitTo
) -> list[RunRecord] | str:
    """Collects records; all of them, or else a sentence on what was submitted or is still queued.

    Submits the runs that lack a record if none of them is queued. Raises InputError for too many runs, and
    RunError if Slurm's controller doesn't answer.
    """
    check_programs(grid)
    planned = planned_runs(len(grid), spec.protocol)
    if len(planned) > MOST_TASKS:
        raise InputError(f"the sweep has {len(planned)} runs; --submit takes at most {MOST_TASKS}")
    with open_journal(folder, plan_document(spec, grid)) as journal:
        queued = queued_tasks(job_name(folder))  # before records: a run writes its record before it ends
        lacking = _collect(folder, journal, planned)
        if not lacking:
            return journal.records
        if queued is None:
            raise RunError("Slurm's controller doesn't answer (squeue failed); call this command again later")
        if queued:
            return _queued_text(queued)
        job = _submit(spec, spec_path, folder, lacking, submit_to)
        return (
            f"submitted {counted(len(lacking), 'run')} as job {job}; the same command collects their results"
        )


def _queued_text(queued: list[QueuedTask]) -> str:
    jobs = " ".join(sorted({task.job for task in queued}))
    text = f"{counted(len(queued), 'run')} of job {jobs} did not end yet; to cancel them: scancel {jobs}"
    held = sorted({task.held for task in queued if task.held})
    release = f"; Slurm holds some ({', '.join(held)}), and scontrol release {jobs} starts them"
    return text + release if held else text


def _record_file(folder: Path, number: int) -> Path:
    return folder / FOLDER / f"{number}.json"


def _collect(folder: Path, journal: Journal, planned: list[PlannedRun]) -> list[int]:
    """Moves records to the journal; returns the numbers of the runs that it lacks, in order."""
    ended = {(record.configuration, record.repeat) for record in journal.records}
    lacking = []
    for number, run in enumerate(planned):
        path = _record_file(folder, number)
        if (run.configuration, run.repeat) not in ended:
            if not path.exists():
                lacking.append(number)
                continue
            journal.append(RunRecord.from_table(read_json(path, "a run's record")))
        path.unlink(missing_ok=True)
    return lacking


def _submit(spec: SweepSpec, spec_path: Path, folder: Path, numbers: list[int], submit_to: SubmitTo) -> str:
    """Submits an array of these runs; the ID of the job."""
    own = folder / FOLDER
    own.mkdir(exist_ok=True)
    # A copy, so that edits of the specification don't affect waiting jobs.
    copy = own / spec_path.name
    write_whole(copy, spec_path.read_bytes())
    command = shell_text(this_command("sweep", str(copy), "-o", str(folder), "--task"))
    # As words of sbatch, because lines of the script can't hold every folder's name.
    options = [
        f"--job-name={job_name(folder)}",
        f"--array={index_text(numbers)}",
        "--exclusive",
        f"--time={math.ceil(spec.protocol.timeout_s / 60) + 1}",
        f"--output={str(own).replace('%', '%%')}/%a.out",
    ]
    script = f'#!/bin/bash\nexec {command} "$SLURM_ARRAY_TASK_ID"\n'
    return submit(script, [*options, *submit_to.options])
