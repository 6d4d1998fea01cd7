"""What a program's file says of it: its MPI, that it is a script that may bind, that it starts threads."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from corewise.execute.elf import read_elf
from corewise.execute.programs import SHELLS, output_of
from corewise.launchers.mpi_family import family_among

MOST_SCRIPT_BYTES = 2**20

# Functions that start a thread, as the linker calls them -> as people do (std::thread: libstdc++ had two).
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
    """`family` is the MPI whose library the program loads, None if it doesn't tell.

    `is_script`: a shell starts it, so nobody has seen what it does to a rank's mask. `binds_by` is the first
    word in it that binds. `threads` names what the program starts threads by, apart from OpenMP; None if it
    names nothing that does. `speaks_pmi2`: an Open MPI built for Slurm's PMI-2.
    """

    family: str | None = None
    is_script: bool = False
    binds_by: str | None = None
    threads: str | None = None
    speaks_pmi2: bool = False


UNKNOWN = ProgramFile()


def read_program(path: str, arguments: list[str]) -> ProgramFile:
    """Reads the file at `path`; `arguments` are the words after it, among which a shell finds its script."""
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
    """The text of a file that begins with `#!`; None for others."""
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
    """Open MPI 4 has a component for Slurm's PMI-2 if it was built with it (configure --with-pmi)."""
    found = re.search(r"\blibmpi\.so\.40 => (\S+)", libraries)
    if found is None:
        return False
    near = Path(found[1]).parent
    return any(any(near.glob(f"{folder}/mca_pmix_s2.so")) for folder in ("openmpi*", "openmpi*/lib/openmpi*"))
