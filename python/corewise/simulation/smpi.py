"""SMPI, SimGrid's MPI simulator: simulates a program built for it, or replays the events of a profile.

Finds SimGrid's smpirun, chooses its options, and runs a simulation with limits of time and memory.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from corewise.errors import InputError, MissingError, option
from corewise.nouns.run import Run
from corewise.observe.repeats import Progress
from corewise.profile.reading import read_event_log
from corewise.simulation.engine import (
    MPI_NAMES,
    Engine,
    Recorded,
    Simulation,
    SimulationFailed,
    SimulationRequest,
    memory_bytes,
)
from corewise.simulation.smpi_platform import HOST_FLOPS, host_name, loopback, platform_xml
from corewise.simulation.smpi_trace import RecordedEvents, trace_of
from corewise.start.folder import private_folder
from corewise.start.process import TIMED_OUT, run_command
from corewise.start.programs import family_loaded, find_smpirun, output_of
from corewise.start.streams import Streams
from corewise.text.quantities import bytes_text, exit_text

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.simulation.engine import MpiLibrary


# smpirun, a shell script, splits arguments at blanks and expands these characters.
_UNSAFE = re.compile(r"[\s*?\[\\]")


def simulate(request: SimulationRequest) -> Simulation:
    """Simulates each placement; raises InputError, MissingError or SimulationFailed."""
    simgrid = SimGrid.find()
    with private_folder(Path(tempfile.gettempdir())) as folder:
        work = _replay(request, request.recorded, folder) if request.recorded else _live(request)
        cores = {label: _first_cores(request, label) for label in request.placements}
        platform = folder / "platform.xml"
        platform.write_text(platform_xml(request.machine, {core for of in cores.values() for core in of}))
        runs: dict[str, list[Run]] = {label: [] for label in cores}
        begin_s = time.monotonic()
        for _ in range(request.n_repeats):
            for label, of_ranks in cores.items():
                n_done = sum(map(len, runs.values()))
                request.say(Progress(label, n_done, time.monotonic() - begin_s, None))
                place = folder / f"{label}-{n_done}"
                runs[label].append(_run(request, simgrid, work, label, of_ranks, platform, place))
    return Simulation(runs, _notes(request, simgrid, work))


@dataclass(frozen=True)
class _Work:
    """What smpirun runs: `arguments` after its options, and the computing time.

    A replay's computing time is in the trace (`compute_s`, mean over ranks); a program's is measured.
    """

    arguments: list[str]
    compute_factor: float
    compute_s: float | None
    notes: list[str]

    def in_mpi_s(self, found: SmpiTimes, n_ranks: int) -> float:
        """The mean over ranks of the time not spent computing, including waiting for the last rank."""
        compute_s = self.compute_s
        if compute_s is None:
            compute_s = self.compute_factor * found.benched_s / n_ranks
        return max(0.0, found.time_s - compute_s)


def _live(request: SimulationRequest) -> _Work:
    program, *arguments = request.command
    path = _built_for_smpi(program)
    unsafe = [word for word in arguments if not word or _UNSAFE.search(word)]
    if unsafe:
        raise InputError(
            f"the argument {shlex.quote(unsafe[0])} would not reach the program unchanged: smpirun splits "
            "arguments at blanks and expands patterns; expected arguments without them"
        )
    computes = (
        f"What ranks compute takes {request.compute_factor:g} times as long as it took here, on one core."
        if request.compute_factor
        else "What ranks compute takes no time."
    )
    return _Work([path, *arguments], request.compute_factor, None, [computes])


def _built_for_smpi(program: str) -> str:
    """The program's path. Raises MissingError if it isn't there, InputError if SMPI can't load it."""
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    if "libsimgrid" in output_of(["ldd", path]):
        return os.path.abspath(path)
    family = family_loaded(path)
    found = f"was built for {family}" if family else "loads no MPI library"
    raise InputError(
        f"'{program}' {found}; the engine smpi runs programs that SimGrid's compilers built: build it again, "
        "into a separate file, with smpicc, smpicxx, smpiff or smpif90 in place of mpicc and the like"
    )


def _replay(request: SimulationRequest, recorded: Recorded, folder: Path) -> _Work:
    """Writes a trace for each rank, and the file that lists them."""
    assert recorded.found.profile is not None  # the engine takes events profiles only
    log = read_event_log(Path(recorded.path))
    trace = trace_of(RecordedEvents.of(recorded.path, log, recorded.found.profile), request.compute_factor)
    paths = [folder / f"rank-{rank}.trace" for rank in range(recorded.n_ranks)]
    for path, lines in zip(paths, trace.lines, strict=True):
        path.write_text("\n".join(lines) + "\n")
    index = folder / "traces"
    index.write_text("".join(f"{path}\n" for path in paths))
    notes = [
        f"Replayed {trace.n_actions} actions of {recorded.path}: what ranks computed between MPI calls takes "
        f"{request.compute_factor:g} times as long as recorded, the time spent waiting in calls is simulated."
    ]
    return _Work(["-replay", str(index)], 1.0, statistics.fmean(trace.compute_s), notes)


def _first_cores(request: SimulationRequest, label: str) -> list[int]:
    """Each rank's first core, on which SMPI runs it."""
    placement = request.placements[label].on(request.machine)
    return [int(placement.cores(rank)[0]) for rank in range(placement.n_ranks)]


def _run(
    request: SimulationRequest,
    simgrid: SimGrid,
    work: _Work,
    label: str,
    cores: list[int],
    platform: Path,
    place: Path,
) -> Run:
    """One simulation of a placement, its files in the folder `place`."""
    place.mkdir()
    hosts = place / "hosts"
    hosts.write_text("".join(f"{host_name(core)}\n" for core in cores))
    options = simgrid.options(request.machine, work.compute_factor, request.rules)
    files = ["-platform", str(platform), "-hostfile", str(hosts)]
    argv = [simgrid.smpirun, "-quiet", *files, *options, *work.arguments]
    try:
        found = run_smpirun(argv, place, request.output, request.timeout_s, len(cores))
    except SimulationFailed as error:
        raise SimulationFailed(f"placement '{label}': {error}") from error
    in_mpi_s = work.in_mpi_s(found, len(cores))
    return Run(label, argv, "simulated", [], found.time_s, None, in_mpi_s, exit_code=0)


def _notes(request: SimulationRequest, simgrid: SimGrid, work: _Work) -> list[str]:
    """Full sentences on what the times are valid for."""
    levels = request.machine.levels
    notes = [
        f"Simulated by {simgrid.name} (SMPI), collectives by {MPI_NAMES[request.rules]}'s rules as it has "
        f"them, broadcasts as binomial trees; messages up to {bytes_text(eager_bytes(request.machine))} "
        "without a handshake.",
        *work.notes,
    ]
    assumed = [level.name for level in levels if level.link.assumed]
    if assumed:
        notes.append(f"Latencies and bandwidths of {', '.join(assumed)} are assumed, not measured.")
    curves = [level.name for level in levels if level.link.curve]
    if curves:
        notes.append(
            f"Of {', '.join(curves)} the latency and the bandwidth count, not the curve that was measured."
        )
    if any(len(cores) > 1 for file in request.placements.values() for cores in file.cores):
        notes.append("Ranks with several cores are simulated on the first of them.")
    return notes


SMPI = Engine(
    name="smpi",
    sentence="SimGrid's simulator: a program built with its smpicc or smpif90, or an events profile replayed",
    source="simulated",
    run=simulate,
    takes=("program", "events profile"),
)


# Options that SimGrid 3.34 renamed; release 3.33 doesn't exist (src/simgrid/sg_config.cpp).
_RENAMED = {"surf/precision": "precision/timing"}
_RENAMED_SINCE = (3, 33)

# SimGrid's names for the libraries' rules that select collective algorithms.
_SELECTORS: dict[MpiLibrary, str] = {"mpich": "mpich", "openmpi": "ompi"}

# SMPI's default, if no level of the machine has an eager threshold.
DEFAULT_EAGER_BYTES = 65536
_STACK_BYTES = 8 << 20  # reserved address space for each simulated rank (contexts/stack-size)

_LIMITED = 'ulimit -v "$1" && shift && exec "$@"'
_TIME = re.compile(r"Simulated time: (\S+) seconds")
_BENCHED = re.compile(r"(\S+) seconds were actual computation of the application")
# Failures in which SimGrid still prints a time and exits with 0. Causes come before their consequences: 4.1
# reports a deadlock after an MPI_Abort.
_FAILURES = {
    "MPI_Abort was called": "the program called MPI_Abort",
    "Deadlock detected": "deadlock: ranks wait for messages that nobody sends",
    "Stalling SMPI instance": "a rank ended without MPI_Finalize",
}


@dataclass(frozen=True)
class SimGrid:
    """An smpirun and its version, such as (3, 32)."""

    smpirun: str
    version: tuple[int, ...]

    @classmethod
    def find(cls) -> SimGrid:
        """The smpirun on this machine; raises as find_smpirun() does."""
        return cls(*find_smpirun())

    @property
    def name(self) -> str:
        return f"SimGrid {'.'.join(map(str, self.version))}"

    def option(self, key: str, value: object) -> str:
        """`--cfg=key:value`, with this version's name for a key of 3.32."""
        name = _RENAMED.get(key, key) if self.version >= _RENAMED_SINCE else key
        return f"--cfg={name}:{value}"

    def options(self, machine: Machine, compute_factor: float, rules: MpiLibrary = "openmpi") -> list[str]:
        """Options so that SMPI follows the platform, and computing takes `compute_factor` times as long.

        * SMPI's own factors for bandwidth and latency are off, because they are for TCP and would apply
          within nodes too.
        * A probe for a message takes 0.1 us instead of 100.
        * Broadcasts are binomial trees, because SMPI's version of Open MPI's k-nomial tree
          (mvapich2_knomial_intra_node) corrupts the memory of replays in 3.32.
        * The precision of bandwidth shares is SimGrid's default. With 1e-9 bytes/s, which doubles can't
          represent at 1e9 bytes/s, long replays crashed.
        """
        latency_s, bandwidth = loopback(machine)
        eager = eager_bytes(machine)
        settings: dict[str, object] = {
            "smpi/bw-factor": "0:1",
            "smpi/lat-factor": "0:1",
            "network/crosstraffic": 0,
            "network/TCP-gamma": "1e15",
            "network/loopback-lat": f"{latency_s:.9g}",
            "network/loopback-bw": f"{bandwidth:.9g}",
            "surf/precision": "1e-9",
            "smpi/async-small-thresh": eager,
            "smpi/send-is-detached-thresh": eager,
            "smpi/coll-selector": _SELECTORS[rules],
            "smpi/bcast": "binomial_tree",
            "smpi/wtime": "1e-7",
            "smpi/iprobe": "1e-7",
            "smpi/test": "1e-7",
            "smpi/simulate-computation": "yes" if compute_factor else "no",
            "smpi/host-speed": f"{(compute_factor or 1) * HOST_FLOPS:.9g}f",
            "smpi/display-timing": "yes",
        }
        return [self.option(key, value) for key, value in settings.items()]


def eager_bytes(machine: Machine) -> int:
    """The longest message without a handshake; SMPI has only one threshold, so that of the top level."""
    known = [level.link.eager_bytes for level in machine.levels if level.link.eager_bytes is not None]
    return min(known[-1], 2**31 - 1) if known else DEFAULT_EAGER_BYTES


@dataclass(frozen=True)
class SmpiTimes:
    """SimGrid's times of a simulation that reached its end, s.

    `benched_s` is the measured computing time of all ranks together; 0 in a replay.
    """

    time_s: float
    benched_s: float


def run_smpirun(
    argv: list[str], place: Path, output: IO[Any] | None, timeout_s: float, n_ranks: int
) -> SmpiTimes:
    """Runs an smpirun command to its end, with its files in the folder `place`.

    Raises SimulationFailed after `timeout_s`, if it fails, or if it prints no time.
    """
    log = place / "simgrid.log"
    limit_kib = memory_bytes(n_ranks * _STACK_BYTES) // 1024
    with_log = [argv[0], f"--log=root.app:file:{log}", *argv[1:]]
    limited = ["sh", "-c", _LIMITED, "sh", str(limit_kib), *with_log]
    streams = Streams(stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    code, _ = run_command(limited, streams, timeout_s, _environment(place))
    said = log.read_text(errors="replace") if log.exists() else ""
    time_s, benched_s = _TIME.search(said), _BENCHED.search(said)
    if code == TIMED_OUT:
        limit = option("timeout", keyword="timeout_s")
        raise SimulationFailed(f"the simulation was ended after {timeout_s:g} s ({limit}); it has no time")
    failures = [why for sign, why in _FAILURES.items() if sign in said]
    if code != 0 or failures or not time_s:
        raise SimulationFailed(f"the simulation failed ({_reason(code, said, failures)}); it has no time")
    return SmpiTimes(float(time_s[1]), float(benched_s[1]) if benched_s else 0.0)


def _reason(code: int, said: str, failures: list[str]) -> str:
    """Why the simulation failed, by SimGrid's messages if there are any."""
    words = [line.rpartition("/CRITICAL] ")[2].strip() for line in said.splitlines() if "/CRITICAL]" in line]
    return next(iter([*failures, *words]), exit_text(code))


def _environment(place: Path) -> dict[str, str]:
    """Our environment with TMPDIR in `place`, because SMPI copies the program for each rank."""
    return os.environ | {"TMPDIR": str(place)}
