"""Estimation: the C++ core computes the time of a recorded job's messages on the machine's links."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from corewise import model
from corewise.errors import InputError, option
from corewise.files.model_errors import model_errors
from corewise.nouns.run import Run
from corewise.observe.repeats import Progress
from corewise.simulation.engine import (
    MPI_NAMES,
    Engine,
    MpiLibrary,
    Recorded,
    Simulation,
    SimulationFailed,
    SimulationRequest,
    memory_bytes,
)
from corewise.statistics import Interval
from corewise.text.quantities import bytes_text, seconds_text

if TYPE_CHECKING:
    from corewise.profile.inputs import Input

Watch = Callable[[], None]
Estimator = Callable[[model.Assignment, Watch | None], model.Estimate]

_UNMEASURED = (
    "How far these times are from measured ones is not known: intervals hold the bounds of the machine's "
    "figures alone."
)

# Memory of log, schedule and replay for each event; measured: 165 to 236 (LU, GROMACS, CG and HPL, 16 ranks).
_BYTES_PER_EVENT = 250


def estimate(request: SimulationRequest) -> Simulation:
    """Estimates every placement once.

    Raises InputError for a machine without figures, and for a log that is damaged or too large for the
    memory. Raises SimulationFailed if a placement takes longer than the request's timeout.
    """
    recorded = request.recorded
    assert recorded is not None  # never a program, see `takes`
    _require_memory(recorded)
    estimator, notes = estimator_for(recorded, request.machine, request.compute_factor, request.rules)
    runs, intervals = {}, {}
    begin_s = time.monotonic()
    for n_done, (label, file) in enumerate(request.placements.items()):
        request.say(Progress(label, n_done, time.monotonic() - begin_s, None))
        found = estimator(file.on(request.machine), _watch(label, request.timeout_s))
        intervals[label] = interval_of(found, recorded, request.machine)
        runs[label] = [_run(recorded, label, found)]
        notes.append(f"{label}: {where_time_goes(found, request.machine)}")
    if model_errors().makespan is None:
        notes.append(_UNMEASURED)
    return Simulation(runs, notes, intervals)


def _require_memory(recorded: Recorded) -> None:
    n_events = recorded.found.profile.n_events if recorded.found.profile else 0
    wanted = _BYTES_PER_EVENT * n_events
    if wanted > (free := memory_bytes()):
        raise InputError(
            f"{recorded.path}: a replay of its {n_events:,} events takes about "
            f"{bytes_text(wanted)} of memory, {bytes_text(free)} are free; expected a shorter job, or a "
            f"profile without events ({option('mode', 'count')} of trace)"
        )


def _watch(label: str, timeout_s: float) -> Watch:
    """A callback that ends a replay after this time; each call also lets Python handle Ctrl-C."""
    end_s = time.monotonic() + timeout_s

    def look() -> None:
        if time.monotonic() > end_s:
            raise SimulationFailed(
                f"placement '{label}': the replay was ended after {timeout_s:g} s "
                f"({option('timeout', keyword='timeout_s')}); it has no time"
            )

    return look


def interval_of(found: model.Estimate, recorded: Recorded, machine: model.Machine) -> Interval:
    """The makespan with an interval from the model's measured errors and the bounds of the machine's figures.

    Both are independent, so the squares of their logarithms are added. The interval has a confidence only if
    there are events, because the errors were measured for replays, and if no figure is assumed. Without
    measured errors, only the bounds of the figures count, and there is no confidence.
    """
    errors, (least_s, most_s) = model_errors(), found.makespan_range_s
    if found.makespan_s <= 0 or errors.makespan is None:
        return Interval(least_s, found.makespan_s, most_s, None)
    below = math.hypot(math.log(found.makespan_s / least_s), math.log(errors.makespan.low))
    above = math.hypot(math.log(most_s / found.makespan_s), math.log(errors.makespan.high))
    confidence = errors.confidence_on(machine) if recorded.subject == "events profile" else None
    low, high = found.makespan_s * math.exp(-below), found.makespan_s * math.exp(above)
    return Interval(low, found.makespan_s, high, confidence)


def estimator_for(
    recorded: Recorded, machine: model.Machine, compute_factor: float = 1.0, rules: MpiLibrary = "openmpi"
) -> tuple[Estimator, list[str]]:
    """A function that estimates a placement, and full sentences on what its times are valid for."""
    profile = recorded.found.profile
    if profile and profile.n_events:
        schedule = model.schedule_of_events(profile, model.read_events(recorded.path), rules)
        schedule = model.with_compute_scaled(schedule, compute_factor)
        notes = [
            f"Replayed call by call; collectives travel as {MPI_NAMES[rules]} chooses for their size and "
            "ranks."
        ]
        return lambda placement, watch: model.estimate(schedule, machine, placement, watch), (
            notes + schedule.left_out
        )
    traffic, compute_s = _unordered(recorded.found, compute_factor)
    n_phases = len(traffic.phases)
    phases = "one phase" if n_phases == 1 else f"{n_phases} phases, one after the other"
    notes = [
        f"The order of the messages is not recorded: they are taken as {phases} whose messages all begin at "
        "once. A profile of `corewise trace --mode events` is replayed call by call."
    ]
    return lambda placement, _: model.estimate(traffic, machine, placement, compute_s), notes


def _unordered(found: Input, compute_factor: float) -> tuple[model.Traffic, list[float]]:
    """All messages of a profile or a matrix, and each rank's computing time, s, if known."""
    if found.profile is None:
        return found.traffic, []
    collectives = found.profile.traffic(model.Layer.coll, flow=model.CollectiveFlow.binomial)
    traffic = model.Traffic.of_phases([*found.traffic.phases, *collectives.phases])
    compute_s = [max(0.0, rank.wall_s - rank.mpi_s) * compute_factor for rank in found.profile.ranks]
    return traffic, compute_s


def where_time_goes(found: model.Estimate, machine: model.Machine) -> str:
    """One sentence on the last rank, the busiest link, and the calls or phases that take most time."""
    parts = [f"rank {found.last_rank} ends last"]
    if found.busiest.level:
        busy_s = seconds_text(found.busiest.busy_s)
        parts.append(f"the busiest {_link_text(found.busiest, machine)}: {busy_s}")
    if [part.name for part in found.parts] == ["phase 1"]:
        parts.append(f"the messages take {seconds_text(found.parts[0].time_s)}")
    elif found.parts:
        longest = ", ".join(f"{seconds_text(part.time_s)} in {part.name}" for part in found.parts[:3])
        parts.append(f"on average a rank spends {longest}")
    return "; ".join(parts) + "."


def _link_text(link: model.BusiestLink, machine: model.Machine) -> str:
    if link.axis >= 0:
        way = "backwards" if link.down else "forwards"
        return f"link goes from point {link.group} of the torus {way} along axis {link.axis + 1}"
    level = machine.levels[link.level - 1].name
    if link.bus:
        return f"bus is that of {level} {link.group}"
    below = machine.levels[link.level - 2].name if link.level > 1 else "core"
    way = "bytes of both directions" if link.both_ways else f"{'incoming' if link.down else 'outgoing'} bytes"
    return f"link joins {below} {link.group} and its {level} ({way})"


def _run(recorded: Recorded, label: str, found: model.Estimate) -> Run:
    return Run(
        label=label,
        command=[recorded.path],
        source="estimated",
        ranks=[],
        wall_s=found.makespan_s,
        app_s=found.makespan_s,
        mpi_s=found.comm_s,
        exit_code=0,
    )


ESTIMATE = Engine(
    name="estimate",
    sentence="a replay of recorded messages on the machine's links, computed here in seconds",
    source="estimated",
    run=estimate,
    takes=("events profile", "counted profile", "matrix"),
)
