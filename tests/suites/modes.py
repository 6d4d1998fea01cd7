"""The ways to start a program of a suite: plainly, and by each command of corewise."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mpis_here import Mpi

from suites.programs import Program
from suites.starting import COREWISE

PLAIN = "plain"


@dataclass(frozen=True)
class Start:
    """A command and its environment."""

    argv: list[str]
    environment: dict[str, str]


def launch(program: Program, mpi: Mpi, words: list[str], options: tuple[str, ...] = ()) -> list[str]:
    """The command that a user would type. `words` are the program's."""
    return [mpi.mpirun, *options, *program.launcher_options, "-n", str(program.n_ranks), *words]


def environment(program: Program, mpi: Mpi) -> dict[str, str]:
    """The user's environment, with the suite's variables.

    Two cores may run ten ranks, and root may start them.
    """
    given = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }
    return os.environ | given | dict(program.environment)


def _plain(program: Program, mpi: Mpi, words: list[str], scratch: Path) -> list[str]:
    return launch(program, mpi, words)


def _trace(mode: str) -> Callable[[Program, Mpi, list[str], Path], list[str]]:
    def command(program: Program, mpi: Mpi, words: list[str], scratch: Path) -> list[str]:
        own = [str(COREWISE), "trace", "-o", str(scratch / "profile"), "--mode", mode]
        return [*own, "--", *launch(program, mpi, words)]

    return command


def _run(program: Program, mpi: Mpi, words: list[str], scratch: Path) -> list[str]:
    """Ranks in a ring that share the cores of this machine."""
    placement = scratch / "placement.json"
    placement.write_text(_placement_of(program.n_ranks))
    return [str(COREWISE), "run", "--placement", str(placement), "--", *launch(program, mpi, words)]


@cache
def _placement_of(n_ranks: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        square, placement = Path(folder) / "square.txt", Path(folder) / "placement.json"
        sent = [[int(to == (rank + 1) % n_ranks) for to in range(n_ranks)] for rank in range(n_ranks)]
        square.write_text("".join(" ".join(map(str, row)) + "\n" for row in sent))
        argv = [
            str(COREWISE),
            "map",
            str(square),
            "--format",
            "text",
            "--machine",
            "local",
            "--oversubscribe",
            "--solver",
            "block",
        ]
        subprocess.run([*argv, "-o", str(placement)], check=True, capture_output=True, timeout=100)
        return placement.read_text()


def _steer(program: Program, mpi: Mpi, words: list[str], scratch: Path) -> list[str]:
    """Each rank needs a core. Open MPI binds two ranks by default; MPICH needs an option.

    Programs that spawn aren't bound, because MPICH 5's mpiexec then ends with exit code 255, also without
    corewise.
    """
    alone = program.n_ranks <= len(os.sched_getaffinity(0)) and "spawn" not in program.name
    bound = ("-bind-to", "core") if alone and mpi.family != "openmpi" else ()
    own = [str(COREWISE), "steer", "-o", str(scratch / "log")]
    return [*own, "--", *launch(program, mpi, words, bound)]


def _verify(program: Program, mpi: Mpi, words: list[str], scratch: Path) -> list[str]:
    """Only the observer that reads masks back, preloaded as described in preload/README.md."""
    import corewise

    library = Path(corewise.__file__).parent / "native" / f"libcorewise_pmpi_{mpi.family}.so"
    given = {
        "LD_PRELOAD": str(library),
        "COREWISE_DIR": str(scratch / "profile"),
        "COREWISE_OBSERVE": "verify",
        "COREWISE_JOB": str(scratch),
        "COREWISE_SPAWNED": "1",
    }
    options: list[str] = []
    for name, value in given.items():
        options += ["-x", f"{name}={value}"] if mpi.family == "openmpi" else ["-genv", name, value]
    return launch(program, mpi, words, tuple(options))


MODES = {
    PLAIN: _plain,
    "count": _trace("count"),
    "events": _trace("events"),
    "run": _run,
    "steer": _steer,
    "time": _trace("time"),
    "verify": _verify,
}


def start(mode: str, program: Program, mpi: Mpi, words: list[str], scratch: Path) -> Start:
    """The command that starts the program in this mode. corewise's own files go to the empty `scratch`."""
    return Start(MODES[mode](program, mpi, words, scratch), environment(program, mpi))
