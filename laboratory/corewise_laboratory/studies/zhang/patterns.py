"""Figures 5 to 10: the collectives on 8 and 128 ranks, and the random benchmark on 128."""

from __future__ import annotations

from typing import Any

import numpy as np

from corewise_laboratory.studies.claims import (
    Claim,
    at_least,
    at_most,
    below,
    claim,
    is_zero,
    negative,
    positive,
)
from corewise_laboratory.studies.placed import FIGURES, Placed, cases
from corewise_laboratory.studies.rows import Column, Labels, Rows, spearman
from corewise_laboratory.studies.study import Study


def improvement(rows: Rows, **labels: Labels) -> Column:
    """t_worst / t_best - 1 of each case."""
    return rows("t", placement="worst", **labels) / rows("t", placement="best", **labels) - 1


def least_improvement(rows: Rows) -> float:
    """The least improvement of all cases."""
    return float(improvement(rows).min())


def greatest_improvement(rows: Rows) -> float:
    """The greatest improvement of all cases."""
    return float(improvement(rows).max())


def single_improvement(rows: Rows) -> float:
    """The improvement of the only case."""
    return float(improvement(rows).item())


MACHINES = ["draco", "jaguar-xt5"]
LARGE = ["32768", "65536", "131072"]  # the paper's claims are about messages from 32 KB
BEST_OF_128: dict[str, Labels] = {"placement": "best", "ranks": "128", "size": LARGE}


def on(machine: str, ranks: str, size: Labels = LARGE) -> dict[str, Labels]:
    """Labels of cases of a collective; "jaguar" is short for jaguar-xt5."""
    return {"machine": "jaguar-xt5" if machine == "jaguar" else machine, "ranks": ranks, "size": size}


def spread(rows: Rows) -> float:
    """The greatest time over the least one, minus 1, for the size with most."""
    return max(float(each("t").max() / each("t").min() - 1) for each in rows.per("size"))


def milliseconds(rows: Rows) -> float:
    """The time of the only row, ms."""
    return float(1000 * rows("t").item())


def jaguar_slower(rows: Rows) -> float:
    """t_jaguar / t_draco, the least of all sizes."""
    return float((rows("t", machine="jaguar-xt5") / rows("t", machine="draco")).min())


def _collective(number: int, pattern: str, claims: list[Claim]) -> Study:
    """The study of a collective on 8 and 128 ranks."""
    sizes = [1024, 8192, 32768, 65536, 131072]
    values = cases(machine=MACHINES, figures=list(FIGURES), pattern=pattern, ranks=[8, 128], size=sizes)
    return Study(
        f"zhang-fig{number}",
        {pattern: Placed(cases=values)},
        claims,
    )


FIG5 = _collective(
    5,
    "ring",
    [
        claim("zhang-fig5-jaguar-8-ring-best-vs-worst", least_improvement, at_least, where=on("jaguar", "8")),
        claim("zhang-fig5-draco-8-ring-best-vs-worst", least_improvement, at_least, where=on("draco", "8")),
        claim(
            "zhang-fig5-jaguar-8-128kb-ring-17-percent", single_improvement, where=on("jaguar", "8", "131072")
        ),
        claim(
            "zhang-fig5-draco-8-128kb-ring-100-percent", single_improvement, where=on("draco", "8", "131072")
        ),
        claim(
            "zhang-fig5-jaguar-128-ring-has-impact", least_improvement, at_least, where=on("jaguar", "128")
        ),
        claim("zhang-fig5-draco-128-ring-has-impact", least_improvement, at_least, where=on("draco", "128")),
        claim("zhang-fig5-128-ring-similar-on-both-clusters", spread, at_most, where=BEST_OF_128),
    ],
)

FIG6 = _collective(
    6,
    "binomial",
    [
        claim(
            "zhang-fig6-jaguar-8-binomial-best-vs-worst", least_improvement, at_least, where=on("jaguar", "8")
        ),
        claim(
            "zhang-fig6-draco-8-binomial-best-vs-worst", least_improvement, at_least, where=on("draco", "8")
        ),
        claim(
            "zhang-fig6-jaguar-128-binomial-has-impact",
            least_improvement,
            at_least,
            where=on("jaguar", "128"),
        ),
        claim(
            "zhang-fig6-draco-128-binomial-has-impact", least_improvement, at_least, where=on("draco", "128")
        ),
        claim("zhang-fig6-128-binomial-similar-on-both-clusters", spread, at_most, where=BEST_OF_128),
    ],
)

FIG7 = _collective(
    7,
    "recursive-doubling",
    [
        *(
            row
            for machine in ("jaguar", "draco")
            for row in (
                claim(
                    f"zhang-fig7-{machine}-8-recursive-doubling-best-vs-worst",
                    least_improvement,
                    at_least,
                    where=on(machine, "8"),
                ),
                claim(
                    f"zhang-fig7-{machine}-8-128kb-time",
                    milliseconds,
                    placement="best",
                    where=on(machine, "8", "131072"),
                ),
                claim(
                    f"zhang-fig7-{machine}-128-recursive-doubling-no-change",
                    greatest_improvement,
                    below,
                    where=on(machine, "128"),
                ),
            )
        ),
        claim("zhang-fig7-128-jaguar-much-slower-than-draco", jaguar_slower, at_least, where=BEST_OF_128),
    ],
)


def falls_with_ratio(rows: Rows) -> float:
    """The correlation of ratio and improvement, the greatest of all sizes; it ranks tiny impacts, too."""
    return max(spearman(each("ratio", placement="best"), improvement(each)) for each in rows.per("size"))


def range_over_sizes(rows: Rows) -> float:
    """The greatest improvement minus the least one of all sizes, for the ratio with most."""
    return max(float(np.ptp(improvement(each))) for each in rows.per("ratio"))


def distance_from_mean(rows: Rows) -> float:
    """The greatest distance of an improvement from the mean of all sizes, for the ratio with most."""
    found = [improvement(each) for each in rows.per("ratio")]
    return max(float(np.abs(each - each.mean()).max()) for each in found)


def sparse_above_all(rows: Rows) -> float:
    """The improvement of the sparsest pattern minus the greatest one, for the size with least."""
    return min(
        single_improvement(each.where(intra_node="15", ratio="0.1")) - greatest_improvement(each)
        for each in rows.per("size")
    )


def falls_with_messages(rows: Rows) -> float:
    """The least fall of the improvement from 15 to 30 and from 30 to 50 messages within a node."""
    few, more, most = (improvement(rows, intra_node=number) for number in ("15", "30", "50"))
    return float(min((few - more).min(), (more - most).min()))


def _random(number: int, panel: dict[str, Any], claims: list[Claim]) -> Study:
    """The study of the random benchmark on Draco; `panel` has its ratios, sizes and messages."""
    values = cases(
        machine="draco", figures=list(FIGURES), pattern="random", ranks=128, ranks_per_node=8, **panel
    )
    return Study(
        f"zhang-fig{number}",
        {"random": Placed(cases=values, engines={"estimate": 32, "smpi": 8})},
        claims,
    )


FIG8 = _random(
    8,
    {"intra_node": 15, "ratio": [0.1, 0.2, 0.5, 1.0, 1.5, 2.0], "size": [32768, 131072, 524288]},
    [
        claim("zhang-fig8-impact-falls-with-ratio", falls_with_ratio, at_most),
        claim("zhang-fig8-applies-to-message-sizes", falls_with_ratio, negative),
        claim("zhang-sec5b-low-ratio-significant", least_improvement, at_least, ratio=["0.1", "0.2"]),
        claim("zhang-sec5b-high-ratio-negligible", greatest_improvement, below, ratio=["1.0", "1.5", "2.0"]),
        claim("zhang-sec5b-very-significant-at-small-ratio", least_improvement, at_least, ratio="0.1"),
    ],
)

FROM_32_KB = ["32768", "131072", "524288", "1048576"]
SPARSE = {"ratio": "0.1", "size": FROM_32_KB}
FIG9 = _random(
    9,
    {"intra_node": 15, "ratio": [0.1, 0.5, 1.0, 2.0], "size": [1024, 8192, *map(int, FROM_32_KB)]},
    [
        claim("zhang-fig9-similar-over-message-sizes", range_over_sizes, at_most),
        claim("zhang-fig9-flat-from-32kb", distance_from_mean, at_most, size=FROM_32_KB),
        claim("zhang-sec6-sparse-and-large-messages", least_improvement, at_least, where=SPARSE),
    ],
)

# Of the paper's patterns only 15/0.1 is in its text; 30 and 50 stand for denser ones (a node has 56 pairs).
FIG10 = _random(
    10,
    {"intra_node": [15, 30, 50], "ratio": [0.1, 0.5, 1.0], "size": [32768, 131072, 524288]},
    [
        claim("zhang-fig10-sparse-small-ratio-most", sparse_above_all, is_zero),
        claim("zhang-fig10-many-messages-less-impact", falls_with_messages, positive),
    ],
)

PATTERN_STUDIES = [FIG5, FIG6, FIG7, FIG8, FIG9, FIG10]
