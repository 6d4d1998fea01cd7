"""Summarizes the runs of a sweep: an estimate with its interval for each configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise.statistics import Interval, mean_interval, median_interval, paired_ratio

from corewise_laboratory.sweep.grid import Configuration
from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.spec import SweepSpec

_ESTIMATES: dict[str, Callable[[list[float]], Interval]] = {"median": median_interval, "mean": mean_interval}


@dataclass(frozen=True)
class ConfigurationResult:
    """A configuration with its `samples`: values of successful runs without warm-ups, in order.

    `interval` is None without samples. `relative` is the estimate divided by that of the best configuration
    in the group. `relative_interval` is for ratios to the best configuration in the same round
    (statistics.paired_ratio); None for the best itself, and if no interleaved round has both. `problems` are
    sentences on all failed runs, including warm-ups.
    """

    configuration: Configuration
    samples: list[float]
    interval: Interval | None
    relative: float | None
    relative_interval: Interval | None
    problems: list[str]


def summarize(
    spec: SweepSpec, grid: list[Configuration], records: list[RunRecord]
) -> list[ConfigurationResult]:
    """A result for each configuration, in the order of the grid."""
    samples: list[dict[int, float]] = [{} for _ in grid]  # by repeat
    problems: list[list[str]] = [[] for _ in grid]
    for record in sorted(records, key=lambda record: record.repeat):
        if record.problem is not None:
            problems[record.configuration].append(record.problem)
        elif record.value is not None and not record.warmup:
            samples[record.configuration][record.repeat] = record.value
    estimate = _ESTIMATES[spec.protocol.estimate]
    intervals = [estimate(list(values.values())) if values else None for values in samples]
    best_of_group = _best_of_groups(spec, grid, intervals)
    rows = []
    for index, configuration in enumerate(grid):
        interval, relative, relative_interval = intervals[index], None, None
        if interval is not None:
            best = best_of_group[_group(spec, configuration)]
            of_best = intervals[best]
            if of_best and of_best.expected:
                relative = interval.expected / of_best.expected
            if best != index and spec.protocol.order == "interleaved":
                relative_interval = _ratio(samples[index], samples[best])
        values = list(samples[index].values())
        rows.append(
            ConfigurationResult(configuration, values, interval, relative, relative_interval, problems[index])
        )
    return rows


def _ratio(values: dict[int, float], over: dict[int, float]) -> Interval | None:
    pairs = [(values[repeat], over[repeat]) for repeat in values.keys() & over.keys()]
    if not pairs or min(map(min, pairs)) <= 0:
        return None
    own, others = zip(*pairs, strict=True)
    return paired_ratio(own, others)


def _group(spec: SweepSpec, configuration: Configuration) -> str | None:
    return configuration.values[spec.group_by] if spec.group_by else None


def _best_of_groups(
    spec: SweepSpec, grid: list[Configuration], intervals: list[Interval | None]
) -> dict[str | None, int]:
    """The index in `grid` of the best configuration, by group."""
    best_of = min if spec.measure.better == "lower" else max
    expected = {index: interval.expected for index, interval in enumerate(intervals) if interval}
    found: dict[str | None, list[int]] = {}
    for index in expected:
        found.setdefault(_group(spec, grid[index]), []).append(index)
    return {group: best_of(of, key=expected.__getitem__) for group, of in found.items()}
