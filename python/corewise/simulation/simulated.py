"""Simulated: how long a program takes under each placement on a machine that isn't here."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from corewise import model
from corewise.errors import InputError
from corewise.model import Machine
from corewise.nouns.placement import PlacementFile
from corewise.nouns.run import Run, runs_stream
from corewise.nouns.simulation import FORMAT, VERSION, SimulationFile
from corewise.profile.threads import crowded_host
from corewise.simulation.engine import Engine, Recorded, Request, Simulation
from corewise.statistics import Interval, median_interval
from corewise.text.quantities import counted

# What a makespan holds that the objective `time` does not, by what it is computed from.
_BEYOND_TIME = {
    "matrix": "The makespan lets both directions pass at once.",
    "counted profile": "The makespan lets both directions pass at once, and holds collectives and computing.",
    "events profile": "The makespan is that of a replay in the order of the calls, with computing, "
    "waiting and collectives.",
}


@dataclass(frozen=True)
class Simulated:
    """The runs of each placement, by label, with the intervals of their times."""

    engine: Engine
    request: Request
    simulation: Simulation

    @property
    def machine(self) -> Machine:
        return self.request.machine

    @property
    def runs(self) -> dict[str, list[Run]]:
        """Those that failed have no time (`Run.time_s`)."""
        return self.simulation.runs

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(simulated): a row for each run."""
        return runs_stream(run for runs in self.runs.values() for run in runs)

    @property
    def has_failed(self) -> bool:
        """Some run of some placement ended without a time."""
        return any(run.time_s is None for runs in self.runs.values() for run in runs)

    def interval(self, label: str) -> Interval | None:
        """The placement's time, s, from MPI_Init to MPI_Finalize; None if every run of it failed."""
        times = [run.time_s for run in self.runs[label] if run.time_s is not None]
        return self.simulation.intervals.get(label) or (median_interval(times) if times else None)

    def mpi_s(self, label: str) -> float | None:
        """The median time inside MPI; None where no run knows it."""
        in_mpi = [run.mpi_s for run in self.runs[label] if run.time_s is not None and run.mpi_s is not None]
        return median(in_mpi) if in_mpi else None

    def scores(self, label: str) -> dict[str, float]:
        """The objective `time` of a recorded job, as map, score, advise and tune print it; {} without
        figures."""
        recorded = self.request.recorded
        if recorded is None or not self.machine.has_figures:
            return {}
        placement = self.request.placements[label].on(self.machine)
        return {"time": model.evaluate("time", recorded.found.traffic, self.machine, placement)[0]}

    @property
    def notes(self) -> list[str]:
        """What the times hold for: the engine's sentences, how a makespan and the objective `time` go
        together, and what a trace can't tell."""
        notes = list(self.simulation.notes)
        if (recorded := self.request.recorded) is None:
            return notes
        if self.machine.has_figures:
            notes.append(
                "'time' is the objective that map, score, advise and tune print: messages from point to "
                f"point alone, both directions of a link added. {_BEYOND_TIME[recorded.subject]}"
            )
        crowd = recorded.found.profile and crowded_host(recorded.found.profile)
        if crowd:
            notes.append(
                f"The trace had {crowd.n_ranks} ranks on {counted(crowd.n_pus, 'hardware thread')} of host "
                f"{crowd.host}: what it recorded as computing holds waiting for a core. --compute-factor 0 "
                "leaves messages alone."
            )
        return notes

    def placement_name(self, label: str) -> str:
        """The placement's file, or the label if it is in none."""
        return self.request.placements[label].path or label

    def file(self) -> SimulationFile:
        """What is read of the document of to_json()."""
        intervals = {
            runs[0].key: interval
            for label, runs in self.runs.items()
            if runs and (interval := self.interval(label))
        }
        runs = [run for runs in self.runs.values() for run in runs]
        return SimulationFile(self.machine.name, runs, intervals, self.notes)

    def to_json(self) -> dict[str, Any]:
        """The document that `corewise simulate --json` prints."""
        results = [self._result(label) for label in self.runs]
        whole = {"format": FORMAT, "version": VERSION, "machine": self.machine.name, "notes": self.notes}
        return whole | (results[0] if len(results) == 1 else {"runs": results})

    def _result(self, label: str) -> dict[str, Any]:
        """What the contract has for one placement; times are null where every run failed."""
        interval = self.interval(label)
        return {
            "makespan_s": interval and interval.expected,
            "comm_s": self.mpi_s(label),
            "interval_s": interval and [interval.low, interval.high],
            "confidence": interval and interval.confidence,
            "engine": self.engine.name,
            "source": self.engine.source,
            "placement": self.placement_name(label),
            "n_failed": sum(run.time_s is None for run in self.runs[label]),
            "repeats": [run.to_json() for run in self.runs[label]],
            "scores": self.scores(label),
        }


def placements_for(
    machine: Machine,
    placements: dict[str, PlacementFile],
    n_ranks: int | None,
    recorded: Recorded | None,
) -> dict[str, PlacementFile]:
    """The placements, if all are on the machine and have as many ranks; without any, block order.

    The ranks are those of `recorded`, else of the first placement. `n_ranks` is for block order of a program;
    None takes all cores. Raises InputError otherwise.
    """
    if n_ranks is not None and (recorded or placements):
        giver = "INPUT" if recorded else "a placement"
        raise InputError(
            f"found {n_ranks} as number of ranks (-n), which is for a program in block order; leave it out: "
            f"{giver} says its ranks itself"
        )
    if not placements:
        n_ranks = recorded.n_ranks if recorded else n_ranks or machine.n_cores
        if n_ranks > machine.n_cores:
            raise InputError(f"found {n_ranks} ranks for {machine.n_cores} cores; expected at most as many")
        return {"block": PlacementFile.of(model.Placement.from_cores(list(range(n_ranks))), machine)}
    first = next(iter(placements.values()))
    expected, of = (recorded.n_ranks, recorded.path) if recorded else (first.n_ranks, "the first placement")
    for label, file in placements.items():
        file.on(machine)
        if file.n_ranks != expected:
            name = file.path or label
            raise InputError(f"{name}: has {file.n_ranks} ranks; expected the {expected} ranks of {of}")
    return placements


def is_command(source: Any) -> bool:
    """A command is a list of words; an array in nested lists has rows."""
    return (
        isinstance(source, (list, tuple)) and bool(source) and all(isinstance(word, str) for word in source)
    )
