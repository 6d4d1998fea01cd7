"""srun-and-mpirun: one launcher inside another."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import text, with_command
from corewise.checks.situation import Asked, Situation
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, parse_command
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import unwrapped

# Steps that are no srun of the user: salloc's shell and the batch script (slurm.h).
_NO_STEPS = ("4294967290", "4294967291")

_WHY = (
    "srun starts the inner launcher once for each task and gives each of them a part of the cores: ranks are "
    "multiplied and crowd on that part"
)


def _look(situation: Situation) -> list[Finding]:
    asked = situation.asked
    step = situation.environment.get("SLURM_STEP_ID")
    if asked is None:
        return [_in_step(step, "salloc --ntasks=4")] if step not in (None, *_NO_STEPS) else []
    application = asked.application
    if application.launcher.name == "srun":
        return [
            finding
            for number, program in enumerate(application.command.programs)
            for finding in _inner_launcher(asked, number, unwrapped(program.app))
        ]
    if step in (None, *_NO_STEPS):
        return []
    n_ranks = ["-n", str(application.n_ranks)] if application.n_ranks else []
    one = len(asked.programs) == 1
    command = text(["srun", "--overlap", *n_ranks, *application.command.app]) if one else None
    return [_in_step(step, command)]


def _inner_launcher(asked: Asked, number: int, app: list[str]) -> list[Finding]:
    """Of the command's program with this number, `app` after its wrappers."""
    name = app[0].rpartition("/")[2].split(".")[0]
    tables = [one.options for one in LAUNCHERS.values() if name in one.executables and one.name != "srun"]
    if not tables:
        return []
    command = asked.application.command
    inner = _program_of(app, tables)
    programs = [*command.programs]
    programs[number] = replace(programs[number], app=inner)
    changed = replace(command, programs=programs)
    return [
        Finding(
            found=f"srun starts '{app[0]}', which is a launcher too",
            why=_WHY,
            do="let srun start the program itself",
            command=with_command(asked, changed) if inner else None,
            otherwise=tuple(with_command(asked, changed, [f"--mpi={pmi}"]) for pmi in ("pmix", "pmi2"))
            if inner
            else (),
        )
    ]


def _program_of(app: list[str], tables: list[OptionTable]) -> list[str]:
    """The program that an inner launcher starts; empty where none of the tables reads its options."""
    for table in tables:
        with suppress(InputError):
            return parse_command(app, table).app
    return []


def _in_step(step: str, command: str | None) -> Finding:
    return Finding(
        found=f"this runs inside a step of srun (SLURM_STEP_ID={step})",
        why=_WHY,
        do="start the program with srun, and shells with salloc",
        command=command,
    )


CHECK = Check(
    name="srun-and-mpirun",
    sentence="mpirun inside a step of srun, or srun of mpirun",
    source="srun(1), 'MPI Support'; ompi#7806",
    look=_look,
)
