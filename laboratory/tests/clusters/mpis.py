"""The MPIs whose jobs run in the lab: Open MPI 4 and 5, MPICH 4 and 5."""

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
    """One MPI: its launcher and its compiler; `family` is the preload library's."""

    family: str
    mpirun: str
    mpicc: str

    def program(self, *sources: Path) -> str:
        """C sources compiled by its own compiler into one program, once a session."""
        return _compiled(self.mpicc, sources)

    @property
    def where(self) -> str:
        """programs/where.c, compiled."""
        return self.program(PROGRAMS / "where.c")

    @property
    def ring(self) -> str:
        """The micro-benchmark ring, compiled."""
        return self.program(*(ROOT / "laboratory" / "microbench" / name for name in ("ring.c", "bench.c")))


def mpi_named(name: str) -> Mpi:
    """One of MPIS; skips the test where it is missing.

    Those that Debian 12 doesn't have are PyPI's wheels, where scripts/setup put them or in the environment
    that CW_MPICH5 or CW_OPENMPI5 names.
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
    """A folder for compiled programs, which is gone with this process."""
    return tempfile.TemporaryDirectory(prefix="cwlab-")


@cache
def _compiled(mpicc: str, sources: tuple[Path, ...]) -> str:
    out = Path(tempfile.mkdtemp(dir=_folder().name)) / sources[0].stem
    subprocess.run([mpicc, "-w", *map(str, sources), "-o", str(out)], check=True, timeout=100)
    return str(out)
