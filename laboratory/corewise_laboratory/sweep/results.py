"""The results of a sweep: an estimate with its interval for each configuration, as a document and a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corewise.plugin.documents import counted, json_text, seconds_text, text_table, write_whole
from corewise.plugin.execution import Load, conditions
from corewise.plugin.figures import TextTable
from corewise.statistics import Interval, mean_interval, median_interval

from corewise_laboratory.sweep.grid import Configuration
from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.spec import SweepSpec

RESULTS = "results.json"
_ESTIMATES: dict[str, Callable[[list[float]], Interval]] = {"median": median_interval, "mean": mean_interval}
_INTERVALS = {
    "median": "intervals of the median between two of the runs",
    "mean": "bootstrap intervals of the mean (fixed seed)",
}


@dataclass(frozen=True)
class ConfigurationResult:
    """A configuration with its `samples`: values of successful runs without warm-ups, in order.

    `interval` is None without samples. `relative` is the estimate divided by that of the best configuration
    in the group. `problems` are sentences on all failed runs, including warm-ups.
    """

    configuration: Configuration
    samples: list[float]
    interval: Interval | None
    relative: float | None
    problems: list[str]


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


def summarize(
    spec: SweepSpec, grid: list[Configuration], records: list[RunRecord]
) -> list[ConfigurationResult]:
    """A result for each configuration, in the order of the grid."""
    samples: list[list[float]] = [[] for _ in grid]
    problems: list[list[str]] = [[] for _ in grid]
    for record in sorted(records, key=lambda record: record.repeat):
        if record.problem is not None:
            problems[record.configuration].append(record.problem)
        elif record.value is not None and not record.warmup:
            samples[record.configuration].append(record.value)
    estimate = _ESTIMATES[spec.protocol.estimate]
    intervals = [estimate(values) if values else None for values in samples]
    groups = [spec.group_by and configuration.values[spec.group_by] for configuration in grid]
    rows = []
    for index, configuration in enumerate(grid):
        interval, relative = intervals[index], None
        if interval is not None:
            others = zip(intervals, groups, strict=True)
            of_group = [each.expected for each, group in others if each and group == groups[index]]
            best = min(of_group) if spec.measure.better == "lower" else max(of_group)
            relative = interval.expected / best if best else None
        rows.append(ConfigurationResult(configuration, samples[index], interval, relative, problems[index]))
    return rows


def write_results(
    spec: SweepSpec, grid: list[Configuration], records: list[RunRecord], folder: Path, load: Load
) -> SweepResult:
    """Summarizes the runs and writes results.json; raises InputError.

    `load` is this host's load before the runs.
    """
    result = SweepResult(spec, records, summarize(spec, grid, records), folder, load)
    write_whole(folder / RESULTS, json_text(to_json(result), indent=1) + "\n")
    return result


def to_json(result: SweepResult) -> dict[str, Any]:
    """The document of `corewise sweep --json`, with an entry for each configuration."""
    return {
        "format": "corewise-sweep-results",
        "version": 1,
        "name": result.spec.name,
        "source": result.spec.source,
        "measure": result.spec.measure.to_json(),
        "runs": result.spec.protocol.to_json(),
        "conditions": conditions(result.load),
        "hosts": sorted({record.host for record in result.records}),
        "n_runs": len(result.records),
        "n_failed": result.n_failed,
        "configurations": [
            {
                **asdict(row.configuration),
                "samples": row.samples,
                "estimate": row.interval and row.interval.expected,
                "low": row.interval and row.interval.low,
                "high": row.interval and row.interval.high,
                "confidence": row.interval and row.interval.confidence,
                "relative": row.relative,
                "problems": row.problems,
            }
            for row in result.rows
        ],
        "directory": str(result.folder),
    }


def estimates_table(result: SweepResult) -> TextTable:
    """A row for each configuration: its labels, then the results."""
    spec = result.spec
    heads = [f"<{axis}" for axis in spec.axes]
    heads += [">runs", f">{spec.protocol.estimate}", ">interval", ">/ best", "<"]
    rows = []
    for row in result.rows:
        cells = [*row.configuration.values.values(), str(len(row.samples))]
        if row.interval is None:
            cells += ["-", "-"]
        else:
            low, middle, high = (
                _value(spec, number)
                for number in (row.interval.low, row.interval.expected, row.interval.high)
            )
            cells += [middle, "none" if len(row.samples) < 2 else f"{low} to {high}"]
        cells.append("-" if row.relative is None else f"{row.relative:.3f}")
        failed = counted(len(row.problems), "run")
        rows.append([*cells, f"{failed} failed: {row.problems[0]:.60}" if row.problems else ""])
    return TextTable(heads, rows, notes(result))


def _value(spec: SweepSpec, number: float) -> str:
    return seconds_text(number) if spec.measure.unit == "s" else f"{number:.4g} {spec.measure.unit}"


def notes(result: SweepResult) -> list[str]:
    """Sentences that explain the table."""
    spec, protocol = result.spec, result.spec.protocol
    least = min((row.interval.confidence or 0.0 for row in result.rows if row.interval), default=0.0)
    order = (
        "rounds in random order" if protocol.order == "interleaved" else "one configuration after the other"
    )
    among = f" of the same {spec.group_by}" if spec.group_by else ""
    lines = [
        f"{counted(protocol.repeats, 'run')} of each after {counted(protocol.warmups, 'warm-up')}, {order} "
        f"(seed {protocol.seed}); {_INTERVALS[protocol.estimate]}, confidence {least:.0%}.",
        f"'/ best' is the {protocol.estimate} over that of the best configuration{among}, which was chosen "
        "from these runs: a ratio near 1 may be chance.",
        "; ".join(f"{what}: {how}" for what, how in conditions(result.load).items()) + ".",
    ]
    return lines + ([result.load.busy_note] if result.load.busy_note else [])


def text(result: SweepResult) -> list[str]:
    """The table for a terminal, its notes, and where the files are."""
    table = estimates_table(result)
    title = f"{result.spec.name}: {counted(len(result.records), 'run')}, measured here"
    lines = [*text_table(title, table.heads, table.rows)[1:], "", *table.notes]
    if result.n_failed:
        lines.append(f"{counted(result.n_failed, 'run')} of {len(result.records)} failed.")
    return [*lines, f"results  {result.folder / RESULTS}"]
