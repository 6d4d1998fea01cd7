"""How a command starts: the launcher refuses it, is of another MPI, or is inside another launcher."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from corewise.checks.cores import cores_asked
from corewise.checks.corrected import own_cores, rebuilt, text, with_command, with_option
from corewise.checks.situation import AskedCommand, AskedProgram, Finding, Situation
from corewise.errors import InputError
from corewise.launchers import LAUNCHERS, parse_command, placing_options
from corewise.launchers.mpi_family import STANDARD_ABI, family_name
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import unwrapped
from corewise.observe.seen_masks import TIMEOUT_S

# Kept words of the launcher's output; the last ones often are advice.
_FIRST_WORDS, _LAST_WORDS = 40, 40

# MPI family -> the PMI to use. Open MPI supports PMIx; version 4 also PMI-2 if built for it. MPICH supports
# both, but PMIx fails if several daemons of Slurm share a host and its temporary folder, as in a test cluster
# (tried on 22.05.8). MPICH is the only MPI with the standard ABI today.
SPEAKS = {"mpich": "pmi2", "openmpi": "pmix", STANDARD_ABI: "pmi2"}

# Step IDs that don't mean srun: salloc's shell and the batch script (slurm.h).
_NO_STEPS = ("4294967290", "4294967291")

_MULTIPLIED = (
    "srun starts the inner launcher once for each task and gives each of them a part of the cores: ranks are "
    "multiplied and crowd on that part"
)


def launcher_refuses(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """The launcher starts no rank."""
    if not asked.exit_code or asked.seen:
        return
    if asked.timed_out:
        yield _timed_out()
        return
    application = asked.application
    binds = placing_options(application.command, application.launcher.options)
    n_cores = cores_asked(asked)
    yield Finding(
        found=f"the launcher ended with exit code {asked.exit_code} before it started a rank; it "
        f"printed: {_shortened(asked.printed) or 'nothing'}",
        why="the same command also fails with the program",
        do="use its default mapping and binding" if binds else "see what it printed",
        command=own_cores(asked, n_cores) if n_cores else rebuilt(asked) if binds else None,
        otherwise=(rebuilt(asked),) if n_cores else (),
    )


def _timed_out() -> Finding:
    return Finding(
        found=f"the launcher started no rank in {TIMEOUT_S} s; can its hosts be reached?",
        why="launchers wait for a host that doesn't answer, some without an end",
        do="log in to each host of the command with ssh, or leave out those that don't answer",
    )


def _shortened(printed: str) -> str:
    """The words without lines of dashes, and with "..." instead of the middle."""
    words = [word for word in printed.split() if set(word) - set("-=*")]
    if len(words) > _FIRST_WORDS + _LAST_WORDS:
        words[_FIRST_WORDS:-_LAST_WORDS] = ["..."]
    return " ".join(words)


def mpi_family(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """A program was built with another MPI than the launcher's."""
    application = asked.application
    known = application.launcher.families
    of_program = [(program.name, program.file.family) for program in asked.programs]
    wrong = [(name, family) for name, family in of_program if family and family not in known]
    if not wrong:
        return
    yield Finding(
        found=f"'{wrong[0][0]}' was built with {family_name(wrong[0][1])}, and "
        f"the launcher is {application.launcher.name}",
        why="the ranks don't find each other: each runs the whole job alone, as rank 0 of 1",
        do="start it with that MPI's own launcher (its options for hosts are others)",
        command=_under_own_launcher(asked) if len(wrong) == len(asked.programs) else None,
    )


def _under_own_launcher(asked: AskedCommand) -> str | None:
    if asked.own_launcher is None:
        return None
    words = [*asked.before, asked.own_launcher]
    for i, program in enumerate(asked.programs):
        words += [":"] if i else []
        words += ["-n", str(len(program.ranks))] if program.ranks else []
        words += program.app
    return text(words)


def process_manager(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """srun offers no process management interface (PMI) that a program's MPI supports."""
    choice = asked.application.launcher.pmi
    if choice is None or asked.pmi is None:
        return
    wrong = next((program for program in asked.programs if _is_mute(asked.pmi, program)), None)
    if wrong is None or wrong.file.family is None:
        return
    family, speaks = family_name(wrong.file.family), SPEAKS[wrong.file.family]
    if asked.pmi == "none":
        found = "srun starts the program without a process manager interface (--mpi=none)"
    else:
        found = f"srun gives the program --mpi={asked.pmi}, and '{wrong.name}' was built with {family}"
    yield Finding(
        found=found,
        why="the ranks don't find each other: the job ends in MPI_Init, or each rank runs the whole job by "
        "itself, as rank 0 of 1",
        do=f"name the interface that {family} speaks; `srun --mpi=list` lists those of this Slurm",
        command=with_option(asked, {choice.option}, [f"--{choice.option}={speaks}"]),
    )


def _is_mute(pmi: str, program: AskedProgram) -> bool:
    """Whether the program's MPI doesn't support the PMI that srun offers."""
    file = program.file
    if file.family is None or pmi == "none":
        return file.family is not None
    return file.family == "openmpi" and not (pmi.startswith("pmix") or pmi == "pmi2" and file.speaks_pmi2)


def srun_and_mpirun(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """One launcher is inside another."""
    application = asked.application
    if application.launcher.name == "srun":
        for number, program in enumerate(application.command.programs):
            yield from _inner_launcher(asked, number, unwrapped(program.app))
    elif step := _step(situation):
        n_ranks = ["-n", str(application.n_ranks)] if application.n_ranks else []
        one = len(asked.programs) == 1
        yield _in_step(step, text(["srun", "--overlap", *n_ranks, *application.command.app]) if one else None)


def inside_a_step(situation: Situation) -> Iterator[Finding]:
    """This process is inside a step of srun."""
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
        why=_MULTIPLIED,
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
        why=_MULTIPLIED,
        do="start the program with srun, and shells with salloc",
        command=command,
    )
