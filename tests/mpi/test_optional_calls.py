"""A program that asks whether an MPI function exists gets the same answer with the preload library."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import every_call
import mpi_jobs
import pytest
from conftest import EVERY_MPI, Mpi, installed

BY_HAND = ("Init", "Init_thread", "Finalize", "Session_init", "Session_finalize", "Pcontrol")
C_NAMES = [*every_call.CALLS, *(f"MPI_{stem}" for stem in BY_HAND)]
FORTRAN_NAMES = [
    form.format(name.removeprefix("MPI_").lower()) for name in C_NAMES for form in ("mpi_{}_", "mpi_{}_f08_")
]
NAMES = [*C_NAMES, *FORTRAN_NAMES, "PMIx_Spawn"]


def built(folder: Path, compiler: str, *flags: str) -> Path:
    (folder / "names.h").write_text("".join(f"WEAK({name})\n" for name in NAMES))
    out = folder / f"program{len(list(folder.iterdir()))}"
    source = str(mpi_jobs.PROGRAMS / "optional.c")
    argv = [compiler, "-w", f"-I{folder}", source, *flags, "-o", str(out)]
    subprocess.run(argv, check=True, timeout=100)
    return out


def answers(argv: list[str], **given: str) -> dict[str, str]:
    done = subprocess.run([*argv, *NAMES], env=os.environ | given, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def without_texts(found: dict[str, str]) -> dict[str, str]:
    """The answers with 0 in place of 2 (dlsym() returned NULL, and dlerror() has no text)."""
    return {name: answer.replace("2", "0") for name, answer in found.items()}


def check_same(argv: list[str], family: str, exact: list[str]) -> dict[str, str]:
    """Checks that the answers are the same with the library; returns them.

    For names that are not in `exact`, whose own library isn't loaded, the text of dlerror() may be missing.
    """
    plain = answers(argv)
    found = answers(argv, LD_PRELOAD=str(mpi_jobs.library(family)))
    assert len(plain) == len(NAMES)
    assert without_texts(found) == plain
    assert {name: found[name] for name in exact} == {name: plain[name] for name in exact}
    return plain


@pytest.mark.parametrize("bind", ["-Wl,-z,lazy", "-Wl,-z,now"])
@pytest.mark.parametrize("name", EVERY_MPI)
def test_a_program_that_links_mpi(name, bind, tmp_path):
    mpi = installed(name)
    library = built(tmp_path, mpi.mpicc, "-DLIBRARY", "-shared", "-fPIC")
    program = built(tmp_path, mpi.mpicc, "-Wl,--no-as-needed", bind, str(library), f"-Wl,-rpath,{tmp_path}")
    plain = check_same([str(program)], mpi.family, C_NAMES)
    assert plain["MPI_Init"] == "weak 1 default 1 next 1 handle 1 in library 1"
    here = int(name != "openmpi")  # Open MPI 4.1 lacks MPI 4
    assert plain["MPI_Isendrecv"] == f"weak {here} default {here} next {here} handle {here} in library {here}"


def test_a_program_that_links_fortran(family, tmp_path):
    wrapper = mpi_jobs.tool(family, "mpif90")
    shown = subprocess.run([wrapper, "-show"], check=True, capture_output=True, text=True, timeout=60).stdout
    flags = [word for word in shown.split() if word.startswith(("-L", "-l", "-Wl"))]
    program = built(tmp_path, "gcc", "-Wl,--no-as-needed", *flags)
    plain = check_same([str(program)], family, [*C_NAMES, *FORTRAN_NAMES])
    assert plain["mpi_send_"].startswith("weak 1 default 1")


def test_a_program_without_mpi(family, tmp_path):
    program = built(tmp_path, "gcc", "-Wl,-z,dynamic-undefined-weak")
    plain = check_same([str(program)], family, [])
    assert plain["MPI_Barrier"] == "weak 0 default 0 next 0 handle 0 in library -1"


def library_of(mpi: Mpi, folder: Path) -> str:
    """The path of the MPI library that programs load."""
    program = built(folder, mpi.mpicc, "-Wl,--no-as-needed")
    shown = subprocess.run(
        ["ldd", str(program)], check=True, capture_output=True, text=True, timeout=60
    ).stdout
    return next(line.split()[2] for line in shown.splitlines() if line.split()[0].startswith("libmpi"))


@pytest.mark.parametrize("name", EVERY_MPI)
def test_a_program_that_opens_mpi(name, tmp_path):
    mpi = installed(name)
    program = built(tmp_path, "gcc", "-DOPENED")
    plain = check_same([str(program), library_of(mpi, tmp_path)], mpi.family, C_NAMES)
    assert plain["MPI_Barrier"].startswith("weak 0 default 1")
