"""Paths of the laboratory's compiled programs: micro-benchmarks and workloads of the PGAS runtime."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import MissingError

FAMILIES = ("openmpi", "mpich")  # MPI families; programs are built for those with compiler wrappers


def native(name: str) -> str:
    """The path of a program, such as "microbench-openmpi/ring"; raises MissingError if it was not built."""
    path = Path(__file__).parent / "native" / name
    if not path.is_file():
        raise MissingError(
            f"{name} was not built here; install an MPI with its compiler wrapper and reinstall "
            "corewise-laboratory"
        )
    return str(path)
