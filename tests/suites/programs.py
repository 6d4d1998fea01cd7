"""The programs of a suite: a folder with MPICH's testlists, or one program for each source file."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mpis_here import Mpi

# MPICH's runtests gives a program 180 s. Most end within a second, so a shorter limit saves minutes per hang.
LIMIT_S = 60.0
COMPILE_LIMIT_S = 240
# The suite's kinds of results (`resultTest`) that need an exit code other than 0.
WANT_FAILURE = ("TestStatus", "TestStatusNoErrors", "TestErrFatal")
_MAIN = re.compile(r"\bmain\s*\(")
_MPI = re.compile(r'#\s*include\s*[<"]mpi\.h[">]|common\.h"')


class NotBuilt(Exception):
    """The program can't be built with this MPI. The message is the first line of the reason."""


@dataclass(frozen=True)
class Program:
    """One program to start. `name` is unique in the suite and contains the folder and the arguments.

    `path` is a source that must be compiled first (.c), or an executable. `expects_failure`: the suite
    expects an exit code other than 0. `success`: a line that standard output must contain.
    """

    name: str
    path: Path
    n_ranks: int = 2
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    limit_s: float = LIMIT_S
    expects_failure: bool = False
    success: str | None = None


def programs(folder: Path) -> list[Program]:
    """All programs of the suite in a folder, those on few ranks first."""
    lists = sorted(folder.rglob("testlist"))
    found = _listed(folder, lists) if lists else _sources(folder)
    return sorted({program.name: program for program in found}.values(), key=lambda one: one.n_ranks)


def built(program: Program, mpi: Mpi, folder: Path) -> Path:
    """The executable; compiles a source, with helper.c for each helper.h in it. Raises NotBuilt."""
    if program.path.suffix != ".c":
        if not program.path.exists():
            raise NotBuilt(f"make did not build {program.path.name}")
        return program.path
    target = folder / re.sub(r"\W", "-", program.name)
    if target.exists():
        return target
    names = re.findall(r'#\s*include\s*"(\w+)\.h"', program.path.read_text(errors="replace"))
    helpers = [program.path.with_name(f"{name}.c") for name in names]
    sources = [program.path, *(path for path in helpers if path.exists() and not _uses(path, _MAIN))]
    folder.mkdir(parents=True, exist_ok=True)
    argv = [mpi.mpicc, "-w", "-g", "-O1", *map(str, sources), "-o", str(target), "-fopenmp", "-lm"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=COMPILE_LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise NotBuilt(f"the compiler took longer than {COMPILE_LIMIT_S} s") from error
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        raise NotBuilt(next((line for line in lines if "rror" in line or "undefined" in line), "failed"))
    return target


def _sources(folder: Path) -> Iterator[Program]:
    """Every C source with a main function that uses MPI, on two ranks."""
    for path in sorted(folder.rglob("*.c")):
        if _uses(path, _MAIN) and _uses(path, _MPI):
            yield Program(f"{path.relative_to(folder)} 2", path)


def _uses(path: Path, what: re.Pattern[str]) -> bool:
    return what.search(path.read_text(errors="replace")) is not None


def _listed(folder: Path, lists: list[Path]) -> Iterator[Program]:
    """The lines of MPICH's testlists: name, number of processes, KEY=VALUE words (see the suite's README)."""
    for path in lists:
        for line in path.read_text().splitlines():
            words = line.split()
            if len(words) > 1 and words[1].isdigit() and not words[0].startswith("#"):
                pairs = [word.partition("=")[::2] for word in words[2:]]
                if not {"xfail", "hasgpu", "mpiexecarg"} & dict(pairs).keys():
                    yield _of_line(folder, path.parent / words[0], int(words[1]), pairs)


def _of_line(folder: Path, path: Path, n_ranks: int, pairs: list[tuple[str, str]]) -> Program:
    arguments, environment = ([value for key, value in pairs if key == name] for name in ("arg", "env"))
    fails = dict(pairs).get("resultTest") in WANT_FAILURE
    return Program(
        name=" ".join([str(path.relative_to(folder)), str(n_ranks), *arguments, *environment]),
        path=path,
        n_ranks=n_ranks,
        arguments=tuple(arguments),
        environment=tuple(word.partition("=")[::2] for word in environment),
        limit_s=max(LIMIT_S, float(dict(pairs).get("timeLimit", 0))),
        expects_failure=fails,
        success=None if fails else "No Errors",
    )
