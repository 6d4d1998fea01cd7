"""mpi-family: the program was built with another MPI than the launcher's."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import text
from corewise.checks.situation import Situation
from corewise.launchers.mpi_family import family_name


def _look(situation: Situation) -> list[Finding]:
    asked = situation.asked
    if asked is None or asked.program_family in (None, *asked.application.launcher.families):
        return []
    application = asked.application
    n_ranks = ["-n", str(application.n_ranks)] if application.n_ranks else []
    return [
        Finding(
            found=f"'{application.command.app[0]}' was built with {family_name(asked.program_family)}, and "
            f"the launcher is {application.launcher.name}",
            why="the ranks don't find each other: each one runs the whole job by itself, as rank 0 of 1",
            do="start it with that MPI's own launcher (its options for hosts are others)",
            command=asked.own_launcher
            and text([*asked.before, asked.own_launcher, *n_ranks, *application.command.app]),
        )
    ]


CHECK = Check(
    name="mpi-family",
    sentence="the launcher is of another MPI than the program",
    source="tried: Open MPI 4.1.4's mpirun and an MPICH program, and the other way round",
    look=_look,
)
