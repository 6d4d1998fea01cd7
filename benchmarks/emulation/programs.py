"""The programs of gains.py: how each is made, and its command line without a launcher."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MELT = HERE.parent / "tracing" / "melt.lammps"


class Missing(Exception):
    """Why a program can't be had here, in a sentence."""


@dataclass(frozen=True)
class Sources:
    """Where programs come from: `work` takes what is built, `npb` is the user's folder of NPB's programs."""

    work: Path
    npb: Path | None


@dataclass(frozen=True)
class Program:
    """`command` gives the command line, built where it has to be; raises Missing.

    `layer` is the traffic that placements are found for, as in `corewise map --layer`.
    """

    command: Callable[[Sources], list[str]]
    layer: str = "p2p"


def lammps(sources: Sources) -> list[str]:
    """Debian's LAMMPS: a Lennard-Jones melt of 32,000 atoms, 100 steps."""
    if shutil.which("lmp") is None:
        raise Missing("lmp was not found; expected Debian's lammps")
    return ["lmp", "-in", str(MELT), "-log", "none"]


def transform(sources: Sources) -> list[str]:
    """FFTW's transform (transform.c): five pairs of 128^3."""
    program = sources.work / "transform"
    words = ["mpicc.openmpi", "-O2", str(HERE / "transform.c"), "-o", str(program)]
    _run([*words, "-lfftw3_mpi", "-lfftw3", "-lm"], "expected Debian's libfftw3-dev and libfftw3-mpi-dev")
    return [str(program), "128", "5"]


def npb(name: str) -> Callable[[Sources], list[str]]:
    """A program of NPB, named benchmark.CLASS.x, which the user has built."""

    def command(sources: Sources) -> list[str]:
        if sources.npb is None:
            raise Missing("no NPB; expected --npb DIR, a folder with NPB's programs")
        program = (sources.npb / name).absolute()
        if not program.exists():
            raise Missing(f"{program} is not there; expected NPB 3.4, built with MPI")
        return [str(program)]

    return command


def _run(words: list[str], expected: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [""]
        raise Missing(f"`{' '.join(words)}` failed: {said[0]}; {expected}")


# Sorted by name. Classes and sizes so that sending counts and a run takes seconds.
PROGRAMS = {
    "fftw": Program(transform, layer="coll"),
    "lammps": Program(lammps),
    "npb-cg": Program(npb("cg.A.x")),
    "npb-lu": Program(npb("lu.W.x")),
    "npb-sp": Program(npb("sp.W.x")),
}
