"""Writes the results of a sweep: a document for programs, a table for people, figures and a page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corewise.plugin.documents import counted, json_text, seconds_text, text_table, write_whole
from corewise.plugin.execution import Load, conditions
from corewise.plugin.figures import Picture, TextTable, tables_page, write_page

from corewise_laboratory.sweep.figures import draw_figures
from corewise_laboratory.sweep.grid import Configuration
from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.spec import Protocol, SweepSpec
from corewise_laboratory.sweep.summary import ConfigurationResult, summarize

RESULTS, PAGE = "results.json", "sweep.html"
_INTERVALS = {
    "median": "intervals of the median between two of the runs",
    "mean": "bootstrap intervals of the mean (fixed seed)",
}


@dataclass(frozen=True)
class SweepResult:
    """The results of a sweep, with rows in the order of the grid, and their folder."""

    spec: SweepSpec
    records: list[RunRecord]
    rows: list[ConfigurationResult]
    folder: Path
    load: Load

    @property
    def n_failed(self) -> int:
        """The number of failed runs, including warm-ups."""
        return sum(record.problem is not None for record in self.records)


def write_results(
    spec: SweepSpec, grid: list[Configuration], records: list[RunRecord], folder: Path, load: Load
) -> SweepResult:
    """Summarizes the runs and writes results.json, figures and sweep.html; raises InputError.

    `load` is this host's load before the runs.
    """
    result = SweepResult(spec, records, summarize(spec, grid, records), folder, load)
    figures = draw_figures(spec, result.rows)
    for name, png in figures.items():
        Picture(folder / name, "png").write(png)
    write_whole(folder / RESULTS, json_text(to_json(result), indent=1) + "\n")
    started = min((record.started for record in records), default="")
    page = tables_page(f"sweep: {spec.name}", started, {"Estimates": estimates_table(result)}, figures)
    write_page(page, folder / PAGE)
    return result


def to_json(result: SweepResult) -> dict[str, Any]:
    """The document of `corewise sweep --json`, with an entry for each configuration."""
    return {
        "format": "corewise-sweep-results",
        "version": 1,
        "name": result.spec.name,
        "source": result.spec.source,
        "measure": asdict(result.spec.measure),
        "runs": asdict(result.spec.protocol),
        "conditions": conditions(result.load),
        "hosts": sorted({record.host for record in result.records}),
        "n_runs": len(result.records),
        "n_failed": result.n_failed,
        "configurations": [_row_document(row) for row in result.rows],
        "directory": str(result.folder),
    }


def _row_document(row: ConfigurationResult) -> dict[str, Any]:
    interval = row.interval
    return {
        **asdict(row.configuration),
        "samples": row.samples,
        "estimate": interval and interval.expected,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "confidence": interval and interval.confidence,
        "relative": row.relative,
        "relative_interval": row.relative_interval and asdict(row.relative_interval),
        "problems": row.problems,
    }


def estimates_table(result: SweepResult) -> TextTable:
    """A row for each configuration: its labels, then the results."""
    spec = result.spec
    axes = sorted(spec.axes, key=lambda axis: axis != spec.group_by)  # the group first
    heads = [f"<{axis}" for axis in axes]
    heads += [">runs", f">{spec.protocol.estimate}", ">interval", ">/ best", ">interval", "<"]
    rows = []
    for row in sorted(result.rows, key=lambda row: _group_order(spec, row)):
        cells = [row.configuration.values[axis] for axis in axes]
        rows.append([*cells, str(len(row.samples)), *_estimate_cells(spec, row), _problem_cell(row)])
    return TextTable(heads, rows, notes(result))


def _group_order(spec: SweepSpec, row: ConfigurationResult) -> int:
    if spec.group_by is None:
        return 0
    return list(spec.axes[spec.group_by]).index(row.configuration.values[spec.group_by])


def _estimate_cells(spec: SweepSpec, row: ConfigurationResult) -> list[str]:
    if row.interval is None:
        return ["-", "-", "-", "-"]

    def value(number: float) -> str:
        return seconds_text(number) if spec.measure.unit == "s" else f"{number:.4g} {spec.measure.unit}"

    interval = "none" if len(row.samples) < 2 else f"{value(row.interval.low)} to {value(row.interval.high)}"
    relative = "-" if row.relative is None else f"{row.relative:.3f}"
    ratio, bounds = row.relative_interval, "none"
    if ratio is not None and ratio.confidence:
        bounds = f"{ratio.low:.3f} to {ratio.high:.3f}"
    return [value(row.interval.expected), interval, relative, bounds]


def _problem_cell(row: ConfigurationResult) -> str:
    if not row.problems:
        return ""
    return f"{counted(len(row.problems), 'run')} failed: {row.problems[0]:.60}"


def notes(result: SweepResult) -> list[str]:
    """Sentences that explain the table."""
    spec, protocol = result.spec, result.spec.protocol
    least = min((row.interval.confidence or 0.0 for row in result.rows if row.interval), default=0.0)
    among = f" of the same {spec.group_by}" if spec.group_by else ""
    lines = [
        f"{_protocol_text(protocol)}; {_INTERVALS[protocol.estimate]}, confidence {least:.0%}.",
        f"'/ best' is the {protocol.estimate} over that of the best configuration{among}; its interval is "
        "that of the ratio of runs of one round.",
        "The best configuration was chosen from these runs: a ratio near 1 may be chance.",
    ]
    lines.append("; ".join(f"{what}: {how}" for what, how in conditions(result.load).items()) + ".")
    lines += [result.load.busy_note] if result.load.busy_note else []
    hosts = sorted({record.host for record in result.records})
    if len(hosts) > 1:
        lines.append(f"The runs were started on several hosts: {', '.join(hosts)}.")
    return lines


def _protocol_text(protocol: Protocol) -> str:
    warmups = f" after {counted(protocol.warmups, 'warm-up')}" if protocol.warmups else ""
    order = (
        "rounds in random order" if protocol.order == "interleaved" else "one configuration after the other"
    )
    return f"{counted(protocol.repeats, 'run')} of each{warmups}, {order} (seed {protocol.seed})"


def text(result: SweepResult) -> list[str]:
    """The table for a terminal, its notes, and where the files are."""
    table = estimates_table(result)
    title = f"{result.spec.name}: {counted(len(result.records), 'run')}, measured here"
    lines = [*text_table(title, table.heads, table.rows)[1:], "", *table.notes]
    if result.n_failed:
        lines.append(f"{counted(result.n_failed, 'run')} of {len(result.records)} failed.")
    return [*lines, f"page  {result.folder / PAGE}"]
