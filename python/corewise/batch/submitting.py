"""Submits job scripts to Slurm, and lists jobs in its queue."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from corewise.errors import MissingError, RunError

# Reasons in squeue (%r) for which a job never starts unless somebody acts (squeue(1), "JOB REASON CODES").
_NEVER_BY_ITSELF = re.compile(
    r"JobHeld(User|Admin)|DependencyNeverSatisfied|BadConstraints|Partition(NodeLimit|TimeLimit|Down|Inactive)"
    r"|.*requeued.*held.*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class QueuedTask:
    """A task of a job array that has not ended: the job's name and ID, and the task's index.

    `held` is Slurm's reason why the task never starts by itself; empty if it waits normally or runs.
    """

    job_name: str
    job: str
    index: int
    held: str = ""


def submit(script: str, options: Sequence[str] = ()) -> str:
    """Submits the script with further options of sbatch(1); returns the job's ID.

    Raises MissingError without sbatch, and RunError with sbatch's message if there is no job then.
    """
    done = _asked(["sbatch", "--parsable", *options], script)
    job = done.stdout.strip().partition(";")[0]  # "ID;CLUSTER"
    if not job:  # not by exit code, which is the job's with --wait
        raise RunError(f"sbatch submitted no job: {_said(done)}")
    return job


def queued_tasks(prefix: str) -> list[QueuedTask] | None:
    """The unfinished tasks of this user's job arrays whose names begin with `prefix`.

    None if Slurm's controller doesn't answer.
    """
    form = "%F|%K|%r|%j"
    done = _asked(["squeue", "--noheader", "--array", f"--user={os.getuid()}", f"--format={form}"])
    if done.returncode != 0:
        return None
    rows = [line.split("|", maxsplit=3) for line in done.stdout.splitlines()]
    return [
        QueuedTask(name, job, int(index), reason if _NEVER_BY_ITSELF.fullmatch(reason) else "")
        for job, index, reason, name in (row for row in rows if len(row) == 4)
        if name.startswith(prefix) and index.isdecimal()
    ]


def _asked(argv: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    if shutil.which(argv[0]) is None:
        raise MissingError(f"'{argv[0]}' was not found; install Slurm's client (Debian: slurm-client)")
    # In a separate session, so that Ctrl-C does not end sbatch after it has submitted the job.
    return subprocess.run(
        argv, input=text, capture_output=True, text=True, errors="replace", start_new_session=True
    )


def _said(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return " ".join(lines) or f"exit code {done.returncode}"
