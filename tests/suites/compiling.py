"""Compiles programs of several sources, C and Fortran, with an MPI's compiler wrappers; keeps the results."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mpis_here import Mpi

from suites.programs import NotBuilt

COMPILE_LIMIT_S = 240
FORTRAN = (".f", ".f90", ".F90")
# MPI's examples pass arrays of several types to one choice argument, which gfortran 10 and later refuse.
FORTRAN_FLAGS = ("-fallow-argument-mismatch", "-ffree-line-length-none")


@dataclass(frozen=True)
class Sources:
    """The sources of a program. `flags` are used for every source, `libraries` come last."""

    files: Sequence[Path]
    flags: Sequence[str] = ()
    libraries: Sequence[str] = ()


def executable(target: Path, sources: Sources, mpi: Mpi) -> Path:
    """Compiles and links `target`. Raises NotBuilt, also for later calls with the same target."""
    refused = target.with_name(target.name + ".refused")
    if refused.exists():
        raise NotBuilt(refused.read_text())
    if target.exists():
        return target
    try:
        _link(target, sources, mpi)
    except NotBuilt as why:
        refused.write_text(str(why))
        raise
    return target


def archive(target: Path, sources: Sources, mpi: Mpi) -> Path:
    """A static library of these sources."""
    if not target.exists():
        _run(["ar", "rcs", str(target), *_objects(target, sources, mpi)])
    return target


def _link(target: Path, sources: Sources, mpi: Mpi) -> None:
    fortran = any(path.suffix in FORTRAN for path in sources.files)
    objects = _objects(target, sources, mpi)
    linked = target.with_name(target.name + f".{os.getpid()}")  # for interrupted runs
    _run([_compiler(fortran, mpi), *objects, "-o", str(linked), *sources.libraries, "-lm", "-lpthread"])
    linked.rename(target)


def _objects(target: Path, sources: Sources, mpi: Mpi) -> list[str]:
    folder = target.with_name(target.name + ".objects")
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    # By convention modules come last among the sources, but they are needed first: helpers before programs.
    for path in sorted(sources.files, key=lambda path: path != sources.files[-1]):
        fortran = path.suffix in FORTRAN
        own = [*FORTRAN_FLAGS, "-J", str(folder)] if fortran else []
        objects.append(str(folder / f"{path.name}.o"))
        compiler = [_compiler(fortran, mpi), "-w", "-g", "-O1", *own, f"-I{path.parent}", *sources.flags]
        _run([*compiler, "-c", str(path), "-o", objects[-1]])
    return objects


def _compiler(fortran: bool, mpi: Mpi) -> str:
    if fortran and not mpi.mpifort:
        raise NotBuilt("this MPI has no Fortran compiler")
    return mpi.mpifort if fortran else mpi.mpicc


def _run(argv: list[str]) -> None:
    try:
        done = subprocess.run(argv, capture_output=True, timeout=COMPILE_LIMIT_S)
    except subprocess.TimeoutExpired as error:
        raise NotBuilt(f"the compiler took longer than {COMPILE_LIMIT_S} s") from error
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").splitlines()
        telling = [line for line in lines if "rror" in line or "undefined reference" in line]
        raise NotBuilt((telling or lines or ["the compiler failed"])[0])
