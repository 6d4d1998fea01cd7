"""Makes a page from tunes, runs, simulations, steering logs, profiles and matrices."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from corewise.errors import InputError, option
from corewise.mapping.comparison import predicted
from corewise.mapping.request import MappingRequest
from corewise.model import Machine
from corewise.nouns.codec import Noun
from corewise.nouns.run import Run, by_key, times_by_key
from corewise.nouns.simulation import Simulated
from corewise.nouns.steered_run import SteeredRun
from corewise.nouns.timeline import TIMELINE, Timeline
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.page import SeenLog, links, results_page, runs_page, several, tune_page
from corewise.plots.heatmap import heatmap
from corewise.plots.repeats import repeats_figure
from corewise.plots.steered_run import steered_run_figure
from corewise.plots.tree import most_loaded_nodes, node_object, placed_figure
from corewise.profile.in_memory import NoTraffic, input_in_memory
from corewise.profile.inputs import Input, monitoring_files, phases_named, read_input, with_phases
from corewise.profile.reading import read_event_log
from corewise.steering.logs import LOG_ENDING
from corewise.steering.replay import intervals, replay
from corewise.text.escaping import shell_text
from corewise.text.quantities import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MANY_PAIRS, DEADLINE_CPU_S = 1_000_000, 10.0
EXPECTED = (
    "the folder of a tune, a file of run, simulate or steer, a profile, or a matrix "
    "(corewise show --list names the formats)"
)


@dataclass
class Report:
    """The inputs, by kind; `results` are tunes, and predictions for profiles and matrices.

    `inputs` are (name by the user, input); `timeline` is from the folder of a tune.
    """

    results: list[TuneResult] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    simulations: list[Simulated] = field(default_factory=list)
    logs: list[SeenLog] = field(default_factory=list)
    inputs: list[tuple[str, Input]] = field(default_factory=list)
    timeline: Timeline | None = None

    def add(self, given: Any, of_traffic: Mapping[str, Any]) -> None:
        """Adds one input; raises InputError if it is not one of EXPECTED."""
        name = os.fspath(given) if isinstance(given, (str, os.PathLike)) else ""
        found = _read(Path(name), of_traffic) if name else given
        if isinstance(found, TuneResult):
            self.results.append(found)
            self.timeline = _timeline_of(Path(name)) if name else None
        elif isinstance(found, Run):
            self.runs.append(found)
        elif isinstance(found, Simulated):
            self.simulations.append(found)
        elif isinstance(found, Input):
            self.inputs.append((name or found.name, found))
        elif isinstance(found, SeenLog):
            self.logs.append(found)
        elif isinstance(found, SteeredRun):
            self.logs += [_seen(Path(path)) for path in found.logs]
        elif isinstance(found, (Machine, Noun)):
            raise InputError(f"found {type(found).__name__}; expected a path, or {EXPECTED}")
        else:
            traffic = _traffic_of(found, of_traffic)
            self.inputs.append((traffic.name, traffic))

    def predict(self, machines: Mapping[str, Machine], request: MappingRequest) -> None:
        """Adds a prediction for each input on each of `machines` (by the user's names).

        A single prediction gets the runs and simulations of its placements. Raises InputError and
        MissingError.
        """
        for source, found in self.inputs:
            for spec, machine in machines.items():
                command = ["corewise", "report", source, "--machine", spec]
                self.results.append(_predicted(found, machine, request, command))
        if len(self.results) == len(self.inputs) == 1:
            self.results = [_with_runs(self.results[0], self)]
        elif self.results and (self.runs or self.simulations):
            raise InputError(
                f"found {counted(len(self.results), 'result')} of placements and "
                f"{counted(len(self.runs) + len(self.simulations), 'file')} of runs; expected a tune, "
                "several tunes, profiles or matrices, or run files"
            )

    def page(self) -> str:
        """The HTML page: of one result, of several side by side, or of runs, with logs below."""
        if len(self.results) == 1:
            return tune_page(self.results[0], self.logs, self.timeline or self._events())
        date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        if self.results:
            return results_page(self.results, date, self.logs)
        return runs_page(self.runs, date, self.logs, self.simulations)

    def _events(self) -> Timeline | None:
        """The timeline of the first profile with events; None without one."""
        for source, found in self.inputs:
            if found.profile is not None and found.profile.event_bytes and os.path.isdir(source):
                return Timeline.of(read_event_log(Path(source)), self.results[0].summary)
        return None

    @property
    def all_runs(self) -> list[Run]:
        """The runs, and those of the simulations."""
        return [*self.runs, *(run for one in self.simulations for run in one.runs)]

    def figures(self) -> dict[str, Callable[[], Figure]]:
        """Name of a figure -> a function that draws it."""
        found: dict[str, Callable[[], Figure]] = {}
        if len(self.results) == 1:
            (result,) = self.results
            found["matrix"] = lambda: heatmap(result.traffic.folded(), result.title)
            found["links"] = partial(links.figure, result)
            for candidate in result.candidates:
                found[f"machine-{candidate.label}"] = partial(_placed, result, candidate)
        if self.results:
            found["gains"] = partial(several.figure, self.results)
        of_results = [run for result in self.results for run in result.runs]
        times_s = times_by_key(by_key(of_results or self.all_runs))
        if any(times_s.values()) and len(self.results) < 2:
            found["times"] = partial(repeats_figure, times_s)
        for number, shown in enumerate(self.logs, start=1):
            name = "steering" if len(self.logs) == 1 else f"steering-{number}"
            found[name] = partial(steered_run_figure, shown.seen, shown.log.decisions)
        return found


def _placed(result: TuneResult, candidate: Candidate) -> Figure:
    """The placement on the machine, or on its most loaded nodes."""
    machine, loads = result.machine, [0.0] * result.machine.n_nodes
    if machine.node_level < machine.n_levels:
        of_level = candidate.link_bytes[machine.node_level]
        loads = [of_level[node_object(machine, node)] for node in range(machine.n_nodes)]
    nodes = most_loaded_nodes(machine, loads)
    return placed_figure(machine, nodes, candidate.placement, candidate.link_bytes)


def _predicted(found: Input, machine: Machine, request: MappingRequest, command: list[str]) -> TuneResult:
    """predicted() with a deadline and a note for MANY_PAIRS, because such searches would take hours."""
    n_pairs = max(phase.matrix.n_entries for phase in found.traffic.phases)
    if request.deadline is not None or n_pairs < MANY_PAIRS:
        return predicted(found, machine, request, command)
    result = predicted(found, machine, replace(request, deadline=DEADLINE_CPU_S), command)
    note = (
        f"With {n_pairs:,} pairs of ranks that exchange data, the searches for the best and the worst "
        f"placement were limited to {DEADLINE_CPU_S:g} s of CPU time each: better and worse placements may "
        f"exist. For longer searches, use {option('deadline')}."
    )
    return structs.replace(result, notes=[*result.notes, note])


def report_of(
    given: Sequence[Any],
    machines: Mapping[str, Callable[[], Machine]],
    of_traffic: Mapping[str, Any],
    request: MappingRequest,
) -> Report:
    """The report of paths, or of results of corewise's functions.

    `machines` are functions that load the machines for profiles and matrices. `of_traffic` are `layer`,
    `format` and `phases` of verbs.read(). Raises InputError and MissingError.
    """
    report = Report()
    for one in given:
        report.add(one, of_traffic)
    if len({one.machine for one in report.simulations}) > 1:
        report.simulations = [one.named_by_machine() for one in report.simulations]
    loaded = {spec: load() for spec, load in machines.items()} if report.inputs else {}
    report.predict(loaded, request)
    return report


def _read(path: Path, of_traffic: Mapping[str, Any]) -> Any:
    if path.suffix == LOG_ENDING:
        return _seen(path)
    nouns: tuple[type[TuneResult | Simulated | Run], ...] = (TuneResult, Simulated, Run)
    for noun in nouns:
        if noun.stands_in(path):
            return noun.read(path)
    if path.suffix == ".json":
        return Run.read(path)  # raises the error
    if not path.exists() and str(path) != "-" and not monitoring_files(str(path)):
        raise InputError(f"no such file; expected {EXPECTED}", path=str(path))
    layer, form, phases = (of_traffic[name] for name in ("layer", "format", "phases"))
    return with_phases(read_input(str(path), layer, form=form), *phases_named(phases, layer, form))


def _traffic_of(given: Any, of_traffic: Mapping[str, Any]) -> Input:
    """An array, a graph, a frame or traffic."""
    layer, form, phases = (of_traffic[name] for name in ("layer", "format", "phases"))
    try:
        return with_phases(input_in_memory(given, layer), *phases_named(phases, layer, form))
    except NoTraffic as error:
        raise InputError(f"found {type(given).__name__}; expected a path, or {EXPECTED}") from error


def _timeline_of(tune: Path) -> Timeline | None:
    """The timeline next to the result of a tune with events; `path` is its folder or file."""
    path = (tune if tune.is_dir() else tune.parent) / TIMELINE
    return Timeline.read(path) if path.exists() else None


def _seen(path: Path) -> SeenLog:
    return SeenLog(replay(path), intervals(path))


def _with_runs(result: TuneResult, found: Report) -> TuneResult:
    """Adds runs and simulations to the result's placements by label; raises InputError for other labels."""
    runs = found.all_runs
    labels = [candidate.label for candidate in result.candidates]
    for run in runs:
        if run.label not in labels:
            raise InputError(
                f"found runs of '{run.label}' ({shell_text(run.command)}); expected runs of the placements "
                f"{', '.join(labels)} that the page compares, named so"
            )
    for one in found.simulations:
        if one.machine != result.machine.name:
            raise InputError(
                f"found a simulation on {one.machine}; expected one on {result.machine.name}, "
                "which --machine names"
            )
    candidates = [
        structs.replace(one, runs=[run for run in runs if run.label == one.label])
        for one in result.candidates
    ]
    notes = [note for one in found.simulations for note in one.notes]
    return structs.replace(result, candidates=candidates, notes=[*result.notes, *dict.fromkeys(notes)])
