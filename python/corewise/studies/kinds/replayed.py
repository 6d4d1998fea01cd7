"""Kind `replayed`: recorded programs under placements on machines, by an engine that replays their events."""

from __future__ import annotations

from corewise.files.table import Table
from corewise.profile.inputs import read_input
from corewise.simulation import ENGINES, Recorded
from corewise.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise.studies.placed_runs import PlacedCase
from corewise.studies.rows import Outcome
from corewise.studies.simulated_runs import SimulatedRuns, read_simulated_runs, run_simulated
from corewise.studies.stored_inputs import stored_input


def _read(table: Table) -> SimulatedRuns:
    table.refuse_others(("kind", "engine", "compute_factor", "placements", "cases"))
    return read_simulated_runs(table, ("smpi", "estimate"), ("profile",))


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    def recorded(case: PlacedCase) -> Recorded:
        path = str(stored_input(case.stored, options.data))
        return Recorded(path, read_input(path))

    return run_simulated(runs, options, recorded)


def _source(of_runs: str) -> str:
    """What a study calls estimated runs: computed."""
    return "computed" if of_runs == "estimated" else of_runs


KIND = Kind(
    name="replayed",
    sentence="recorded programs (events profiles) under placements on machines, replayed by smpi or estimate",
    starts=True,
    read=_read,
    run=_run,
    source_of=lambda spec: _source(ENGINES[spec.engine].source),
)
