"""Fixtures for MPI jobs, shared with the laboratory's tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import mpi_jobs
import pytest


@pytest.fixture
def two_cores() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two cores")


@pytest.fixture(autouse=True)
def permit_root(monkeypatch) -> None:
    """Open MPI refuses root unless two variables allow it; corewise itself never sets these."""
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")


@pytest.fixture(params=mpi_jobs.FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    """Each family for which the preload library was built. Skipped if its MPI isn't installed."""
    mpi_jobs.tool(request.param, "mpicc")
    mpi_jobs.tool(request.param, "mpirun")
    return request.param


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`compiled(family, source, *flags)`: compiles one of programs/ once per session."""
    folder = tmp_path_factory.mktemp("programs")
    built: dict[tuple[str, ...], Path] = {}

    def compile_once(family: str, source: str, *flags: str) -> Path:
        key = (family, source, *flags)
        if key not in built:
            compiler = mpi_jobs.tool(family, "mpif90" if source.endswith(".F90") else "mpicc")
            built[key] = mpi_jobs.compile_program(compiler, source, folder / f"program{len(built)}", *flags)
        return built[key]

    return compile_once


@pytest.fixture
def trace(family: str, compiled: Callable[..., Path], tmp_path: Path) -> Callable[..., mpi_jobs.Job]:
    """`trace(source, *arguments)`: runs one of programs/ with the tracer. With `quiet` it must end well and
    print no error."""

    def run(
        source: str,
        *arguments: str,
        n_ranks: int = 4,
        folder: Path = tmp_path / "profile",
        quiet: bool = True,
        **environment: str,
    ) -> mpi_jobs.Job:
        program = [str(compiled(family, source)), *arguments]
        job = mpi_jobs.run(family, n_ranks, program, folder, **environment)
        assert not quiet or (job.returncode, job.stderr) == (0, "")
        return job

    return run
