"""What a suite consists of: programs to build and start, whoever wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mpis_here import Mpi

# MPICH's runtests gives a program 180 s; most end within one, and a hang must not cost a run minutes.
LIMIT_S = 60.0


class NotBuilt(Exception):
    """The program can't be had with this MPI; the message is the first line of the reason."""


@dataclass(frozen=True)
class Program:
    """One start of a suite: `name` is unique within the suite and names the folder and the arguments, too.

    `executable` and `companions` (programs that it spawns) are paths below the suite's build folder.
    `expects_failure`: the suite wants an exit code other than 0. `success`: a line that standard output must
    contain for the program to have passed.
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
    """A folder of somebody's tests, fetched by the user."""

    name: str

    def programs(self, mpi: Mpi) -> list[Program]:
        """All starts that the suite asks for with this MPI."""

    def build(self, program: Program, mpi: Mpi, folder: Path) -> list[str]:
        """Builds the program below `folder` unless it is there; returns its words, the executable first.

        Raises NotBuilt.
        """
