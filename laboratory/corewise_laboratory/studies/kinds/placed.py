"""Kind `placed`: times of patterns and stored matrices on machines with placements, by an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from corewise import Placement, model
from corewise.plugin.documents import seconds_text
from corewise.plugin.figures import TextTable
from corewise.plugin.placing import block_ratio

from corewise_laboratory.studies.case_inputs import input_of, machine_for, placements_of
from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.placed_runs import PlacedCase, PlacedRuns, read_placed_runs
from corewise_laboratory.studies.rank_distance import rank_distances
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.studies.time_models import TIME_MODELS

# Placements by case and sample. Placements for link loads are the same for all message sizes, which only
# multiply all loads, and for all machine figures, which loads don't depend on.
Known = dict[tuple[Any, ...], list[model.Assignment]]


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    spec: PlacedRuns = runs.spec
    rows: list[ResultRow] = []
    known: Known = {}
    for case in spec.cases:
        options.tell(f"{runs.study}: {', '.join(case.labels.values())}")
        rows += _rows(spec, case, options, known)
    return Outcome(
        rows=rows,
        decides=True,
        because="; ".join(TIME_MODELS[name].because for name in spec.engines),
        tables={f"Times ({_source(spec)}), {runs.name}": _table(rows)},
        document={"engine": ", ".join(spec.engines), "rows": [row.to_json() for row in rows]},
    )


def _source(spec: PlacedRuns) -> str:
    return ", ".join(dict.fromkeys(TIME_MODELS[name].source for name in spec.engines))


def _rows(spec: PlacedRuns, case: PlacedCase, options: StudyOptions, known: Known) -> list[ResultRow]:
    """Rows for each engine and placement of a case, with times averaged over the samples."""
    numbers = {axis: float(value) for axis, value in case.values.items() if _is_number(value)}
    rows = []
    for name in spec.engines:
        of_engine = {"engine": name} if len(spec.engines) > 1 else {}
        samples = range(1, spec.samples[name] + 1) if case.pattern == "random" else range(1, 2)
        found = [_timed(spec, case, name, options, sample, known) for sample in samples]
        for label in spec.placings:
            means = {column: _mean([each[label][column] for each in found]) for column in found[0][label]}
            rows.append(ResultRow(case.labels | of_engine | {"placement": label}, {**numbers, **means}))
    return rows


def _timed(
    spec: PlacedRuns, case: PlacedCase, engine: str, options: StudyOptions, sample: int, known: Known
) -> dict[str, dict[str, float | None]]:
    """Columns of numbers by placement: time, traffic ratio in block order, and others."""
    found = input_of(case, options.data, sample)
    traffic = found.traffic
    machine = machine_for(case.machine, traffic.n_ranks)
    folded = replace(found, traffic=model.Traffic.of(traffic.folded()))
    ratio = block_ratio(folded.traffic.phases[0].matrix, machine.n_cores // machine.n_nodes)
    compute_s = case.compute_s.value([], **case.values) if case.compute_s else 0.0
    timed: dict[str, dict[str, float | None]] = {}
    for label, placing in spec.placings.items():
        of_any_load = placing.objective == "link-load"  # loads of the whole pattern, as in the SMP-CMP paper
        same = ("size", "figures") if of_any_load else ()
        key = (label, sample, *(v for axis, v in case.labels.items() if axis not in same))
        if key not in known:
            known[key] = placements_of(placing, folded if of_any_load else found, machine)
        model_s, n_draws = TIME_MODELS[engine].time_s, placing.draws.get(engine, 1)
        times = [_plus(model_s(found, machine, one), compute_s) for one in known[key][:n_draws]]
        nodes = Placement.of(known[key][0], machine).node
        timed[label] = {
            "t": _mean(times),
            "ratio_bytes": ratio.inter_over_intra_bytes,
            "ratio_messages": ratio.inter_over_intra_messages,
            **_within_nodes(folded.traffic, nodes),
            **rank_distances(nodes),
        }
    return timed


def _plus(time_s: float | None, compute_s: float) -> float | None:
    return None if time_s is None else time_s + compute_s


def _within_nodes(traffic: model.Traffic, nodes: Sequence[int]) -> dict[str, float | None]:
    """The fractions of bytes and messages between different ranks that stay within a node."""
    src, dst, *amounts = traffic.phases[0].matrix.columns()
    node = np.asarray(nodes)
    between, same = src != dst, node[src] == node[dst]
    shares = [amount[between & same].sum() / amount[between].sum() for amount in amounts]
    return dict(zip(("within_bytes", "within_messages"), map(float, shares), strict=True))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _table(rows: list[ResultRow]) -> TextTable:
    """A table with the labels, time and ratio of each row."""
    axes = list(dict.fromkeys(axis for row in rows for axis in row.labels))
    cells = [
        [*(row.labels.get(axis, "") for axis in axes), _time_text(row), _ratio_text(row)] for row in rows
    ]
    heads = [*(f"<{axis}" for axis in axes), ">time", ">inter/intra"]
    return TextTable(heads, cells, ["inter/intra: bytes between nodes over bytes within them, block order."])


def _time_text(row: ResultRow) -> str:
    time_s = row.values["t"]
    return "-" if time_s is None else seconds_text(time_s)


def _ratio_text(row: ResultRow) -> str:
    ratio = row.values["ratio_bytes"]
    return "-" if ratio is None else f"{ratio:.3f}"


KIND = Kind(
    name="placed",
    sentence="patterns and stored matrices on a machine's nodes, timed under placements by an engine",
    starts=False,
    read=read_placed_runs,
    run=_run,
    source_of=_source,
)
