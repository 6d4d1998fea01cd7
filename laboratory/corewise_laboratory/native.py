"""The laboratory's own native programs: micro-benchmarks and the runtime's workloads."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import MissingError

FAMILIES = ("openmpi", "mpich")  # of MPI, for which they are built where their compiler wrappers are found


def native(name: str) -> str:
    """Path of a program, such as "microbench-openmpi/ring"; raises MissingError with the next step."""
    path = Path(__file__).parent / "native" / name
    if not path.is_file():
        raise MissingError(
            f"{name} was not built here; install an MPI with its compiler wrapper and reinstall "
            "corewise-laboratory"
        )
    return str(path)
