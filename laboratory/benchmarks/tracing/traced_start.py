"""Starts a program with and without the preload library, for the benchmarks of tracing."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import corewise

NATIVE = Path(corewise.__file__).parent / "native"
FAMILIES = ("openmpi", "mpich")
# Root may start jobs, and two cores may run four ranks.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def families() -> list[str]:
    """The MPI families whose compiler, launcher and preload library are installed."""
    return [
        family
        for family in FAMILIES
        if all(shutil.which(f"{tool}.{family}") for tool in ("mpicc", "mpirun"))
        and (NATIVE / f"libcorewise_pmpi_{family}.so").exists()
    ]


@dataclass(frozen=True)
class Tool:
    """A tool that observes a program: the environment for its ranks."""

    name: str
    environment: dict[str, str] = field(default_factory=dict)


def corewise_tool(family: str, mode: str = "time") -> Tool:
    """`corewise trace` in one of its modes."""
    library = str(NATIVE / f"libcorewise_pmpi_{family}.so")
    return Tool(mode, {"LD_PRELOAD": library, "COREWISE_JOB": "benchmark", "COREWISE_MODE": mode})


def preloaded_tool(name: str, library: str) -> Tool:
    """Another tool that is preloaded, or an empty wrapper."""
    return Tool(name, {"LD_PRELOAD": library})


def monitoring_tool(family: str) -> list[Tool]:
    """Open MPI's own monitoring; no tool for other MPIs."""
    return [Tool("monitoring", {"OMPI_MCA_pml_monitoring_enable": "2"})] if family == "openmpi" else []


def start(
    family: str,
    n_ranks: int,
    program: list[str],
    tool: Tool,
    timeout_s: float = 300,
    options: Sequence[str] = (),
) -> str:
    """Runs the program to its end; returns its standard output. Raises CalledProcessError if it fails.

    `options` are further options of the launcher.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = tool.environment | {"COREWISE_DIR": f"{folder}/profile"}
        command = [f"mpirun.{family}", *options, "-n", str(n_ranks)]
        for name, value in given.items():
            command += ["-x", f"{name}={value}"] if family == "openmpi" else ["-genv", name, value]
        done = subprocess.run(
            command + program, env=ENVIRONMENT, capture_output=True, text=True, timeout=timeout_s, check=True
        )
    return done.stdout
