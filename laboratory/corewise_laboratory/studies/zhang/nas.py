"""Figures 11 to 14, Table I and the guideline: NAS, and with it collectives and random patterns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corewise_laboratory.studies.claims import (
    Measured,
    above_half,
    at_least,
    at_most,
    below,
    claim,
    from_value,
    positive,
)
from corewise_laboratory.studies.placed import BEST_AND_WORST, FIGURES, Placed, Placing, cases
from corewise_laboratory.studies.rows import Column, MissingValue, Rows, least_wrong, spearman
from corewise_laboratory.studies.study import Study
from corewise_laboratory.studies.zhang.patterns import (
    MACHINES,
    greatest_improvement,
    improvement,
    single_improvement,
)

# Processes by program. Of CG the matrices have one iteration, of the others two.
PROGRAMS = {
    "cg": [16, 32, 64, 128],
    "lu": [16, 32, 64, 128],
    "mg": [16, 32, 64, 128],
    "sp": [16, 36, 64, 121],
}
MATRIX = "npb/{program}.C.{ranks}.npz"


def falls_with_nodes(rows: Rows) -> float:
    """Above 0 if the improvement falls from fewest to most ranks, without a rise by 2 points between."""
    found = [improvement(each) for each in rows.per("machine")]
    return float(min(min(each[0] - each[-1], (each[:-1] - each[1:] + 0.02).min()) for each in found))


def _nas(number: int, program: str) -> Study:
    """The study of a NAS benchmark, with best, worst and unbound ranks."""
    ranks = PROGRAMS[program]
    # Unbound: random placements that keep each rank on its node. The paper's default may also move ranks.
    unbound = Placing(draws={"estimate": 32, "smpi": 4})
    values = cases(machine=MACHINES, figures=list(FIGURES), program=program, ranks=ranks)
    most = {"machine": "jaguar-xt5", "ranks": str(ranks[-1])}
    return Study(
        f"zhang-fig{number}",
        {"nas": Placed(cases=values, matrix=MATRIX, placings=BEST_AND_WORST | {"unbound": unbound})},
        [
            claim(f"zhang-fig{number}-{program}-impact-falls-with-nodes", falls_with_nodes, positive),
            claim(
                f"zhang-fig{number}-{program}-jaguar-128-negligible", single_improvement, below, where=most
            ),
        ],
    )


def share_as_expected(expected: Callable[[float], bool], fits: Callable[[float], bool]) -> Measured:
    """The share of cells with an improvement as expected, of those whose ratio fits."""

    def measured(rows: Rows) -> float:
        cells = [each for each in rows.per("machine", "program", "ranks") if fits(each("ratio_bytes")[0])]
        if not cells:
            raise MissingValue("no cell has such a ratio")
        return float(np.mean([expected(single_improvement(each)) for each in cells]))

    return measured


def wrong_by_ratio(at_least: float) -> Measured:
    """The share of cases that the best threshold on the ratio gets wrong (below 5 % or at least this)."""
    return lambda rows: least_wrong(rows("ratio_bytes", placement="best"), improvement(rows), 0.05, at_least)


def correlation(rows: Rows) -> float:
    """Spearman's correlation of the inter-node over intra-node ratio and the improvement."""
    return spearman(rows("ratio_bytes", placement="best"), improvement(rows))


def draco_above_jaguar(rows: Rows) -> Column:
    """The improvement on Draco minus that on Jaguar, of each case."""
    return improvement(rows, machine="draco") - improvement(rows, machine="jaguar-xt5")


def draco_slower(rows: Rows) -> float:
    """t_draco / t_jaguar - 1, the least of all patterns."""
    return float((rows("t", machine="draco") / rows("t", machine="jaguar-xt5") - 1).min())


def strong_on_sparse(rows: Rows) -> float:
    """The least of the ring's improvement, the sparse pattern's, and 10 points above the dense one's."""
    ring = single_improvement(rows.where(pattern="ring"))
    few, many = (
        single_improvement(rows.where(pattern="random", ratio="0.1", intra_node=n)) for n in ("15", "30")
    )
    return min(ring, few, few - many + 0.1)


def falls_with_size(rows: Rows) -> float:
    """The share of machines and programs whose improvement is less on the most ranks than on the fewest."""
    found = [improvement(each) for each in rows.per("machine", "program")]
    return float(np.mean([each[0] > each[-1] for each in found]))


def n_negligible(rows: Rows) -> float:
    """The number of programs whose improvement is below 5 % on both machines."""
    return float(sum(greatest_improvement(each) < 0.05 for each in rows.per("program")))


COLLECTIVES = ["binomial", "recursive-doubling", "ring"]
RATIOS = [0.1, 0.2, 0.3, 0.4, 0.9, 1.0, 1.5, 2.0]  # those that the paper names, and ours between them
PATTERNS = cases(machine=MACHINES, figures=list(FIGURES), pattern=COLLECTIVES, ranks=[8, 128], size=131072)
for machine, ranks, per_node in (("draco", 128, 8), ("jaguar-xt5", 132, 12)):
    PATTERNS += cases(
        machine=machine,
        figures=list(FIGURES),
        pattern="random",
        ranks=ranks,
        ranks_per_node=per_node,
        intra_node=[15, 30],
        ratio=RATIOS,
        size=131072,
    )
CELLS = [
    case
    for program, ranks in PROGRAMS.items()
    for case in cases(machine=MACHINES, figures=list(FIGURES), program=program, ranks=ranks)
]

OF_NAS = [
    claim(
        "zhang-sec5c-above-0-8-negligible",
        share_as_expected(lambda one: one < 0.05, lambda ratio: ratio > 0.8),
        from_value(0.8),
    ),
    claim(
        "zhang-sec5c-below-0-5-noticeable",
        share_as_expected(lambda one: one >= 0.05, lambda ratio: ratio < 0.5),
        from_value(0.8),
    ),
    claim("zhang-concl1-ratio-predicts-applications", wrong_by_ratio(0.05), at_most),
    claim(
        "zhang-concl1-jaguar-less-sensitive",
        lambda rows: float(np.mean(draco_above_jaguar(rows) > 0)),
        above_half,
    ),
    claim("zhang-abs-affinity-may-impact-applications", greatest_improvement, at_least),
    claim("zhang-concl3-impact-falls-with-system-size", falls_with_size, above_half),
    claim(
        "zhang-concl4-impact-negligible-for-many-applications",
        n_negligible,
        from_value(2),
        ranks=["121", "128"],
    ),
]
ON_COLLECTIVES = {"pattern": COLLECTIVES}
WITHIN_NODE = {"ranks": "8"}
OF_PATTERNS = [
    claim(
        "zhang-concl1-ratio-predicts-collectives",
        wrong_by_ratio(0.1),
        at_most,
        runs="patterns",
        where=ON_COLLECTIVES,
    ),
    claim("zhang-concl1-impact-depends-on-ratio", correlation, at_most, runs="patterns"),
    claim(
        "zhang-concl1-holds-on-both-clusters",
        lambda rows: max(correlation(each) for each in rows.per("machine")),
        at_most,
        runs="patterns",
    ),
    claim(
        "zhang-concl2-strong-on-sparse-patterns",
        strong_on_sparse,
        at_least,
        runs="patterns",
        machine="draco",
        ranks="128",
    ),
    claim(
        "zhang-concl2-affinity-must-be-considered-in-collectives",
        greatest_improvement,
        at_least,
        runs="patterns",
        where=ON_COLLECTIVES,
    ),
    claim(
        "zhang-abs-affinity-affects-intra-node",
        greatest_improvement,
        at_least,
        runs="patterns",
        where=WITHIN_NODE,
    ),
    claim(
        "zhang-sec5a-jaguar-intra-node-more-efficient",
        draco_slower,
        positive,
        placement="best",
        runs="patterns",
        where=WITHIN_NODE,
    ),
    claim(
        "zhang-sec5a-affinity-impact-less-on-jaguar",
        lambda rows: float(draco_above_jaguar(rows).min()),
        positive,
        runs="patterns",
        where=WITHIN_NODE,
    ),
]

TABLE1 = Study(
    "zhang-table1",
    {
        "nas": Placed(cases=CELLS, matrix=MATRIX, engines={"estimate": 1}),
        "patterns": Placed(cases=PATTERNS, engines={"estimate": 4}),  # 4 samples in place of the paper's 32
    },
    [*OF_NAS, *OF_PATTERNS],
)
NAS_STUDIES = [*(_nas(11 + number, program) for number, program in enumerate(PROGRAMS)), TABLE1]
