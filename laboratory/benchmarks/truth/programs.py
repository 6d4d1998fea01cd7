"""The programs of this benchmark: how to build each, and its command line without a launcher."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corewise.errors import MissingError
from corewise.files.document import read_toml
from corewise.files.table import Table
from corewise_laboratory.native import native
from corewise_laboratory.studies.emulated import built
from corewise_laboratory.studies.study import program_files

HERE = Path(__file__).parent
TRACING = HERE.parent / "tracing"
sys.path.insert(0, str(TRACING))

import overhead_programs  # noqa: E402

MELT = TRACING / "melt.lammps"
CACHE = Path(os.environ.get("CW_LAB_CACHE", Path.home() / ".cache" / "corewise" / "lab")) / "proxies"


class Missing(Exception):
    """A program can't be had here; the message is the reason."""


@dataclass(frozen=True)
class Sources:
    """Where programs come from.

    `work` takes what is built, and programs start there; `npb` is the user's folder of NPB's programs.
    `fetches` allows proxy applications to be cloned.
    """

    work: Path
    npb: Path | None
    fetches: bool = False


@dataclass(frozen=True)
class Program:
    """`command` gives the command line, built where it has to be; raises Missing.

    `layer` is the traffic that placements are found for, as in `corewise map --layer`; `n_ranks` is the
    number of ranks, None for one on each core. sides.py says which programs are held out.
    """

    command: Callable[[Sources], list[str]]
    layer: str = "p2p"
    n_ranks: int | None = None


def lammps(sources: Sources) -> list[str]:
    """Debian's LAMMPS: a Lennard-Jones melt of 32,000 atoms, 100 steps."""
    if shutil.which("lmp") is None:
        raise Missing("lmp was not found; expected Debian's lammps")
    return ["lmp", "-in", str(MELT), "-log", "none"]


def hpl(sources: Sources) -> list[str]:
    """HPL with N = 2000 on a grid of 2 x 8, as the study leng-emulated builds and feeds it."""
    values = {"size": "2000", "p": "2", "q": "8"}
    (sources.work / "HPL.dat").write_text(program_files(["HPL.dat"], values)["HPL.dat"])
    return [_of_lab("hpl")]


def transform(sources: Sources) -> list[str]:
    """FFTW's transform (transform.c): five pairs of 128^3."""
    program = sources.work / "transform"
    words = ["mpicc.openmpi", "-O2", str(HERE / "transform.c"), "-o", str(program)]
    _run([*words, "-lfftw3_mpi", "-lfftw3", "-lm"], "expected Debian's libfftw3-dev and libfftw3-mpi-dev")
    return [str(program), "128", "5"]


def microbench(name: str, *options: str) -> Callable[[Sources], list[str]]:
    """A micro-benchmark of corewise, for Open MPI."""

    def command(sources: Sources) -> list[str]:
        try:
            return [native(f"microbench-openmpi/{name}"), *options]
        except MissingError as error:
            raise Missing(str(error)) from error

    return command


def gromacs(sources: Sources) -> list[str]:
    """Debian's GROMACS: 100 steps of 6,000 atoms of water, as laboratory/benchmarks/tracing prepares them."""
    try:
        return [*overhead_programs.gromacs(sources.work).command, "-nsteps", "100"]
    except overhead_programs.Missing as missing:
        raise Missing(str(missing)) from missing


def npb(name: str) -> Callable[[Sources], list[str]]:
    """A program of NPB, named benchmark.CLASS.x, of the user's folder."""

    def command(sources: Sources) -> list[str]:
        if sources.npb is None:
            raise Missing(f"no {name}; expected --npb DIR, a folder with programs of NPB 3.4-MPI")
        program = (sources.npb / name).absolute()
        if not program.exists():
            raise Missing(f"{program} is not there; expected NPB 3.4-MPI, built with Open MPI")
        return [str(program)]

    return command


def ptrans(sources: Sources) -> list[str]:
    """hpcc's PTRANS: a matrix of 2000 x 2000, blocks of 80 x 80, a grid of 4 x 4."""
    return [_of_lab("ptrans"), "2000", "80", "4", "4"]


def proxy(name: str, row: Table) -> Program:
    """A proxy application, cloned at its commit and built in the lab's cache unless it is there."""
    commit, repository = row.get("commit", str), row.get("repository", str)

    def command(sources: Sources) -> list[str]:
        folder = CACHE / f"{name}-{commit[:12]}"
        if not folder.exists():
            if not sources.fetches:
                raise Missing(f"{repository} is not built; expected --proxies, which clones it")
            _build(folder, f"https://github.com/{repository}", commit, row.get("build", str))
        for file, text in row.get("files", dict, {}).items():
            (sources.work / file).write_text(str(text))
        return row.get("command", str).format(folder=folder).split()

    return Program(command, n_ranks=row.whole("n_ranks", default=0) or None)


def _build(folder: Path, address: str, commit: str, script: str) -> None:
    """Builds in a temporary folder and renames it, so that an interrupted build leaves nothing."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    _run(["git", "clone", "--quiet", address, str(part)], f"expected a network that reaches {address}")
    _run(["git", "-C", str(part), "checkout", "--quiet", commit], f"expected the commit in {address}")
    _run(["bash", "-ec", script], "expected make, Open MPI's compilers and gfortran", part)
    part.rename(folder)


def _of_lab(name: str) -> str:
    """The path of the program that the lab's script of that name builds."""
    try:
        return built(name)
    except MissingError as error:
        raise Missing(str(error)) from error


def _run(words: list[str], expected: str, folder: Path | None = None) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [""]
        raise Missing(f"`{' '.join(words)}` failed: {said[0]}; {expected}")


_ONE_SIZE = ("--sizes", "131072", "--repeats", "20", "--warmup", "1")

# Classes and sizes so that sending counts and a run takes seconds.
PROGRAMS = {
    "binomial": Program(microbench("binomial", *_ONE_SIZE)),
    "fftw": Program(transform, layer="coll"),
    "gromacs": Program(gromacs),
    "hpl": Program(hpl),
    "lammps": Program(lammps),
    "npb-bt": Program(npb("bt.W.x")),
    "npb-cg": Program(npb("cg.A.x")),
    "npb-ft": Program(npb("ft.W.x"), layer="coll"),
    "npb-is": Program(npb("is.A.x"), layer="coll"),
    "npb-lu": Program(npb("lu.W.x")),
    "npb-mg": Program(npb("mg.A.x")),
    "npb-sp": Program(npb("sp.W.x")),
    "ptrans": Program(ptrans),
    "random": Program(microbench("random", *_ONE_SIZE, "--ranks-per-node", "2")),
    "recursive-doubling": Program(microbench("recursive-doubling", *_ONE_SIZE)),
    "ring": Program(microbench("ring", *_ONE_SIZE)),
}
_PROXIES = read_toml(HERE / "proxies.toml", "proxy applications")
PROGRAMS |= {name: proxy(name, _PROXIES.table(name)) for name in _PROXIES.values}
