"""Reads a program's file: which MPI it uses, whether it is a script that binds, how it starts threads."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from corewise.launchers.mpi_family import family_among
from corewise.start.elf import read_elf
from corewise.start.programs import SHELLS, output_of

MOST_SCRIPT_BYTES = 2**20

# Symbols of functions that start a thread -> their usual name (libstdc++ has had two for std::thread).
_THREAD_STARTS = {
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE": "std::thread",
    "_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEEPFvvE": "std::thread",
    "pthread_create": "pthread_create",
    "thrd_create": "thrd_create",
}
_THREAD_LIBRARIES = {r"\blibtbb\.so": "TBB", r"\blibboost_thread\b": "Boost.Thread"}

_BINDS = re.compile(
    r"\b(taskset|numactl|hwloc-bind|likwid-pin|sched_setaffinity|GOMP_CPU_AFFINITY|KMP_AFFINITY|OMP_PLACES)\b"
)


@dataclass(frozen=True)
class ProgramFile:
    """`family` is the MPI family whose library the program loads, None if unknown.

    `is_script`: a shell runs it, so it may change a rank's mask. `binds_by` is the first word in the script
    that binds. `threads` is the function or library by which the program starts threads, apart from OpenMP;
    None if there is none. `speaks_pmi2`: the program's Open MPI was built for Slurm's PMI-2.
    """

    family: str | None = None
    is_script: bool = False
    binds_by: str | None = None
    threads: str | None = None
    speaks_pmi2: bool = False


UNKNOWN = ProgramFile()


def read_program(path: str, arguments: list[str]) -> ProgramFile:
    """Reads the file at `path`. If it is a shell, the `arguments` after it name the script."""
    if Path(path).name in SHELLS:
        return ProgramFile(is_script=True, binds_by=_first_that_binds(_text_for_shell(arguments)))
    text = _script(Path(path))
    if text is not None:
        return ProgramFile(is_script=True, binds_by=_first_that_binds(text))
    libraries = output_of(["ldd", path]) if shutil.which("ldd") else ""
    elf = read_elf(Path(path), frozenset(_THREAD_STARTS))
    starts = sorted(_THREAD_STARTS[name] for name in elf.used) if elf else []
    starts += [name for pattern, name in _THREAD_LIBRARIES.items() if re.search(pattern, libraries)]
    # std::thread calls pthread_create itself.
    threads = next((name for name in reversed(starts) if name != "pthread_create"), next(iter(starts), None))
    return ProgramFile(family_among(libraries), threads=threads, speaks_pmi2=_speaks_pmi2(libraries))


def _script(path: Path) -> str | None:
    """The text of a file that begins with `#!`; None for other files."""
    try:
        with path.open("rb") as file:
            start = file.read(2)
            return (start + file.read(MOST_SCRIPT_BYTES)).decode(errors="replace") if start == b"#!" else None
    except OSError:
        return None


def _text_for_shell(arguments: list[str]) -> str:
    """The command of `sh -c COMMAND`, or the script of `sh SCRIPT`."""
    for i, word in enumerate(arguments):
        if re.fullmatch(r"-\w*c", word):
            return " ".join(arguments[i + 1 : i + 2])
        if not word.startswith("-"):
            return _script(Path(word)) or ""
    return ""


def _first_that_binds(text: str) -> str | None:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return next((found[0] for line in lines if (found := _BINDS.search(line))), None)


def _speaks_pmi2(libraries: str) -> bool:
    """Whether Open MPI 4 has the component that `configure --with-pmi` builds for Slurm's PMI-2."""
    found = re.search(r"\blibmpi\.so\.40 => (\S+)", libraries)
    if found is None:
        return False
    near = Path(found[1]).parent
    return any(any(near.glob(f"{folder}/mca_pmix_s2.so")) for folder in ("openmpi*", "openmpi*/lib/openmpi*"))
