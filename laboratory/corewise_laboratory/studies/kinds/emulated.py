"""Kind `emulated`: a program on nodes in network namespaces with a machine's link rates, with placements."""

from __future__ import annotations

from corewise.plugin.documents import percent_text, seconds_text
from corewise.plugin.figures import TextTable

from corewise_laboratory.studies.emulated_runs import EmulatedRuns, case_name, read_emulated_runs
from corewise_laboratory.studies.emulating import Emulated, emulate_cases
from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rank_distance import rank_distances
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.sweep.results import notes as sweep_notes
from corewise_laboratory.sweep.results import to_json as sweep_to_json


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    spec: EmulatedRuns = runs.spec
    scale = spec.full if options.full else spec.quick
    emulated = emulate_cases(
        runs.study, spec, scale, options.folder, options.program, options.say, options.tell
    )
    nodes = {
        case.name: {label: placement.node for label, placement in case.placements.items()}
        for case in emulated.cases
    }
    own = {"program": emulated.program, "nodes": nodes, "notes": emulated.notes}
    return Outcome(
        rows=_rows(spec, emulated),
        decides=True,
        because=f"emulated with the machine's link rates, scale {options.scale}",
        failed=emulated.sweep.n_failed > 0,
        notes=[" ".join([f"Scale {options.scale}.", *emulated.notes])],
        tables={"Improvements (emulated)": _improvements_table(spec, emulated)},
        document=sweep_to_json(emulated.sweep) | own,
    )


def _rows(spec: EmulatedRuns, emulated: Emulated) -> list[ResultRow]:
    """A row for each case and placement; its numbers are None if no run succeeded."""
    rows = []
    for case in emulated.cases:
        for label in spec.placements:
            own = emulated.estimates.get((case_name(case.cell, case.size), label))
            labels = {"case": case.name, "cell": case.cell.name, "size": str(case.size), "placement": label}
            t, low, high = (own.expected, own.low, own.high) if own else (None, None, None)
            distances = rank_distances(case.placements[label].node)
            rows.append(ResultRow(labels | case.cell.labels, {"t": t, "low": low, "high": high, **distances}))
    return rows


def _improvements_table(runs: EmulatedRuns, emulated: Emulated) -> TextTable:
    """A row for each case and placement: time, and improvement over the baseline."""
    estimates, samples = emulated.estimates, emulated.n_samples
    rows = []
    for case in emulated.cases:
        base = estimates.get((case.name, runs.baseline))
        for label in runs.placements:
            own = estimates.get((case.name, label))
            cells = [case.name, label, str(samples[case.name, label])]
            if own is None:
                rows.append([*cells, "-", "every run failed", "-"])
                continue
            spread = f"{seconds_text(own.low)} to {seconds_text(own.high)}"
            improvement = percent_text(base.expected / own.expected - 1) if base else "-"
            rows.append([*cells, seconds_text(own.expected), spread, improvement])
    heads = ["<case", "<placement", ">runs", ">median", ">interval", ">improvement"]
    formula = f"Improvement: t_{runs.baseline} / t - 1 of the medians; interval: of the median."
    return TextTable(heads, rows, [formula, *sweep_notes(emulated.sweep)])


KIND = Kind(
    name="emulated",
    sentence="a program on namespace nodes whose links have a machine's rates, under several placements",
    starts=True,
    read=read_emulated_runs,
    run=_run,
    source_of=lambda _: "emulated",
    takes_program=True,
)
