"""Starting a program with and without the preload library, for the tracing benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import corewise

NATIVE = Path(corewise.__file__).parent / "native"
FAMILIES = ("openmpi", "mpich")
# A container's root may start jobs; two cores may hold four ranks.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def families() -> list[str]:
    """Those whose compiler, launcher and preload library are here."""
    return [
        family
        for family in FAMILIES
        if all(shutil.which(f"{tool}.{family}") for tool in ("mpicc", "mpirun"))
        and (NATIVE / f"libcorewise_pmpi_{family}.so").exists()
    ]


def start(family: str, n_ranks: int, program: list[str], traced: bool, timeout_s: float = 300) -> str:
    """Runs the program to its end; returns its standard output. Raises CalledProcessError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        given = {
            "LD_PRELOAD": str(NATIVE / f"libcorewise_pmpi_{family}.so"),
            "COREWISE_DIR": f"{folder}/profile",
            "COREWISE_JOB": "benchmark",
        }
        command = [f"mpirun.{family}", "-n", str(n_ranks)]
        for name, value in given.items() if traced else []:
            command += ["-x", f"{name}={value}"] if family == "openmpi" else ["-genv", name, value]
        done = subprocess.run(
            command + program, env=ENVIRONMENT, capture_output=True, text=True, timeout=timeout_s, check=True
        )
    return done.stdout
