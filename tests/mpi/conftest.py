"""The MPIs of this machine. Tests that need one run with each, or are skipped with a reason."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import mpi_jobs
import pytest
import sanitizers
from corewise.model import Profile
from mpi_fixtures import compiled, family, permit_root, trace, two_cores  # noqa: F401
from mpis_here import EVERY_MPI, MPIS, Mpi

TIMEOUT_S = 60  # some MPICH jobs hang here, so every start has a limit


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--sanitized",
        choices=list(sanitizers.SANITIZERS),
        help="run the tests marked for this sanitizer, with the preload library of the preset's build",
    )


def pytest_configure(config: pytest.Config) -> None:
    line = "sanitized(*names): runs with --sanitized too, or with these sanitizers alone"
    config.addinivalue_line("markers", line)
    sanitizers.chosen = config.getoption("--sanitized", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if sanitizers.chosen is not None:
        config.hook.pytest_deselected(items=[item for item in items if not sanitizers.is_for(item)])
        items[:] = [item for item in items if sanitizers.is_for(item)]


@pytest.fixture(autouse=True)
def sanitizer_reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if sanitizers.chosen is not None:
        sanitizers.folder = tmp_path_factory.mktemp("reports")
    yield
    if sanitizers.chosen is not None and (found := sanitizers.reports()):
        pytest.fail("\n".join(found), pytrace=False)


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
    """Starts a program with one of EVERY_MPI and the variables `given`. The words `before` precede mpirun."""
    argv = [*before, mpi.mpirun, "-n", str(n_ranks)]
    for name, value in given.items():
        argv += ["-x", f"{name}={value}"] if mpi.family == "openmpi" else ["-genv", name, value]
    environment = os.environ | mpi_jobs.ENVIRONMENT
    return subprocess.run([*argv, *program], env=environment, capture_output=True, text=True, timeout=100)


def profile_of(mpi: Mpi, n_ranks: int, program: list[str], folder: Path, **environment: str) -> Profile:
    """Runs a program with one of EVERY_MPI and the tracer; it must end well."""
    given = mpi_jobs.observed(mpi.family, folder) | environment
    done = run_of_mpi(mpi, n_ranks, program, given)
    assert done.returncode == 0 and "corewise:" not in done.stderr, done.stderr  # Open MPI 5 warns of UCX
    return Profile.read(str(folder))


def host_and_plugin(mpi: Mpi, folder: Path) -> list[str]:
    """The command of a program that opens MPI privately, by a plug-in."""
    host = mpi_jobs.compile_program("gcc", "plugin.c", folder / "host")
    flags = ["-DPLUGIN", "-shared", "-fPIC"]
    plugin = mpi_jobs.compile_program(mpi.mpicc, "plugin.c", folder / "plugin", *flags)
    return [str(host), str(plugin)]


def mounted(folder: Path, options: str) -> Iterator[Path]:
    """Mounts a tmpfs on the folder. Skips the test without the privilege to mount."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True
    )
    if made.returncode != 0:
        pytest.skip(f"mounting a tmpfs: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder to which not even root can write."""
    yield from mounted(tmp_path / "read-only", "ro")
