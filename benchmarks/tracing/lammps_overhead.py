"""LAMMPS traced over untraced: interleaved pairs of a melt of 32,000 atoms and 100 steps.

    python benchmarks/tracing/lammps_overhead.py [--pairs 30] [--ranks 2]

Prints the median of the pairs' ratios of LAMMPS' own loop time with a bootstrap interval of 95 % (percentiles
of 5,000 resamples, fixed seed). Claim only the bound that the interval reaches. Debian's `lmp` uses Open MPI.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from pathlib import Path

from traced_start import Tool, corewise_tool, start

INPUT = Path(__file__).with_name("melt.lammps")


def loop_s(traced: bool, n_ranks: int) -> float:
    """LAMMPS' "Loop time of", in s."""
    tool = corewise_tool("openmpi") if traced else Tool("no tool")
    output = start("openmpi", n_ranks, ["lmp", "-in", str(INPUT), "-log", "none"], tool)
    return float(re.search(r"Loop time of (\S+)", output)[1])


def bootstrap(values: list[float]) -> tuple[float, float]:
    """The 95 % interval of the median."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(5000))
    return medians[125], medians[4874]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--ranks", type=int, default=2)
    options = parser.parse_args()
    ratios = []
    for pair in range(options.pairs):
        # Either comes first in turn, so that a drift of the machine favours neither.
        first = pair % 2 == 1
        times = {kind: loop_s(kind, options.ranks) for kind in (first, not first)}
        ratios.append(times[True] / times[False])
    low, high = bootstrap(ratios)
    print(
        f"LAMMPS melt, {options.ranks} ranks, {options.pairs} pairs: traced over untraced, median "
        f"{statistics.median(ratios):.4f}, 95 % interval {low:.4f}-{high:.4f}"
    )
    print("ratios:", " ".join(f"{ratio:.4f}" for ratio in ratios))


if __name__ == "__main__":
    main()
