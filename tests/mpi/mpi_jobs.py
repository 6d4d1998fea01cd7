"""Small traced MPI jobs for the tests: programs compiled once per session, run with the preload library."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import corewise
import pytest
import sanitizers
from corewise.model import Layer, Profile

PROGRAMS = Path(__file__).parent / "programs"
NATIVE = Path(corewise.__file__).parent / "native"
FAMILIES = ("openmpi", "mpich")
# Root may start jobs, and two cores may run four ranks (PRTE starts those of Open MPI 5).
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


@cache
def tool(family: str, name: str) -> str:
    """The path of a family's `mpicc`, `mpif90` or `mpirun`. Skips the test if it is missing."""
    path = shutil.which(f"{name}.{family}")
    if path is None:
        pytest.skip(f"{name}.{family} not found")
    return path


def library(family: str) -> Path:
    return sanitizers.library(family) if sanitizers.chosen else NATIVE / f"libcorewise_pmpi_{family}.so"


def preloaded(family: str) -> dict[str, str]:
    """The variables that load the preload library."""
    return sanitizers.environment(str(library(family)))


def compile_program(compiler: str, source: str, out: Path, *flags: str) -> Path:
    """Compiles one of programs/ with an MPI's compiler wrapper."""
    command = [compiler, "-w", "-pthread", str(PROGRAMS / source), *flags, "-o", str(out)]
    subprocess.run(command, check=True, timeout=120)
    return out


@dataclass(frozen=True)
class Job:
    """The results of a traced job."""

    returncode: int
    stdout: str
    stderr: str
    directory: Path

    @property
    def profile(self) -> Profile:
        return Profile.read(str(self.directory))


def command(family: str, n_ranks: int, program: list[str], environment: dict[str, str]) -> list[str]:
    """The command that starts the program, with `environment` for the ranks only."""
    launcher = [tool(family, "mpirun"), "-n", str(n_ranks)]
    for name, value in environment.items():
        launcher += ["-x", f"{name}={value}"] if family == "openmpi" else ["-genv", name, value]
    return launcher + program


def observed(family: str, directory: Path, job: str = "test") -> dict[str, str]:
    """The variables that load the library and start the tracer, as described in preload/README.md."""
    return preloaded(family) | {"COREWISE_DIR": str(directory), "COREWISE_JOB": job}


def run(family: str, n_ranks: int, program: list[str], directory: Path, **environment: str) -> Job:
    """Runs a program with the tracer. The launcher itself doesn't get the tracer's variables."""
    given = observed(family, directory) | environment
    done = subprocess.run(
        command(family, n_ranks, program, given),
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    return Job(done.returncode, done.stdout, done.stderr, directory)


Pairs = dict[tuple[int, int], tuple[int, int]]


def pairs(profile: Profile, layer: Layer) -> Pairs:
    """(src, dst) -> (bytes, messages) of one layer."""
    columns = profile.traffic(layer).folded().columns()
    return {(s, d): (b, m) for s, d, b, m in zip(*(column.tolist() for column in columns), strict=True)}


def call_counts(profile: Profile) -> dict[str, int]:
    """The number of calls of each MPI function, over all ranks."""
    columns = profile.columns()
    counts: dict[str, int] = {}
    for call, count, own in zip(columns["call"], columns["count"], columns["own_call"], strict=True):
        if own:
            name = profile.calls[call].name
            counts[name] = counts.get(name, 0) + int(count)
    return counts
