"""srun-and-mpirun: one launcher inside another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import text, with_command
from corewise.checks.situation import AskedCommand, Situation
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, parse_command
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import unwrapped

# Step IDs that don't mean srun: salloc's shell and the batch script (slurm.h).
_NO_STEPS = ("4294967290", "4294967291")

_WHY = (
    "srun starts the inner launcher once for each task and gives each of them a part of the cores: ranks are "
    "multiplied and crowd on that part"
)


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    application = asked.application
    if application.launcher.name == "srun":
        for number, program in enumerate(application.command.programs):
            yield from _inner_launcher(asked, number, unwrapped(program.app))
    elif step := _step(situation):
        n_ranks = ["-n", str(application.n_ranks)] if application.n_ranks else []
        one = len(asked.programs) == 1
        yield _in_step(step, text(["srun", "--overlap", *n_ranks, *application.command.app]) if one else None)


def _without_command(situation: Situation) -> Iterator[Finding]:
    if step := _step(situation):
        yield _in_step(step, "salloc --ntasks=4")


def _step(situation: Situation) -> str | None:
    """The step of srun around this process; None without one."""
    step = situation.environment.get("SLURM_STEP_ID")
    return None if step in _NO_STEPS else step


def _inner_launcher(asked: AskedCommand, number: int, app: list[str]) -> Iterator[Finding]:
    """Finds a launcher in the command's program with this number; `app` is without wrappers."""
    name = app[0].rpartition("/")[2].split(".")[0]
    tables = [one.options for one in LAUNCHERS.values() if name in one.executables and one.name != "srun"]
    if not tables:
        return
    command = asked.application.command
    inner = _program_of(app, tables)
    programs = [*command.programs]
    programs[number] = replace(programs[number], app=inner)
    changed = replace(command, programs=programs)
    choices: list[list[str]] = [[], ["--mpi=pmix"], ["--mpi=pmi2"]] if inner else []
    proposals = [with_command(asked, changed, options) for options in choices]
    yield Finding(
        found=f"srun starts '{app[0]}', which is a launcher too",
        why=_WHY,
        do="let srun start the program itself",
        command=next(iter(proposals), None),
        otherwise=tuple(proposals[1:]),
    )


def _program_of(app: list[str], tables: list[OptionTable]) -> list[str]:
    """The program that an inner launcher starts; empty if no table can parse its options."""
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
    of_command=_look,
    of_host=_without_command,
)
