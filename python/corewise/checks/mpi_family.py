"""mpi-family: the program was built with another MPI than the launcher's."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import text
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers.mpi_family import family_name


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
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
        command=_corrected(asked) if len(wrong) == len(asked.programs) else None,
    )


def _corrected(asked: AskedCommand) -> str | None:
    if asked.own_launcher is None:
        return None
    words = [*asked.before, asked.own_launcher]
    for i, program in enumerate(asked.programs):
        words += [":"] if i else []
        words += ["-n", str(len(program.ranks))] if program.ranks else []
        words += program.app
    return text(words)


CHECK = Check(
    name="mpi-family",
    sentence="the launcher is of another MPI than the program",
    source="tried: Open MPI 4.1.4's mpirun and an MPICH program, and the other way round",
    of_command=_look,
)
