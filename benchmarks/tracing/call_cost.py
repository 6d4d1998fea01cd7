"""What tracing adds to one MPI call: untraced and traced starts in turn, on every MPI that is here.

    python benchmarks/tracing/call_cost.py [--pairs 10]

A start takes the minimum of 40 repetitions of 5,000 steps (or 200 windows of 64 messages). Printed are ns:
the least of all starts of each kind, their difference, and the median of the differences in pairs. Issue A
allows 60 ns a call on the machine where a pair of rdtsc takes 17.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

from traced_start import families, start

SOURCE = Path(__file__).with_name("call_cost.c")
# Name, ranks, and what call_cost.c is told.
CASES = [
    ("one rank to itself, ns a call", 1, "world"),
    ("the same in a duplicate communicator", 1, "duplicate"),
    ("two ranks, ns a message of 8 bytes", 2, "world"),
]


def measure(family: str, n_ranks: int, program: list[str], n_pairs: int) -> dict[str, list[float]]:
    """ns of each start, `untraced` and `traced` in turn, and of the `rdtsc` pairs beside them."""
    found: dict[str, list[float]] = {"untraced": [], "traced": [], "rdtsc": []}
    for _ in range(n_pairs):
        for kind in ("untraced", "traced"):
            call_ns, pair_ns = start(family, n_ranks, program, traced=kind == "traced").split()
            found[kind].append(float(call_ns))
            found["rdtsc"].append(float(pair_ns))
    return found


def line(family: str, name: str, found: dict[str, list[float]]) -> str:
    """One case as text."""
    untraced, traced = min(found["untraced"]), min(found["traced"])
    added = statistics.median(t - u for u, t in zip(found["untraced"], found["traced"], strict=True))
    return (
        f"{family:8} {name:37} untraced {untraced:6.1f}  traced {traced:6.1f}  added {traced - untraced:5.1f}"
        f"  median of pairs {added:5.1f}  (rdtsc pair {min(found['rdtsc']):.1f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for family in families():
            program = f"{folder}/call_cost-{family}"
            subprocess.run([f"mpicc.{family}", "-O2", "-w", str(SOURCE), "-o", program], check=True)
            for name, n_ranks, communicator in CASES:
                found = measure(family, n_ranks, [program, communicator], options.pairs)
                print(line(family, name, found), flush=True)


if __name__ == "__main__":
    main()
