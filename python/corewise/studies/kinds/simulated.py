"""Kind `simulated`: a program that SimGrid's compilers built, run by its simulator under placements."""

from __future__ import annotations

from corewise.errors import MissingError
from corewise.files.table import Table
from corewise.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise.studies.placed_runs import PlacedCase, filled
from corewise.studies.rows import Outcome
from corewise.studies.simulated_runs import SimulatedRuns, read_simulated_runs, run_simulated


def _read(table: Table) -> SimulatedRuns:
    table.refuse_others(("kind", "program", "arguments", "compute_factor", "placements", "cases"))
    spec = read_simulated_runs(table, ("smpi",), ("pattern", "matrix", "profile"))
    for case in spec.cases:
        for word in spec.arguments:
            filled(table, "arguments", word, case.labels)
    return spec


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    spec: SimulatedRuns = runs.spec
    program = options.program
    if program is None:
        raise MissingError(
            f"{runs.study} runs {spec.program or 'a program'} in SimGrid's simulator; build it with smpicc "
            "or smpif90 and name it with --program"
        )

    def command(case: PlacedCase) -> list[str]:
        return [program, *(word.format(**case.labels) for word in spec.arguments)]

    return run_simulated(runs, options, command)


KIND = Kind(
    name="simulated",
    sentence="a program built with SimGrid's compilers, in its simulator, under placements on machines",
    starts=True,
    read=_read,
    run=_run,
    source_of=lambda _: "simulated",
    takes_program=True,
)
