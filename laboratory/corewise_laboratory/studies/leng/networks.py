"""Figures 5 to 11: HPL under three mappings on four networks, computed from its matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corewise_laboratory.studies.claims import (
    above_half,
    at_least,
    at_most,
    claim,
    is_true,
    positive,
)
from corewise_laboratory.studies.leng.inputs import (
    BLOCK_SIZE,
    FAST,
    GIGABIT,
    GIGANET,
    GRID,
    MAPPINGS,
    MYRINET,
    gain,
)
from corewise_laboratory.studies.placed import Placed, Placing, cases
from corewise_laboratory.studies.rows import Column, Labels, Rows, spearman
from corewise_laboratory.studies.study import Study


def gains(rows: Rows) -> Column:
    """The gains of frequency-major, [0], and size-major, [1]."""
    return np.array([gain(rows, "frequency-major"), gain(rows, "size-major")])


def gain_of_better(rows: Rows) -> float:
    """The gain of the better one of both mappings, the least of all cases."""
    return float(gains(rows).max(axis=0).min())


def mean_rate(rows: Rows, placement: str) -> float:
    """The mean of N^3 / t, which is proportional to the Gflop/s."""
    return float(np.mean(rows("n", placement=placement) ** 3 / rows("t", placement=placement)))


def rate_gain(placement: str) -> Callable[[Rows], float]:
    """The rate of a placement over round-robin's, minus 1; the least of the numbers of nodes."""
    return lambda rows: min(
        mean_rate(each, placement) / mean_rate(each, "round-robin") - 1 for each in rows.per("nodes")
    )


def slowest_over_fastest(rows: Rows, **labels: Labels) -> float:
    """The greatest time over the least one."""
    return float(rows("t", **labels).max() / rows("t", **labels).min())


def closer_with(placement: str) -> Callable[[Rows], float]:
    """How much closer the networks are than under round-robin, on average over N."""

    def closer(rows: Rows) -> float:
        before, after = (slowest_over_fastest(rows, placement=name) for name in ("round-robin", placement))
        return before - after

    return lambda rows: float(np.mean([closer(each) for each in rows.per("n")]))


def rate_rises_with_n(rows: Rows) -> float:
    """The correlation of N and rate, the least of all machines, nodes and placements."""
    found = rows.per("machine", "nodes", "placement")
    return min(spearman(each("n"), each("n") ** 3 / each("t")) for each in found)


def slowest_gains_most(rows: Rows) -> float:
    """t(2000) / t(4000) of Fast Ethernet over the greatest of the others, minus 1; the least of all."""

    def ratio(rows: Rows, machine: Labels) -> float:
        return float((rows("t", machine=machine, n="2000") / rows("t", machine=machine, n="4000")).max())

    found = rows.per("nodes", "placement")
    return min(ratio(each, FAST) / ratio(each, [GIGABIT, GIGANET, MYRINET]) - 1 for each in found)


def converge(rows: Rows) -> float:
    """How much closer the networks are at N = 4000 than at 2000, the least of all nodes and placements."""
    return min(
        slowest_over_fastest(each, n="2000") - slowest_over_fastest(each, n="4000")
        for each in rows.per("nodes", "placement")
    )


OF_RATES = [
    *(
        claim(
            f"leng-fig{number}-{nodes}-interconnects-closer-with-{short}",
            closer_with(mapping),
            positive,
            nodes=nodes,
        )
        for number, short, mapping in ((6, "fm", "frequency-major"), (7, "sm", "size-major"))
        for nodes in ("8x2", "16x2")
    ),
    claim("leng-sec6-fm-improves-fast-ethernet", rate_gain("frequency-major"), positive, machine=FAST),
    claim("leng-sec6-fm-improves-gigabit", rate_gain("frequency-major"), positive, machine=GIGABIT),
    claim("leng-sec6-sm-improves-fast-ethernet", rate_gain("size-major"), positive, machine=FAST),
    claim("leng-sec6-sm-improves-gigabit", rate_gain("size-major"), positive, machine=GIGABIT),
    claim("leng-sec6-more-memory-better", rate_rises_with_n, at_least, placement=MAPPINGS),
    claim("leng-sec6-memory-helps-slow-interconnect-most", slowest_gains_most, positive, placement=MAPPINGS),
    claim("leng-sec6-interconnects-converge-at-large-sizes", converge, positive, placement=MAPPINGS),
    claim("leng-sec6-slow-interconnect-needs-shared-memory-traffic", gain_of_better, positive, machine=FAST),
]


def greatest_difference(rows: Rows) -> float:
    """t_max / t_min - 1 of the mappings, the greatest of all cases."""
    return max(slowest_over_fastest(each) - 1 for each in rows.per("machine", "nodes", "n"))


def greatest_gain(rows: Rows) -> float:
    """The greatest gain of both mappings."""
    return float(gains(rows).max())


def between_sizes(rows: Rows) -> float:
    """The greatest difference of a mapping's gains by N, of both mappings and numbers of nodes."""
    return max(float(np.ptp(gains(each), axis=1).max()) for each in rows.per("nodes"))


def between_mappings(rows: Rows) -> float:
    """The greatest difference of both mappings' gains."""
    return float(np.ptp(gains(rows), axis=0).max())


def relative_time(rows: Rows) -> Column:
    """t_size_major / t_round_robin of each case."""
    return rows("t", placement="size-major") / rows("t", placement="round-robin")


def spread_faster(*mappings: str) -> Callable[[Rows], float]:
    """The time of the fastest mapping over that of ranks spread over nodes, minus 1; the least of all."""

    def measured(rows: Rows) -> float:
        fastest = np.min([rows("t", placement=mapping) for mapping in mappings], axis=0)
        return float((fastest / rows("t", placement="spread") - 1).min())

    return measured


def least_median_gain(rows: Rows) -> float:
    """The least of both mappings' median gains; at most 0 if any gain isn't positive."""
    found = gains(rows)
    least_median = float(np.median(found, axis=1).min())
    return least_median if found.min() > 0 else min(least_median, 0.0)


def falls_with_n(rows: Rows) -> float:
    """The greater correlation of N and gain, of both mappings."""
    n = rows("n", placement="spread")
    return max(spearman(n, each) for each in gains(rows))


def both_gain(rows: Rows) -> float:
    """The share of cases in which both mappings gain."""
    return float(np.mean(gains(rows).min(axis=0) > 0))


def smaller_on_gigabit(rows: Rows) -> float:
    """The share of gains that are smaller over Gigabit Ethernet than over Fast Ethernet."""
    return float(np.mean(gains(rows.where(machine=GIGABIT)) < gains(rows.where(machine=FAST))))


def slower_networks_gain(rows: Rows) -> float:
    """The least gain on the slower networks above the greatest on the faster ones, or 0; the least of all."""
    fast, gigabit, giganet, myrinet = (
        gain(rows, "size-major", machine=machine) for machine in (FAST, GIGABIT, GIGANET, MYRINET)
    )
    return float((np.minimum(fast, gigabit) - np.maximum(np.maximum(giganet, myrinet), 0)).min())


def order_of_rates(rows: Rows) -> float:
    """The least lead of size-major's rate over frequency-major's, and of this over round-robin's."""
    found = [[mean_rate(each, name) for name in MAPPINGS] for each in rows.per("machine", "nodes")]
    return min(min(size / frequency, frequency / default) - 1 for default, frequency, size in found)


def more_within_nodes(rows: Rows) -> float:
    """What frequency-major adds to messages, and size-major to bytes, within nodes; the least of all."""
    added = (
        rows(column, placement=mapping) - rows(column, placement="round-robin")
        for column, mapping in (("within_messages", "frequency-major"), ("within_bytes", "size-major"))
    )
    return float(min(each.min() for each in added))


def least_within_nodes(rows: Rows) -> float:
    """The least share of messages within nodes by frequency-major, and of bytes by size-major."""
    messages = rows("within_messages", placement="frequency-major")
    return float(min(messages.min(), rows("within_bytes", placement="size-major").min()))


def order_by_bytes_within(rows: Rows) -> float:
    """The correlation of bytes within nodes and speed, the least of all cases."""
    return min(spearman(each("within_bytes"), 1 / each("t")) for each in rows.per("machine", "nodes", "n"))


def mean_gain(placement: str) -> Callable[[Rows], float]:
    """The mean gain of a placement."""
    return lambda rows: float(gain(rows, placement).mean())


OF_GAINS = [
    claim("leng-abs-pattern-leads-to-good-mapping", gain_of_better, positive, machine=FAST),
    claim("leng-abs-remapping-affects-performance", greatest_difference, at_least, placement=MAPPINGS),
    claim("leng-abs-fast-ethernet-improvement-upper-end", greatest_gain, machine=FAST),
    claim("leng-abs-improvement-depends-on-mapping", between_mappings, at_least, machine=FAST),
    claim("leng-abs-improvement-depends-on-problem-size", between_sizes, at_least, machine=FAST),
    claim(
        "leng-abs-ad-hoc-mapping-can-hurt",
        lambda rows: float(relative_time(rows).min()),
        lambda ours, listed: ours < 1 - listed["tolerance"],
        machine=FAST,
    ),
    claim(
        "leng-sec1-slow-interconnect-and-critical-traffic",
        lambda rows: float(relative_time(rows).max()),
        lambda ours, listed: ours <= 1 - listed["tolerance"],
        machine=FAST,
    ),
    claim(
        "leng-sec5-fast-interconnect-spread-critical-pairs",
        spread_faster("size-major"),
        positive,
        machine=[GIGANET, MYRINET],
    ),
    claim(
        "leng-sec7-inter-node-mapping-helps-fast-interconnects",
        spread_faster("size-major", "frequency-major"),
        positive,
        machine=[GIGANET, MYRINET],
    ),
    claim("leng-fig8-fast-ethernet-improvements-obvious", least_median_gain, at_least, machine=FAST),
    claim("leng-fig8-8x2-improvement-falls-with-size", falls_with_n, at_most, machine=FAST, nodes="8x2"),
    claim("leng-fig8-16x2-improvement-falls-with-size", falls_with_n, at_most, machine=FAST, nodes="16x2"),
    claim("leng-fig9-gigabit-improves", both_gain, above_half, machine=GIGABIT),
    claim("leng-fig9-gigabit-smaller-than-fast-ethernet", smaller_on_gigabit, above_half),
    claim("leng-sec7-reordering-could-improve", greatest_gain, at_least),
    claim("leng-sec7-benefits-slower-interconnects", slower_networks_gain, positive),
    claim("leng-sec7-size-major-significant", mean_gain("size-major"), at_least, machine=FAST),
    claim(
        "leng-sec7-frequency-major-modest",
        mean_gain("frequency-major"),
        lambda ours, listed: 0 < ours < listed["tolerance"],
        machine=FAST,
    ),
    claim("leng-sec7-size-major-beats-frequency-major", order_of_rates, positive, machine=[FAST, GIGABIT]),
    claim("leng-sec5-both-raise-shared-memory-use", more_within_nodes, positive, machine=FAST),
    claim("leng-sec7-most-critical-traffic-in-shared-memory", least_within_nodes, above_half, machine=FAST),
    claim(
        "leng-sec5-slow-interconnect-use-shared-memory",
        order_by_bytes_within,
        is_true,
        machine=[FAST, GIGABIT],
        placement=MAPPINGS,
    ),
]

HPL = Placed(
    cases=[
        case
        for nodes, ranks in (("8x2", 16), ("16x2", 32))
        for case in cases(machine=[FAST, GIGABIT, GIGANET, MYRINET], nodes=nodes, n=[2000, 4000], ranks=ranks)
    ],
    matrix="hpl/hpl.{n}.{ranks}.npz",
    placings={name: Placing(name) for name in (*MAPPINGS, "spread")} | {"corewise": Placing("auto")},
    # 0.65 Gflop/s a process, an assumption for a 1 GHz Pentium III
    compute_s=lambda case: 2 / 3 * case["n"] ** 3 / (case["ranks"] * 0.65e9),
    chosen=(BLOCK_SIZE, GRID),
)
FIG5_11 = Study("leng-fig5-11", {"hpl": HPL}, [*OF_RATES, *OF_GAINS])
