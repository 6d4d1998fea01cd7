"""Tries the main job with each MPI: traces two ranks, maps them, and runs them under the placement."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import CorewiseError, MissingError, RunError
from corewise.execute.known_noise import reason_in
from corewise.installation import two_ranks
from corewise.installation.here import FoundLauncher, Here
from corewise.nouns.installation import Trial
from corewise.text.exit_codes import exit_text

if TYPE_CHECKING:
    from corewise.launchers import Launcher
    from corewise.nouns.run import Run

N_RANKS = 2
TIMEOUT_S = 30.0  # for each of the two runs, which take about 0.5 s
_LIBRARIES = {"openmpi": ("libmpi.so.40",), "mpich": ("libmpi.so.12", "libmpich.so.12")}
_FOLDERS = ("lib", "lib64")  # in the launcher's installation


def look(here: Here) -> str:
    """Returns "" if programs of some launcher can be traced; raises MissingError if not."""
    if any(map(here.traced, here.mpis)):
        return ""
    if here.mpis:
        raise MissingError(
            f"no preload library for {here.mpis[0].title} was built; install corewise again where an MPI "
            "has its compiler wrapper"
        )
    raise MissingError("no mpirun or mpiexec of Open MPI or MPICH is on PATH")


def attempt(here: Here) -> list[Trial]:
    """One trial for each MPI on PATH."""
    look(here)
    return [_trial(found) for found in here.mpis]


def _trial(found: FoundLauncher) -> Trial:
    what = f"{found.title} ({found.names[0]})"
    begin_s = time.monotonic()
    with tempfile.TemporaryFile() as printed:
        try:
            options = _main_job(found, printed.fileno())
        except CorewiseError as error:
            printed.seek(0)
            return Trial(what, False, _reason(error, printed.read().decode(errors="replace")))
    with_options = f", with {' '.join(options)}" if options else ""
    took_s = time.monotonic() - begin_s
    return Trial(
        what, True, f"{N_RANKS} ranks traced, mapped, run and verified in {took_s:.1f} s{with_options}"
    )


def _main_job(found: FoundLauncher, output: int) -> list[str]:
    """Runs the main job and returns the launcher options that it needed; raises CorewiseError."""
    import subprocess

    from corewise import verbs
    from corewise.execute import application, hosts_known, tracing
    from corewise.execute.placed_run import run_placed
    from corewise.execute.streams import Streams

    machine = verbs.machine("local")
    crowded = machine.n_cores < N_RANKS
    options = _options(found.launcher, crowded)
    streams = Streams(subprocess.DEVNULL, output, output)
    with tempfile.TemporaryDirectory(prefix="corewise-") as name:
        folder = Path(name)
        argv = [found.names[0], *options, "-n", str(N_RANKS), sys.executable, two_ranks.__file__]
        argv += _mpi_of(found)
        started = application.parse_application(argv)
        traced, profile = tracing.trace(started, folder / "profile", streams, timeout_s=TIMEOUT_S)
        _check(traced, "the traced run")
        if profile.n_ranks != N_RANKS:
            raise RunError(
                f"{profile.n_ranks} of {N_RANKS} ranks were traced: is it the launcher of this MPI?"
            )
        best = verbs.map(folder / "profile", machine, effort="fast", oversubscribe=crowded).placement
        known = hosts_known.asked(started)
        placed = run_placed(started, best, known, "placement", streams, TIMEOUT_S)
        _check(placed, "the placed run")
    if not placed.verified:
        seen = [rank.os_pus_seen for rank in placed.ranks]
        wanted = [rank.os_pus_wanted for rank in placed.ranks]
        raise RunError(f"the ranks ran on hardware threads {seen}; the placement says {wanted}")
    return options


def _mpi_of(found: FoundLauncher) -> list[str]:
    """The arguments of two_ranks.py: the MPI family, and possible paths of its library."""
    family = next(name for name in found.launcher.families if name in _LIBRARIES)
    prefix = Path(os.path.realpath(shutil.which(found.names[0]) or found.names[0])).parent.parent
    names = _LIBRARIES[family]
    return [family, *(str(prefix / folder / name) for folder in _FOLDERS for name in names), *names]


def _options(launcher: Launcher, crowded: bool) -> list[str]:
    """The options that let root start ranks, and two ranks share a core."""
    options = launcher.as_root.split() if os.geteuid() == 0 and not _root_may_start() else []
    return options + (launcher.shares_cores.split() if crowded else [])


def _root_may_start() -> bool:
    return os.environ.get("OMPI_ALLOW_RUN_AS_ROOT") == "1" == os.environ.get("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")


def _check(run: Run, what: str) -> None:
    if run.exit_code != 0:
        raise RunError(f"{what} ended with {exit_text(run.exit_code)}")


def _reason(error: CorewiseError, printed: str) -> str:
    """The error, with a line that the program or its launcher printed."""
    said = reason_in(printed)
    what = str(error).partition(". What it printed is above")[0]  # it isn't above here
    return f"{what}; it printed: {said}" if said else str(error)
