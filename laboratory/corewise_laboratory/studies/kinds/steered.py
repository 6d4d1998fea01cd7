"""Kind `steered`: a program with two ranks on two cores of this host, one with protocol work, steered."""

from __future__ import annotations

import json
from itertools import product
from statistics import median
from typing import Any

from corewise.plugin.documents import json_text, write_whole
from corewise.plugin.figures import TextTable

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.studies.steered_running import RunFailed, TwoRankRun, run_steered
from corewise_laboratory.studies.steered_spec import SteeredRuns, SteeredScale, read_steered_runs

WORK = {
    "none": "without protocol work",
    "packets": "whose first works on all packets that loopback receives",
    "load": "of whose first a simulated load of protocol work takes {share:.0%}",
}


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    spec: SteeredRuns = runs.spec
    scale = spec.full if options.full else spec.quick
    numbers: dict[tuple[str, ...], list[dict[str, float]]] = {}
    problems: list[str] = []
    for repeat, case, order, mode in product(
        range(scale.repeats), spec.combinations, spec.orders, spec.modes
    ):
        labels = (*case.values(), order, mode)
        options.tell(f"{runs.name}: {', '.join(labels)}, repeat {repeat + 1} of {scale.repeats}")
        run = TwoRankRun(spec.program, spec.work, spec.family, order, mode, case, scale.seconds)
        try:
            numbers.setdefault(labels, []).append(_kept_or_run(run, labels, repeat, options))
        except RunFailed as error:
            problems.append(str(error))
    rows = [_row(spec, labels, found) for labels, found in numbers.items() if found]
    where = WORK[spec.work.kind].format(share=spec.work.share)
    return Outcome(
        rows=rows,
        decides=True,
        because=f"measured on two cores of this host, {where}; medians of {scale.repeats}",
        failed=bool(problems),
        notes=[f"Two ranks on two cores of this host, {where}.", *dict.fromkeys(problems)],
        tables={"Steered (measured here)": _table(spec, rows, scale)},
        document={"rows": [row.to_json() for row in rows]},
    )


def _kept_or_run(
    run: TwoRankRun, labels: tuple[str, ...], repeat: int, options: StudyOptions
) -> dict[str, Any]:
    """The numbers of a run, stored ones if an earlier call ran it in this folder."""
    path = options.folder / "runs" / f"{options.scale}-{'-'.join(labels)}-{repeat}.json"
    if path.is_file():
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    numbers = run_steered(run)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json_text(numbers))
    return numbers


def _row(spec: SteeredRuns, labels: tuple[str, ...], found: list[dict[str, float]]) -> ResultRow:
    """Medians over the repeats, the least and greatest time, and the case's numeric values."""
    columns = dict.fromkeys(column for numbers in found for column in numbers)
    values = {column: median(numbers[column] for numbers in found if column in numbers) for column in columns}
    times = [numbers["t"] for numbers in found]
    named = dict(zip(spec.axes, labels, strict=True))
    numeric = {axis: float(named[axis]) for axis in spec.vary if named[axis].replace(".", "", 1).isdigit()}
    return ResultRow(named, values | {"low": min(times), "high": max(times)} | numeric)


def _table(spec: SteeredRuns, rows: list[ResultRow], scale: SteeredScale) -> TextTable:
    """A row for each case, order and mode: time relative to the case's least, swaps, and waiting."""
    heads = [f"<{axis}" for axis in spec.axes] + [
        ">time over the case's least",
        ">swaps",
        ">waiting, rank 0, 1",
    ]
    least: dict[tuple[str, ...], float] = {}
    for row in rows:
        case = tuple(row.labels[axis] for axis in spec.vary)
        least[case] = min(least.get(case, float("inf")), row.number("t"))
    cells = []
    for row in rows:
        ratio = row.number("t") / least[tuple(row.labels[axis] for axis in spec.vary)]
        waits = [row.values.get(f"wait_{rank}") for rank in range(2)]
        waited = "-" if None in waits else ", ".join(f"{wait:.0%}" for wait in waits)
        swaps = row.values.get("swaps")
        cells.append([*row.labels.values(), f"{ratio:.3f}", "-" if swaps is None else f"{swaps:g}", waited])
    note = (
        "straight: rank 0 on the core with the protocol work; watched: observed, never swapped; medians of "
        f"{scale.repeats}, over the last third of a run."
    )
    return TextTable(heads, cells, [note])


KIND = Kind(
    name="steered",
    sentence="two ranks on two cores of this host, one with protocol work: unsteered, and steered",
    starts=True,
    read=read_steered_runs,
    run=_run,
    source_of=lambda _: "measured",
)
