"""The parts of a suite: programs to build and to start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mpis_here import Mpi

# MPICH's runtests gives a program 180 s. Most end within one second, so a shorter limit saves minutes per
# hang.
LIMIT_S = 60.0


class NotBuilt(Exception):
    """The program can't be built with this MPI. The message is the first line of the reason."""


@dataclass(frozen=True)
class Program:
    """One program to start. `name` is unique in the suite and contains the folder and the arguments.

    `executable` and `companions` (programs that it spawns) are paths below the suite's build folder.
    `expects_failure`: the suite expects an exit code other than 0. `success`: a line that standard output
    must contain.
    """

    name: str
    executable: str
    n_ranks: int = 2
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    launcher_options: tuple[str, ...] = ()
    limit_s: float = LIMIT_S
    expects_failure: bool = False
    success: str | None = None


class Suite(Protocol):
    """A folder of tests written by others, downloaded by the user."""

    name: str

    def programs(self, mpi: Mpi) -> list[Program]:
        """All runs that the suite asks for with this MPI."""

    def build(self, program: Program, mpi: Mpi, folder: Path) -> list[str]:
        """Builds the program below `folder` if needed.

        Returns its words, the executable first. Raises NotBuilt.
        """
