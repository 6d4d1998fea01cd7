"""Kind `threads`: times of the runtime's workloads on this host, by process binding and thread policy."""

from __future__ import annotations

from statistics import median

from corewise.plugin.documents import percent_text

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.measuring import MeasuredGrid, measure
from corewise_laboratory.studies.rows import Outcome, ResultRow, grouped, matching
from corewise_laboratory.studies.thread_runs import read_thread_runs
from corewise_laboratory.sweep.results import estimates_table
from corewise_laboratory.sweep.results import to_json as sweep_to_json


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    scale = runs.spec.full if options.full else runs.spec.quick
    measured = measure(runs.study, runs.spec, scale, options.folder, options.say, options.tell)
    rows = [
        ResultRow(
            row.configuration.values,
            {
                "t": row.interval.expected if row.interval else None,
                "low": row.interval.low if row.interval else None,
                "high": row.interval.high if row.interval else None,
            },
        )
        for row in measured.sweep.rows
    ]
    verified = all(start.verified for start in measured.starts)
    return Outcome(
        rows=rows,
        decides=False,
        because="it is about times on the paper's machines; ours are of this machine",
        failed=measured.sweep.n_failed > 0 or not verified,
        notes=_notes(measured, rows, options.scale),
        tables={"Times (measured here)": estimates_table(measured.sweep)},
        document=sweep_to_json(measured.sweep) | {"bindings_verified": verified},
    )


def _notes(measured: MeasuredGrid, rows: list[ResultRow], scale: str) -> list[str]:
    """Sentences on the extent of the runs and their noise."""
    starts, same = measured.starts, measured.same_binding
    nodes = ", ".join(str(n) for n in sorted({start.nodes for start in starts}))
    per_node = {start.binding: start.n_processes // start.nodes for start in starts}
    bound = ", ".join(f"{n} a node bound to {binding}" for binding, n in per_node.items())
    sentences = [
        f"Scale {scale}: this host stands for {nodes} nodes, whose processes share its "
        f"{measured.n_cores} cores ({bound})."
    ]
    for name, of in same.items():
        noise = binding_noise(rows, name, of) if of else None
        if noise is not None:
            sentences.append(
                f"Binding to {name} and to {of} gives the same cores here, yet times differ by "
                f"{percent_text(noise)} (median): that much is noise."
            )
    return [" ".join(sentences)]


def binding_noise(rows: list[ResultRow], binding: str, same: str) -> float | None:
    """The difference between equal runs: the median of max / min - 1 of two bindings with the same cores."""
    differences = []
    for group in grouped(rows, ["workload", "policy", "nodes"]).values():
        times = [row.values["t"] for row in matching(group, {"binding": [binding, same]}) if row.values["t"]]
        if len(times) == 2:
            differences.append(max(times) / min(times) - 1)
    return median(differences) if differences else None


KIND = Kind(
    name="threads",
    sentence="the runtime's workloads on this host, by process binding and thread policy; decides no claim",
    starts=True,
    read=read_thread_runs,
    run=_run,
    source_of=lambda _: "measured",
)
