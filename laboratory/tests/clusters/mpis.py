"""The MPIs for jobs in the lab: Open MPI 4 and 5, MPICH 4 and 5."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(__file__).parent / "programs"
MPIS = ("mpich4", "mpich5", "openmpi4", "openmpi5")


@dataclass(frozen=True)
class Mpi:
    """One MPI: its launcher and compiler. `family` is the family of its preload library."""

    family: str
    mpirun: str
    mpicc: str

    def program(self, *sources: Path) -> str:
        """Compiles C sources into one program, once per session."""
        return _compiled(self.mpicc, sources)

    @property
    def where(self) -> str:
        """The compiled programs/where.c."""
        return self.program(PROGRAMS / "where.c")

    @property
    def ring(self) -> str:
        """The compiled micro-benchmark ring."""
        return self.program(*(ROOT / "laboratory" / "microbench" / name for name in ("ring.c", "bench.c")))


def mpi_named(name: str) -> Mpi:
    """One of MPIS. Skips the test if it is missing.

    MPIs that Debian 12 lacks come from PyPI. They are in the folder of scripts/setup, or in the environment
    that CW_MPICH5 or CW_OPENMPI5 gives.
    """
    family = name[:-1]
    if name in ("mpich4", "openmpi4"):
        mpirun, mpicc = f"mpirun.{family}", f"mpicc.{family}"
    else:
        folder = Path(os.environ.get(f"CW_{name.upper()}") or ROOT / "build" / name) / "bin"
        mpirun, mpicc = str(folder / "mpirun"), str(folder / "mpicc")
    if missing := [tool for tool in (mpirun, mpicc) if shutil.which(tool) is None]:
        pytest.skip(f"{name}: {missing[0]} not found (scripts/setup --test)")
    return Mpi(family, *(str(Path(shutil.which(tool)).absolute()) for tool in (mpirun, mpicc)))


@cache
def _folder() -> tempfile.TemporaryDirectory:
    """A folder for compiled programs, removed at the end of this process."""
    return tempfile.TemporaryDirectory(prefix="cwlab-")


@cache
def _compiled(mpicc: str, sources: tuple[Path, ...]) -> str:
    out = Path(tempfile.mkdtemp(dir=_folder().name)) / sources[0].stem
    subprocess.run([mpicc, "-w", *map(str, sources), "-o", str(out)], check=True, timeout=100)
    return str(out)
