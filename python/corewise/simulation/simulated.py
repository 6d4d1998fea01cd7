"""Prepares the placements for an engine, and converts its result to Simulated."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from statistics import median
from typing import Any

from corewise import model
from corewise.errors import InputError, option
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.scores import Scores
from corewise.nouns.simulation import Simulated, SimulatedPlacement
from corewise.profile.threads import crowded_host
from corewise.simulation.engine import Engine, Recorded, Simulation, SimulationRequest
from corewise.statistics import median_interval
from corewise.text.quantities import counted

# How the makespan differs from the objective `time`, by kind of input.
_BEYOND_TIME = {
    "matrix": "The makespan lets both directions pass at once.",
    "counted profile": "The makespan lets both directions pass at once, and holds collectives and computing.",
    "events profile": "The makespan is that of a replay in the order of the calls, with computing, "
    "waiting and collectives.",
}


def simulated(engine: Engine, request: SimulationRequest, found: Simulation) -> Simulated:
    """The engine's result, with notes on what its times are valid for."""
    return Simulated(
        machine=request.machine.name,
        notes=_notes(request, found),
        placements=[_placement(engine, request, found, label) for label in found.runs],
    )


def _placement(
    engine: Engine, request: SimulationRequest, found: Simulation, label: str
) -> SimulatedPlacement:
    ended = [run for run in found.runs[label] if run.time_s is not None]
    times_s = [run.time_s for run in ended if run.time_s is not None]
    interval = found.intervals.get(label) or (median_interval(times_s) if times_s else None)
    in_mpi_s = [run.mpi_s for run in ended if run.mpi_s is not None]
    return SimulatedPlacement(
        placement=request.placements[label].path or label,
        engine=engine.name,
        source=engine.source,
        makespan_s=interval.expected if interval else None,
        interval_s=(interval.low, interval.high) if interval else None,
        confidence=interval.confidence if interval else None,
        comm_s=median(in_mpi_s) if in_mpi_s else None,
        repeats=found.runs[label],
        scores=_scores(request, label),
    )


def _scores(request: SimulationRequest, label: str) -> Scores:
    """The objective `time` of a recorded job; empty without figures."""
    if request.recorded is None or not request.machine.has_figures:
        return Scores()
    placement = request.placements[label].on(request.machine)
    traffic = request.recorded.found.traffic
    return Scores(time=model.evaluate("time", traffic, request.machine, placement))


def _notes(request: SimulationRequest, found: Simulation) -> list[str]:
    """Sentences on the times: the engine's, the relation to the objective `time`, and limits of the trace."""
    notes = list(found.notes)
    if (recorded := request.recorded) is None:
        return notes
    if request.machine.has_figures:
        notes.append(
            "'time' is the objective that map, score, advise and tune print: messages from point to "
            f"point alone, both directions of a link added. {_BEYOND_TIME[recorded.subject]}"
        )
    crowd = recorded.found.profile and crowded_host(recorded.found.profile)
    if crowd:
        notes.append(
            f"The trace had {crowd.n_ranks} ranks on {counted(crowd.n_pus, 'hardware thread')} of host "
            f"{crowd.host}: what it recorded as computing includes waiting for a core. "
            f"{option('compute-factor', 0)} leaves the messages alone."
        )
    return notes


def placements_for(
    machine: Machine, placements: dict[str, Placement], n_ranks: int | None, recorded: Recorded | None
) -> dict[str, Placement]:
    """Checks `placements`; without any, returns block order.

    Raises InputError unless all are on the machine and have the number of ranks of `recorded`, or else of the
    first placement. `n_ranks` is the number of ranks for block order of a program; None means all cores.
    """
    if n_ranks is not None and (recorded or placements):
        giver = "INPUT" if recorded else "a placement"
        raise InputError(
            f"found {n_ranks} as number of ranks, which is for a program in block order; leave it out: "
            f"{giver} says its ranks itself"
        )
    if not placements:
        n_ranks = recorded.n_ranks if recorded else n_ranks or machine.n_cores
        if n_ranks > machine.n_cores:
            raise InputError(f"found {n_ranks} ranks for {machine.n_cores} cores; expected at most as many")
        return {"block": Placement.of(model.Assignment.from_cores(list(range(n_ranks))), machine)}
    first = next(iter(placements.values()))
    expected, of = (recorded.n_ranks, recorded.path) if recorded else (first.n_ranks, "the first placement")
    for label, file in placements.items():
        file.on(machine)
        if file.n_ranks != expected:
            name = file.path or label
            raise InputError(f"{name}: has {file.n_ranks} ranks; expected the {expected} ranks of {of}")
    return placements


def labelled(given: Any) -> dict[str, Any]:
    """Placements by label. `given` is one, a list, or already such a dict; None means no placement.

    The label is the file's name without suffix, else "placement"; a second z is "z-2".
    """
    if given is None or isinstance(given, dict):
        return given or {}
    found: dict[str, Any] = {}
    for one in given if isinstance(given, (list, tuple)) else [given]:
        stem = label = Path(one).stem if isinstance(one, (str, PathLike)) else "placement"
        number = 1
        while label in found:
            number += 1
            label = f"{stem}-{number}"
        found[label] = one
    return found


def is_command(source: Any) -> bool:
    """Whether `source` is a command, a list of words, and not a matrix as nested lists."""
    return (
        isinstance(source, (list, tuple)) and bool(source) and all(isinstance(word, str) for word in source)
    )
