"""Programs whose MPI calls nobody can record, found out before they run."""

from __future__ import annotations

import re
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.elf import read_elf
from corewise.execute.programs import output_of

INITS = frozenset(
    f"{stem}{end}"
    for stem, ends in (
        ("MPI_Init", ("", "_thread")),
        ("mpi_init", ("_", "_thread_", "_f08_", "_thread_f08_")),
    )
    for end in ends
)
SESSION = "MPI_Session_init"


def refuse_unrecordable(program: str) -> None:
    """Raises InputError for a program that the tracer can't be loaded into, or that it would see nothing of.

    A script, and a program that may open MPI by itself while it runs, are taken as they are.
    """
    elf = read_elf(Path(program), INITS | {SESSION})
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
    if SESSION in elf.wanted and not elf.wanted & INITS and not _libraries_start_mpi(program):
        raise InputError(
            f"'{program}' starts MPI by MPI_Session_init alone, and nothing is recorded of sessions; "
            "expected a program that calls MPI_Init or MPI_Init_thread"
        )


def _libraries_start_mpi(program: str) -> bool:
    """Does a library that the program loads call MPI_Init? MPI's own ones, which all do, are not asked."""
    paths = re.findall(r"^\s*(?:.* => )?(/.+) \(0x", output_of(["ldd", program]), re.MULTILINE)
    others = [path for path in paths if not Path(path).name.startswith("libmpi")]
    found = [read_elf(Path(path), INITS) for path in others]
    return any(elf is not None and elf.wanted & INITS for elf in found)
