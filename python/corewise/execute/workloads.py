"""Starting the runtime's workloads of pgas/: one program for each MPI family that was found."""

from __future__ import annotations

from collections.abc import Sequence

from corewise.execute.microbench import FAMILIES, first_complete, launcher_flags

PROGRAM = "corewise-workload"


def workload_command(n_processes: int, families: Sequence[str] = FAMILIES) -> list[str]:
    """The launch command up to the program; a workload's name and arguments follow.

    Raises the first family's MissingError where no family has both a launcher and the program.
    """
    program, launcher, family = first_complete("pgas-{family}/" + PROGRAM, families)
    return [launcher, *launcher_flags(family), "-n", str(n_processes), program]
