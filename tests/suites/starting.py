"""Starts a program plainly or by a command of corewise, with a time limit, and leaves no process of it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from mpis_here import Mpi

COREWISE = Path(sys.executable).with_name("corewise")
TIMED_OUT = 124  # exit code of a command whose time was up, as of timeout(1)
GRACE_S = 20.0  # corewise ends a launcher, its daemons and the ranks, each within 5 s
PLAIN, MODES = "plain", ("count", "events", "run", "steer", "time", "verify")
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


def command(mode: str, mpi: Mpi, ranks: list[str], words: list[str], scratch: Path) -> list[str]:
    """The command that starts a program in this mode: `ranks` are the launcher's options ("-n", N, ...).

    corewise's own files go to the empty folder `scratch`.
    """
    if mode == "verify":
        return [mpi.mpirun, *_observer(mpi, scratch), *ranks, *words]
    if mode == "steer" and mpi.family != "openmpi" and int(ranks[1]) <= len(os.sched_getaffinity(0)):
        ranks = [*ranks, "-bind-to", "core"]  # steering needs bound ranks, and Open MPI binds two by default
    plain = [mpi.mpirun, *ranks, *words]
    if mode == PLAIN:
        return plain
    if mode == "steer":
        return [str(COREWISE), "steer", "-o", str(scratch / "log"), "--", *plain]
    if mode == "run":
        placement = str(scratch / "placement.json")
        _place_in_a_ring(int(ranks[1]), placement)
        return [str(COREWISE), "run", "--placement", placement, "--", *plain]
    return [str(COREWISE), "trace", "-o", str(scratch / "profile"), "--mode", mode, "--", *plain]


def _observer(mpi: Mpi, scratch: Path) -> list[str]:
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
    words = [
        [f"{name}={value}"] if mpi.family == "openmpi" else [name, value] for name, value in given.items()
    ]
    option = "-x" if mpi.family == "openmpi" else "-genv"
    return [word for pair in words for word in (option, *pair)]


def _place_in_a_ring(n_ranks: int, placement: str) -> None:
    """Ranks in a ring that share the cores of this machine."""
    sent = [[int(to == (rank + 1) % n_ranks) for to in range(n_ranks)] for rank in range(n_ranks)]
    square = Path(placement).with_name("square.txt")
    square.write_text("".join(" ".join(map(str, row)) + "\n" for row in sent))
    options = ["--format", "text", "--machine", "local", "--oversubscribe", "--solver", "block"]
    argv = [str(COREWISE), "map", str(square), *options, "-o", placement]
    subprocess.run(argv, check=True, capture_output=True, timeout=100)


def environment(given_by_suite: tuple[tuple[str, str], ...] = ()) -> dict[str, str]:
    """The user's environment with the suite's variables. Root may start ten ranks on two cores."""
    given = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }
    return os.environ | given | dict(given_by_suite)


def prepare() -> None:
    """Prepares this process: orphans of what it starts become its children, and SIGTERM ends them, too."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def run(argv: list[str], folder: Path, environment: dict[str, str], out: IO, err: IO, limit_s: float) -> int:
    """Runs a command in `folder`. Returns its exit code, 128 + signal, or TIMED_OUT. Needs prepare()."""
    try:
        job = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            status = job.wait(limit_s)
            return status if status >= 0 else 128 - status
        except subprocess.TimeoutExpired:
            job.terminate()
            with suppress(subprocess.TimeoutExpired):
                job.wait(GRACE_S)
            return TIMED_OUT
    finally:
        end_children()


def end_children() -> None:
    """Kills every child, and processes that become children because of that."""
    while found := children():
        for child in found:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def children() -> list[int]:
    """The process ids of all children."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
