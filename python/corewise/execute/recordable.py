"""Programs whose MPI calls nobody can record, found out before they run."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.execute.elf import read_elf

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


def refuse_unrecordable(program: str) -> None:
    """Raises InputError for a program that the tracer can't be loaded into, or that it would see nothing of.

    A script, and a program that may open MPI by itself while it runs, are taken as they are.
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
