"""What the runs of a sweep come to: an estimate with its interval for each configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise.statistics import Interval, mean_interval, median_interval
from corewise.sweep.grid import Configuration
from corewise.sweep.journal import RunRecord
from corewise.sweep.spec import SweepSpec

_ESTIMATES: dict[str, Callable[[list[float]], Interval]] = {"median": median_interval, "mean": mean_interval}


@dataclass(frozen=True)
class Row:
    """One configuration: `samples` of the runs that count and ended well, in order of their repeats.

    `interval` is None where there is no sample. `relative` is the estimate over the best one of the
    configurations that it is compared with (1 for the best); below 1 only where higher is better.
    `problems` are the sentences of all its failed runs, warm-ups too.
    """

    configuration: Configuration
    samples: list[float]
    interval: Interval | None
    relative: float | None
    problems: list[str]


def summarize(spec: SweepSpec, grid: list[Configuration], records: list[RunRecord]) -> list[Row]:
    """One row a configuration, in the order of the grid."""
    samples: list[list[float]] = [[] for _ in grid]
    problems: list[list[str]] = [[] for _ in grid]
    for record in sorted(records, key=lambda record: record.repeat):
        if record.problem is not None:
            problems[record.configuration].append(record.problem)
        elif not record.warmup:
            samples[record.configuration].append(record.value)
    estimate = _ESTIMATES[spec.protocol.estimate]
    intervals = [estimate(values) if values else None for values in samples]
    best = _best_of_groups(spec, grid, intervals)
    rows = []
    for index, configuration in enumerate(grid):
        interval, least = intervals[index], best.get(_group(spec, configuration))
        relative = interval.expected / least if interval and least else None
        rows.append(Row(configuration, samples[index], interval, relative, problems[index]))
    return rows


def _group(spec: SweepSpec, configuration: Configuration) -> str | None:
    return configuration.values[spec.group_by] if spec.group_by else None


def _best_of_groups(
    spec: SweepSpec, grid: list[Configuration], intervals: list[Interval | None]
) -> dict[str | None, float]:
    best_of = min if spec.measure.better == "lower" else max
    found: dict[str | None, list[float]] = {}
    for configuration, interval in zip(grid, intervals, strict=True):
        if interval is not None:
            found.setdefault(_group(spec, configuration), []).append(interval.expected)
    return {group: best_of(estimates) for group, estimates in found.items()}
