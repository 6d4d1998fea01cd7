"""Runs by an engine of `corewise simulate`: what a study's simulated and replayed ones share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from corewise.errors import did_you_mean
from corewise.files.table import Table
from corewise.nouns.placement import PlacementFile
from corewise.page import TextTable
from corewise.simulation import Recorded, Request, Simulation, engine_named
from corewise.studies.case_inputs import input_of, machine_for, placements_of
from corewise.studies.kinds.kind import Runs, StudyOptions
from corewise.studies.placed_runs import PlacedCase, Placing, read_cases, read_placings
from corewise.studies.rows import Outcome, Row
from corewise.text.quantities import seconds_text


@dataclass(frozen=True)
class SimulatedRuns:
    """`engine` names one of ENGINES; `program` and `arguments` are those of a program, empty for a replay.

    `arguments` have {AXIS} where a case's label stands. `compute_factor`: what ranks compute takes that many
    times as long as here, or as where it was recorded.
    """

    engine: str
    program: str
    arguments: list[str]
    compute_factor: float
    placings: dict[str, Placing]
    cases: list[PlacedCase]

    @property
    def axes(self) -> list[str]:
        """Those of its rows."""
        return list(dict.fromkeys(["placement", *(axis for case in self.cases for axis in case.values)]))


# The command of a case, or what was recorded of it.
WorkOf = Callable[[PlacedCase], "list[str] | Recorded"]


def read_simulated_runs(table: Table, engines: tuple[str, ...], inputs: tuple[str, ...]) -> SimulatedRuns:
    """The table of such runs; raises InputError with the key that is wrong."""
    engine = table.get("engine", str, engines[0])
    if engine not in engines:
        raise table.error("engine", engine, f"one of {', '.join(engines)}{did_you_mean(engine, engines)}")
    return SimulatedRuns(
        engine=engine,
        program=table.get("program", str, ""),
        arguments=table.texts("arguments", []),
        compute_factor=table.number("compute_factor") if table.holds("compute_factor") else 1.0,
        placings=read_placings(table),
        cases=read_cases(table, inputs),
    )


def run_simulated(runs: Runs, options: StudyOptions, work_of: WorkOf) -> Outcome:
    """A row for each case and placement: its time `t` and its time in MPI `comm`, s, means over drawn ones.

    Raises MissingError where an input or the engine's tools aren't here.
    """
    spec: SimulatedRuns = runs.spec
    engine = engine_named(spec.engine)
    rows: list[Row] = []
    notes: list[str] = []
    for case in spec.cases:
        options.tell(f"{runs.study}: {', '.join(case.labels.values())}")
        simulation = engine.run(_request(spec, case, options, work_of(case)))
        notes += simulation.notes
        rows += _rows(spec, case, simulation)
    return Outcome(
        rows=rows,
        decides=True,
        because=f"{engine.source} by the engine {engine.name} from the machine file",
        notes=list(dict.fromkeys(notes)),
        tables={f"Times ({engine.source}), {runs.name}": _table(rows)},
        document={"engine": spec.engine, "rows": [row.to_json() for row in rows]},
    )


def _request(
    spec: SimulatedRuns, case: PlacedCase, options: StudyOptions, work: list[str] | Recorded
) -> Request:
    found = work.found if isinstance(work, Recorded) else input_of(case, options.data)
    machine = machine_for(case.machine, found.traffic.n_ranks)
    placements = {
        _name(label, draw): PlacementFile.of(placement, machine)
        for label, placing in spec.placings.items()
        for draw, placement in enumerate(placements_of(placing, found, machine))
    }
    command, recorded = ([], work) if isinstance(work, Recorded) else (work, None)
    return Request(machine, placements, command, recorded, compute_factor=spec.compute_factor)


def _name(label: str, draw: int) -> str:
    return f"{label}-{draw}"


def _rows(spec: SimulatedRuns, case: PlacedCase, simulation: Simulation) -> list[Row]:
    numbers = {axis: float(value) for axis, value in case.values.items() if type(value) in (int, float)}
    rows = []
    for label, placing in spec.placings.items():
        found = [run for draw in range(placing.draws or 1) for run in simulation.runs[_name(label, draw)]]
        times = {"t": _mean([run.time_s for run in found]), "comm": _mean([run.mpi_s for run in found])}
        rows.append(Row(case.labels | {"placement": label}, numbers | times))
    return rows


def _mean(times_s: list[float | None]) -> float:
    known = [time_s for time_s in times_s if time_s is not None]
    assert len(known) == len(times_s)  # simulated runs are timed
    return fmean(known)


def _table(rows: list[Row]) -> TextTable:
    """A row of cells for each row, its labels first."""
    axes = list(dict.fromkeys(axis for row in rows for axis in row.labels))
    cells = [
        [*(row.labels.get(axis, "") for axis in axes), *(seconds_text(row.number(c)) for c in ("t", "comm"))]
        for row in rows
    ]
    return TextTable([*(f"<{axis}" for axis in axes), ">time", ">in MPI"], cells, [])
