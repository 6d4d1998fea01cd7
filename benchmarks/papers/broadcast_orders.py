"""What placement changes of the SMP-CMP paper's broadcast by the order of its tree.

    python benchmarks/papers/broadcast_orders.py

The paper describes the tree nearest first (rank i sends to i + 1, i + 2, i + 4, ...) and says that its
algorithms are those of MPICH, whose broadcast goes farthest first (the root sends to n / 2, then to n / 4,
...). Printed for both, for each fitted machine and number of ranks: messages between nodes over those within
them, and t_worst / t_best - 1 of the link-load placements, by the engine estimate, 128 KB.
"""

from __future__ import annotations

import numpy as np
from corewise import model
from corewise.mapping.request import Request
from corewise.mapping.solve import solve
from corewise.profile.inputs import Input
from corewise.profile.pattern_steps import STEPS
from corewise.profile.ratio import block_ratio
from corewise.studies.case_inputs import machine_for
from corewise.text.table import text_table

SIZE_BYTES = 131072


def farthest_first(n: int) -> model.Traffic:
    """Step k: each multiple of 2d sends to the rank d further, d = n / 2^(k+1). n is a power of two."""
    steps = []
    distance = n // 2
    while distance:
        src = np.arange(0, n, 2 * distance, dtype=np.int32)
        size = np.full(len(src), SIZE_BYTES, dtype=np.uint64)
        one = model.CommMatrix.from_columns(n, src, src + np.int32(distance), size, np.ones_like(size))
        steps.append(model.Phase(1, one))
        distance //= 2
    return model.Traffic.of_phases(steps)


def time_s(traffic: model.Traffic, machine: model.Machine, worst: bool) -> float:
    """Under the best or the worst placement by the paper's link loads of the whole pattern."""
    whole = Input("broadcast", "pattern", model.Traffic.of(traffic.folded()))
    request = Request(objective="link-load", solver="exact", worst=worst)
    return model.estimate(traffic, machine, solve(whole, machine, request).solution.placement).makespan_s


def main() -> None:
    rows = []
    for name in ("draco-fitted", "jaguar-xt5-fitted"):
        for n in (8, 128):
            machine = machine_for(name, n)
            orders = {"nearest first": STEPS["binomial"](n, SIZE_BYTES), "farthest first": farthest_first(n)}
            for order, traffic in orders.items():
                best_s, worst_s = time_s(traffic, machine, False), time_s(traffic, machine, True)
                ratio = block_ratio(traffic.folded(), machine.n_cores // machine.n_nodes)
                messages = ratio.inter_over_intra_messages
                rows.append([name, str(n), order, f"{messages:.3f}", f"{worst_s / best_s - 1:.3f}"])
    heads = ["<machine", ">ranks", "<tree", ">between / within nodes", ">t_worst / t_best - 1"]
    print("\n".join(text_table("Binomial broadcast of 128 KB", heads, rows)))


if __name__ == "__main__":
    main()
