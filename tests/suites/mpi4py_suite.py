"""mpi4py's tests (`test/` of its source), one file at a time, by a Python with mpi4py's wheel."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from mpis_here import Mpi

from suites.programs import LIMIT_S, NotBuilt, Program

# The Python with mpi4py, installed by the user: `python -m venv V && V/bin/pip install mpi4py numpy`.
PYTHON_VARIABLE = "SUITES_MPI4PY_PYTHON"
RANKS = (1, 2, 3)
# Each rank prints its failures and counts at its end, because lines of several ranks would mix otherwise.
AT_ONCE = 'file=$(mktemp) && "$@" 2>"$file"; status=$?; cat "$file" >&2; rm "$file"; exit $status'


class Mpi4pySuite:
    """Every test_*.py on 1, 2 and 3 ranks. A file in which a test fails plainly isn't tried."""

    name = "mpi4py"

    def __init__(self, folder: Path):
        self.folder = folder / "test" if (folder / "test" / "main.py").exists() else folder

    def programs(self, mpi: Mpi) -> list[Program]:
        """In order of the number of ranks."""
        files = sorted(path.stem for path in self.folder.glob("test_*.py"))
        library = str(_library(mpi))
        return [
            Program(
                name=f"{file} {n}",
                executable=file,
                n_ranks=n,
                environment=(("MPI4PY_LIBMPI", library),),
                limit_s=3 * LIMIT_S,
            )
            for n in RANKS
            for file in files
        ]

    def build(self, program: Program, mpi: Mpi, folder: Path) -> list[str]:
        """Needs no build: the command is Python's."""
        python = os.environ.get(PYTHON_VARIABLE)
        if not python:
            raise NotBuilt(f"{PYTHON_VARIABLE} names no Python that has mpi4py")
        told = [python, str(self.folder / "main.py"), "-i", rf"^{program.executable}\.py"]
        return [*told, "-v"] if program.n_ranks == 1 else ["sh", "-c", AT_ONCE, "sh", *told, "-q"]


@cache
def _library(mpi: Mpi) -> Path:
    """The folder of the MPI's libmpi.so, from the link options of its wrapper."""
    option = "--showme:link" if mpi.family == "openmpi" else "-link_info"
    shown = subprocess.run([mpi.mpicc, option], capture_output=True, text=True, timeout=60).stdout.split()
    folders = [Path(word[2:]) for word in shown if word.startswith("-L")]
    # Debian has both MPIs' libraries in one folder.
    names = ("libmpi.so.40",) if mpi.family == "openmpi" else ("libmpi.so.12", "libmpich.so.12")
    found = [path for folder in folders for name in names if (path := folder / name).exists()]
    return found[0] if found else Path("libmpi.so")
