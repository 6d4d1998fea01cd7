"""The results of a sweep: an estimate with its interval for each configuration, as a document and a table."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from corewise.files.whole_file import write_whole
from corewise.nouns.load import Load
from corewise.observe.conditions import conditions
from corewise.statistics import median_interval
from corewise.text.escaping import json_text
from corewise.text.quantities import counted, seconds_text
from corewise.text.table import text_table

from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.spec import Configuration, SweepSpec

RESULTS = "results.json"


def entries(spec: SweepSpec, grid: list[Configuration], records: list[RunRecord]) -> list[dict[str, Any]]:
    """The document's entry of each configuration, in the order of the grid.

    `samples` are values of successful runs without warm-ups, in order; without one, the estimate and the
    interval are None. `relative` is the estimate divided by that of the best configuration in the group.
    `problems` are sentences on all failed runs, including warm-ups.
    """
    samples: list[list[float]] = [[] for _ in grid]
    problems: list[list[str]] = [[] for _ in grid]
    for record in sorted(records, key=lambda record: record.repeat):
        if record.problem is not None:
            problems[record.configuration].append(record.problem)
        elif record.value is not None and not record.warmup:
            samples[record.configuration].append(record.value)
    intervals = [median_interval(values) if values else None for values in samples]
    best: dict[str | None, float] = {}
    groups = [spec.group_by and configuration.values[spec.group_by] for configuration in grid]
    better = min if spec.measure.better == "lower" else max
    for group, interval in zip(groups, intervals, strict=True):
        if interval is not None:
            best[group] = better(best.get(group, interval.expected), interval.expected)
    return [
        {
            **asdict(configuration),
            "samples": samples[index],
            "estimate": interval and interval.expected,
            "low": interval and interval.low,
            "high": interval and interval.high,
            "confidence": interval and interval.confidence,
            "relative": interval.expected / best[group] if interval and best[group] else None,
            "problems": problems[index],
        }
        for index, (configuration, interval, group) in enumerate(zip(grid, intervals, groups, strict=True))
    ]


def write_results(
    spec: SweepSpec, grid: list[Configuration], records: list[RunRecord], folder: Path, load: Load
) -> dict[str, Any]:
    """Summarizes the runs, writes results.json, and returns its document; raises InputError.

    `load` is this host's load before the runs.
    """
    document = {
        "format": "corewise-sweep-results",
        "version": 1,
        "name": spec.name,
        "source": "measured",
        "measure": spec.measure.to_json(),
        "runs": spec.protocol.to_json(),
        "conditions": conditions(load),
        "hosts": sorted({record.host for record in records}),
        "n_runs": len(records),
        "n_failed": sum(record.problem is not None for record in records),
        "configurations": entries(spec, grid, records),
        "directory": str(folder),
    }
    write_whole(folder / RESULTS, json_text(document, indent=1) + "\n")
    return document


def text(spec: SweepSpec, document: dict[str, Any], load: Load) -> list[str]:
    """The table for a terminal, sentences that explain it, and where the files are."""
    heads = [*(f"<{axis}" for axis in spec.axes), ">runs", ">median", ">interval", ">/ best", "<"]
    rows = [_cells(spec, entry) for entry in document["configurations"]]
    least = min(
        (entry["confidence"] or 0.0 for entry in document["configurations"] if entry["samples"]), default=0.0
    )
    among = f" of the same {spec.group_by}" if spec.group_by else ""
    title = f"{spec.name}: {counted(document['n_runs'], 'run')}, measured here"
    lines = [
        *text_table(title, heads, rows)[1:],
        "",
        f"{counted(spec.protocol.repeats, 'run')} of each after {counted(spec.protocol.warmups, 'warm-up')}, "
        f"rounds in random order (seed {spec.protocol.seed}); intervals of the median between two of the "
        f"runs, confidence {least:.0%}.",
        f"'/ best' is the median over that of the best configuration{among}, which was chosen from these "
        "runs: a ratio near 1 may be chance.",
        "; ".join(f"{what}: {how}" for what, how in document["conditions"].items()) + ".",
    ]
    if load.busy_note:
        lines.append(load.busy_note)
    if document["n_failed"]:
        lines.append(f"{counted(document['n_failed'], 'run')} of {document['n_runs']} failed.")
    return [*lines, f"results  {document['directory']}/{RESULTS}"]


def _cells(spec: SweepSpec, entry: dict[str, Any]) -> list[str]:
    """A row of the table: the labels, then the results."""
    cells = [*entry["values"].values(), str(len(entry["samples"]))]
    if entry["samples"]:
        low, middle, high = (_value(spec, entry[name]) for name in ("low", "estimate", "high"))
        cells += [middle, "none" if len(entry["samples"]) < 2 else f"{low} to {high}"]
    else:
        cells += ["-", "-"]
    cells.append("-" if entry["relative"] is None else f"{entry['relative']:.3f}")
    problems = entry["problems"]
    return [*cells, f"{counted(len(problems), 'run')} failed: {problems[0]:.60}" if problems else ""]


def _value(spec: SweepSpec, number: float) -> str:
    return seconds_text(number) if spec.measure.unit == "s" else f"{number:.4g} {spec.measure.unit}"
