"""Reads a program's file: which MPI it uses, whether it is a script that binds, how it starts threads."""

from __future__ import annotations

import re
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from corewise.errors import InputError
from corewise.launchers.mpi_family import family_among
from corewise.start.programs import SHELLS, output_of

PT_INTERP = 3
SHT_SYMTAB, SHT_DYNSYM = 2, 11
SHN_UNDEF = 0
PROGRAM_HEADER, SECTION_HEADER, SYMBOL = "I52x", "IIQQQQIIQQ", "IBBHQQ"


@dataclass(frozen=True)
class Elf:
    """`defined` includes symbols for debuggers only; `used` are symbols that another file must define."""

    is_static: bool  # without a dynamic linker
    defined: frozenset[str]
    used: frozenset[str]


def read_elf(path: Path, names: frozenset[str]) -> Elf | None:
    """Which of `names` a program or library defines or uses; None if the file is not 64-bit ELF.

    Source: System V ABI, chapter 4, "Object files"; ELF-64 Object File Format 1.5.
    """
    try:
        with path.open("rb") as file:
            return _read(file, names)
    except (OSError, struct.error):
        return None


def _read(file: BinaryIO, names: frozenset[str]) -> Elf | None:
    identity = file.read(16)
    if identity[:5] != b"\x7fELF\x02":
        return None
    order = "<" if identity[5] == 1 else ">"
    head = struct.unpack(f"{order}HHIQQQIHHHHHH", file.read(48))
    segments_at, sections_at, n_segments, n_sections = head[4], head[5], head[9], head[11]
    segments = _table(file, order + PROGRAM_HEADER, segments_at, n_segments)
    sections = _table(file, order + SECTION_HEADER, sections_at, n_sections)
    defined: set[str] = set()
    used: set[str] = set()
    for _, kind, _, _, at, size, strings, *_ in sections:
        if kind not in (SHT_SYMTAB, SHT_DYNSYM):
            continue
        text = _bytes(file, sections[strings][4], sections[strings][5])
        for name, section in _symbols(_bytes(file, at, size), order, text, names):
            (used if section == SHN_UNDEF else defined).add(name)
    return Elf(all(kind != PT_INTERP for (kind,) in segments), frozenset(defined), frozenset(used))


def _symbols(table: bytes, order: str, text: bytes, names: frozenset[str]) -> list[tuple[str, int]]:
    """(name, section) of the symbols that are among `names`."""
    offsets = {}
    for name in names:
        at = text.find(f"\0{name}\0".encode())
        while at >= 0:
            offsets[at + 1] = name
            at = text.find(f"\0{name}\0".encode(), at + 1)
    if not offsets:
        return []
    whole = len(table) // struct.calcsize(order + SYMBOL) * struct.calcsize(order + SYMBOL)
    symbols = struct.iter_unpack(order + SYMBOL, table[:whole])
    return [(offsets[offset], section) for offset, _, _, section, _, _ in symbols if offset in offsets]


def _table(file: BinaryIO, form: str, at: int, n: int) -> list[tuple[Any, ...]]:
    return list(struct.iter_unpack(form, _bytes(file, at, n * struct.calcsize(form))))


def _bytes(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    found = file.read(size)
    if len(found) < size:
        raise struct.error("ends early")
    return found


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


INITS = frozenset(
    f"{stem}{end}"
    for stem, ends in (
        ("MPI_Init", ("", "_thread")),
        ("MPI_Session_init", ("",)),
        ("mpi_init", ("_", "_thread_", "_f08_", "_thread_f08_")),
        ("mpi_session_init", ("_", "_f08_")),
    )
    for end in ends
)

# Programs that start containers, with the option that makes a folder of the host visible.
CONTAINERS = {
    "apptainer": "--bind {0}",
    "ch-run": "--bind {0}:{0}",
    "docker": "--volume {0}:{0}",
    "enroot": "--mount {0}:{0}",
    "podman": "--volume {0}:{0}",
    "sarus": "--mount=type=bind,source={0},destination={0}",
    "shifter": "--volume={0}:{0}",
    "singularity": "--bind {0}",
}
# Programs that start containers with an empty environment, and the option that passes variables.
EMPTY_ENVIRONMENT = {"docker": "and --env for LD_PRELOAD and each COREWISE_ variable", "podman": "--env-host"}


def refuse_unrecordable(program: str) -> None:
    """Raises InputError if the tracer can't be loaded into the program, or would not see its calls.

    Scripts, and programs that may load MPI while they run, are accepted.
    """
    elf = read_elf(Path(program), INITS)
    if elf is None:
        return
    if elf.is_static:
        raise InputError(
            f"'{program}' is linked statically, so nothing that records its calls can be loaded into it; "
            "link it dynamically with the MPI library (without -static)"
        )
    if elf.defined & INITS:
        raise InputError(
            f"'{program}' holds the MPI library itself, so its calls reach nobody else; link it with the "
            "shared MPI library in place of the static one (libmpi.a)"
        )


def doubt_of(program: str, library: str) -> str | None:
    """Why `library` may not be loaded into the started program; None for most programs."""
    name = Path(program).name
    if name not in CONTAINERS:
        return None
    option = CONTAINERS[name].format(Path(library).parent)
    if name in EMPTY_ENVIRONMENT:
        option += f" {EMPTY_ENVIRONMENT[name]}"
    return (
        f"'{name}' starts a container, and its program is recorded only if the container has the preload "
        f"library and the environment of the ranks; add to '{name}':  {option}"
    )
