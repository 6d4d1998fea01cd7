"""Starts the workloads of the PGAS runtime (pgas/), which have one program for each MPI family."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from corewise.errors import CorewiseError

from corewise_laboratory.microbench import first_complete
from corewise_laboratory.native import FAMILIES, native

PROGRAM = "corewise-workload"


def workload_command(n_processes: int, families: Sequence[str] = FAMILIES) -> list[str]:
    """The launch command up to the program; a workload's name and arguments follow.

    Raises the first family's MissingError if no family has both a launcher and the program.
    """
    return first_complete("pgas-{family}/" + PROGRAM, families, n_processes)


def transport_of(environ: Mapping[str, str]) -> str:
    """The transport of a process with this environment: the MPI family that launched it, or loopback."""
    if "OMPI_COMM_WORLD_SIZE" in environ:
        return "openmpi"
    return "mpich" if "PMI_SIZE" in environ else "loopback"


def main() -> None:
    """`corewise-workload`, alone or under a launcher: becomes the program for the launcher's MPI family."""
    try:
        program = native(f"pgas-{transport_of(os.environ)}/{PROGRAM}")
    except CorewiseError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    os.execv(program, [PROGRAM, *sys.argv[1:]])
