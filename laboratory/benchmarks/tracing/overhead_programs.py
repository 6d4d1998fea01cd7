"""The programs of program_overhead.py: how to prepare them, and how to read the duration of their steps."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from traced_start import ENVIRONMENT

HERE = Path(__file__).parent
TRANSFORM = HERE.parent / "truth" / "transform.c"

# A box of water, 4 nm wide, with electrostatics by particle-mesh Ewald, whose transforms are collective.
WATER_TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
water
[ molecules ]
"""
WATER_RUN = """integrator = md
nsteps = 500
dt = 0.001
coulombtype = PME
gen_vel = yes
gen_temp = 300
nstcalcenergy = 100
"""


class Missing(Exception):
    """Why a program can't run here, as a sentence."""


@dataclass(frozen=True)
class Prepared:
    """A command line without a launcher, and a pattern for the duration of the steps in its output, s.

    `log` is a file that has the duration instead of the output.
    """

    command: list[str]
    pattern: str
    log: Path | None = None

    def seconds(self, output: str) -> float:
        """The duration in the output; raises ValueError if it is missing."""
        text = self.log.read_text() if self.log else output
        found = re.search(self.pattern, text)
        if found is None:
            raise ValueError(
                f"`{' '.join(self.command)}` did not say how long it took; found {text[-300:]!r}"
            )
        return float(found[1])


def lammps(work: Path) -> Prepared:
    """Debian's LAMMPS: a melt of 32,000 atoms, 100 steps."""
    _find("lmp", "lammps")
    return Prepared(["lmp", "-in", str(HERE / "melt.lammps"), "-log", "none"], r"Loop time of (\S+)")


def gromacs(work: Path) -> Prepared:
    """Debian's GROMACS: 500 steps of 6,000 atoms of water."""
    for program in ("gmx", "gmx_mpi"):
        _find(program, "gromacs")
    topology, parameters = work / "water.top", work / "water.mdp"
    topology.write_text(WATER_TOPOLOGY)
    parameters.write_text(WATER_RUN)
    box = ["-box", "4", "4", "4", "-o", "water.gro", "-p", topology.name]
    _run(["gmx", "solvate", "-cs", "spc216.gro", *box], work)
    files = ["-f", parameters.name, "-c", "water.gro", "-p", topology.name, "-o", "water.tpr"]
    _run(["gmx", "grompp", "-maxwarn", "9", *files], work)
    log = work / "water.log"
    command = ["gmx_mpi", "-nobackup", "mdrun", "-s", str(work / "water.tpr"), "-g", str(log)]
    command += ["-e", str(work / "water.edr"), "-cpo", str(work / "water.cpt"), "-noconfout"]
    command += ["-ntomp", "1", "-pin", "off", "-dlb", "no", "-notunepme"]
    return Prepared(command, r"Time:\s+\S+\s+(\S+)", log)


def transform(work: Path) -> Prepared:
    """FFTW's transform (transform.c): 60 pairs of 128^3, some seconds."""
    program = work / "transform"
    words = ["mpicc.openmpi", "-O2", str(TRANSFORM), "-o", str(program)]
    _run(
        [*words, "-lfftw3_mpi", "-lfftw3", "-lm"],
        work,
        "; expected Debian's libfftw3-dev and libfftw3-mpi-dev",
    )
    return Prepared([str(program), "128", "60"], r" in (\S+) s, greatest error")


def _find(program: str, package: str) -> None:
    if shutil.which(program) is None:
        raise Missing(f"{program} was not found; expected Debian's {package}")


def _run(words: list[str], work: Path, expected: str = "") -> None:
    done = subprocess.run(words, cwd=work, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [""]
        raise Missing(f"`{' '.join(words)}` failed: {said[-1]}{expected}")


PROGRAMS: dict[str, Callable[[Path], Prepared]] = {"fftw": transform, "gromacs": gromacs, "lammps": lammps}
