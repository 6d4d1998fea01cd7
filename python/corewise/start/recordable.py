"""Recognises, before the run, programs whose MPI calls can't be recorded."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.start.program_file import read_elf

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
