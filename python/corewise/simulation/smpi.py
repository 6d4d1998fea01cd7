"""SMPI, SimGrid's MPI simulator: simulates a program built for it, or replays the events of a profile."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from corewise.errors import InputError, MissingError
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
)
from corewise.simulation.smpi_platform import host_name, platform_xml
from corewise.simulation.smpi_recording import RecordedEvents
from corewise.simulation.smpi_run import SimGrid, SmpiTimes, eager_bytes, run_smpirun
from corewise.simulation.smpi_trace import trace_of
from corewise.start.folder import private_folder
from corewise.start.programs import family_loaded, output_of
from corewise.text.quantities import bytes_text

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
