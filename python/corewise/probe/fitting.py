"""Computes figures from samples. Disturbances only make messages slower, so the fastest pass counts."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corewise.errors import RunError
from corewise.model import LinkFigures
from corewise.probe.pairs import Measurement, Pair

# The range of eager thresholds, in bytes; steps at other sizes are effects of caches.
EAGER_FROM, EAGER_TO = 512, 2**18
# A handshake needs one or two more messages. A step of half a latency is less than that, but more than noise.
# A step below a tenth of the bytes' time is only a bend of the curve.
STEP_LATENCIES = 0.5
STEP_SHARE = 0.1
# Groups of pairs whose times differ by a smaller factor would not change a placement.
LEAST_CLUSTER_RATIO = 1.3
LEAST_IN_CLUSTER = 2

Samples = Mapping[int, Sequence[Sequence[float]]]  # [measurement][pass] times of one message, s


class NothingMeasured(RunError):
    """The measurements for a figure are missing; exit code 1."""


@dataclass(frozen=True)
class Estimate:
    """A time, s, with bounds: low <= time <= high."""

    time_s: float
    low_s: float
    high_s: float


@dataclass(frozen=True)
class FittedLevel:
    """The figures of a level. `groups` [group] are (pair, latency) of clearly different groups of pairs.

    `exchange_bytes_per_s` is the rate of two cores that exchange messages, both directions together, None if
    not measured. `crossed`: loads in both directions were measured with separate pairs for each direction.
    """

    figures: LinkFigures
    n_pairs: int
    exchange_bytes_per_s: float | None
    crossed: bool
    groups: list[list[tuple[Pair, Estimate]]] = field(default_factory=list)


def estimate(passes: Sequence[Sequence[float]]) -> Estimate:
    """The lower quartile of the fastest pass; bounds are the least sample and the slowest pass's median.

    A pass is a nonempty list of times, s.
    """
    medians = [statistics.median(samples) for samples in passes]
    fastest = min(_lower_quartile(samples) for samples in passes)
    return Estimate(fastest, min(min(samples) for samples in passes), max(medians))


def of_pairs(estimates: Sequence[Estimate]) -> Estimate:
    """One estimate for pairs that are considered equal: their median, with bounds that include all."""
    return Estimate(
        statistics.median(one.time_s for one in estimates),
        min(one.low_s for one in estimates),
        max(one.high_s for one in estimates),
    )


def figures_of(level: int, measurements: Sequence[Measurement], samples: Samples, source: str) -> FittedLevel:
    """The figures of a level; raises NothingMeasured if a curve or a load is missing."""
    mine = [(i, one) for i, one in enumerate(measurements) if one.level == level and samples.get(i)]
    found = {i: estimate(samples[i]) for i, _ in mine}
    by_size: dict[int, list[Estimate]] = defaultdict(list)
    for i, one in mine:
        if one.purpose == "curve":
            by_size[one.size_bytes].append(found[i])
    curve = {size: of_pairs(by_size[size]) for size in sorted(by_size)}
    loaded = [(one, _load(one, found[i])) for i, one in mine if one.purpose == "load"]
    # Crossed pairs come last and replace exchanging pairs of the same number, which may take turns.
    loads = list({load[:3]: load for _, load in loaded}.values())
    one_way = [load for load in loads if load[1] == 1 and not load[2]]
    if not curve or not one_way:
        raise NothingMeasured(f"level {level} was not measured; allow more ranks")
    latency = next(iter(curve.values()))
    _, _, _, bandwidth, low, high = max(one_way, key=lambda load: load[3])
    figures = LinkFigures(
        latency.time_s,
        bandwidth,
        source,
        latency_bounds_s=(latency.low_s, latency.high_s),
        bandwidth_bounds_bytes_per_s=(low, high),
        eager_bytes=eager_threshold(curve),
        curve=[(size, one.time_s, one.low_s, one.high_s) for size, one in curve.items()],
        loads=loads,
    )
    scanned = [(one.pairs[0], one.size_bytes, found[i]) for i, one in mine if one.purpose == "scan"]
    return FittedLevel(
        figures,
        len({one.pairs for _, one in mine}),
        next((load[3] for one, load in loaded if one.mode == "exchange"), None),
        any(one.crossed for one, _ in loaded),
        groups_of(scanned),
    )


def _load(one: Measurement, found: Estimate) -> tuple[int, int, bool, float, float, float]:
    """A row of LinkFigures.loads: the rate of all pairs of a measurement together."""
    n_bytes = one.size_bytes * one.pairs_each_way * (2 if one.both_ways else 1)
    rates = (n_bytes / found.time_s, n_bytes / found.high_s, n_bytes / found.low_s)
    return one.pairs_each_way, one.links, one.both_ways, *rates


def eager_threshold(curve: Mapping[int, Estimate]) -> int | None:
    """The size, in bytes, before the curve's largest step; None if no step is a handshake.

    A step is the increase of time from one size to the next, minus the slope after it. A handshake's step is
    longer than STEP_LATENCIES times the smallest message and than STEP_SHARE times the slope's part, and the
    bounds before and after it don't overlap.
    """
    sizes = sorted(curve)
    steps = []
    for size, after, beyond in zip(sizes, sizes[1:], sizes[2:], strict=False):
        if not EAGER_FROM <= size <= EAGER_TO:
            continue
        slope = max(0.0, (curve[beyond].time_s - curve[after].time_s) / (beyond - after))
        grown = slope * (after - size)
        step = curve[after].time_s - curve[size].time_s - grown
        if step >= STEP_SHARE * grown and curve[after].low_s > curve[size].high_s + grown:
            steps.append((step, size))
    if not steps or max(steps)[0] < STEP_LATENCIES * curve[sizes[0]].time_s:
        return None
    return max(steps)[1]


def groups_of(scanned: Sequence[tuple[Pair, int, Estimate]]) -> list[list[tuple[Pair, Estimate]]]:
    """Groups of a level's pairs by the time of messages of one size, fastest first; empty for one group.

    The size is the one with most groups. Times of groups differ by a factor of LEAST_CLUSTER_RATIO or more,
    their bounds don't overlap, and each group has at least LEAST_IN_CLUSTER pairs.
    """
    by_size: dict[int, list[tuple[Pair, Estimate]]] = defaultdict(list)
    for pair, size, found in scanned:
        by_size[size].append((pair, found))
    split = [_split(sorted(found, key=lambda entry: entry[1].time_s)) for found in by_size.values()]
    most = max(split, key=len, default=[])
    return most if len(most) > 1 else []


def _split(ascending: Sequence[tuple[Pair, Estimate]]) -> list[list[tuple[Pair, Estimate]]]:
    groups: list[list[tuple[Pair, Estimate]]] = [[]]
    for i, (pair, found) in enumerate(ascending):
        group, rest = groups[-1], ascending[i:]
        if len(group) >= LEAST_IN_CLUSTER and len(rest) >= LEAST_IN_CLUSTER:
            slowest = max(one.high_s for _, one in group)
            is_apart = found.time_s >= LEAST_CLUSTER_RATIO * group[-1][1].time_s
            if is_apart and min(one.low_s for _, one in rest) > slowest:
                groups.append([])
        groups[-1].append((pair, found))
    return groups


def are_equal(a: LinkFigures, b: LinkFigures) -> bool:
    """Whether the bounds of two levels' curves overlap at every common size; False if there are none."""
    of_b = {size: (low, high) for size, _, low, high in b.curve}
    common = [(low, high, *of_b[size]) for size, _, low, high in a.curve if size in of_b]
    return bool(common) and all(
        low <= other_high and other_low <= high for low, high, other_low, other_high in common
    )


def _lower_quartile(samples: Sequence[float]) -> float:
    """Sample number ceil(n / 4) of n samples in ascending order."""
    return sorted(samples)[math.ceil(len(samples) / 4) - 1]
