"""What `corewise map` proves on machines of a node's size, for best and worst, and the CPU time for it.

usage: .venv/bin/python laboratory/benchmarks/mapping/proofs.py [--sizes 16 24]
           [--objectives hop-bytes link-load] [--trees 4:4] [--patterns ring dense] [--distances steps]
           [--effort default] [-o PROOFS.jsonl]

Prints for each size and tree how many patterns are proven, the time of the slowest proof, and the greatest
time of a failed proof. Lists the unproven patterns with their gaps. CPU time is that of the solver alone, for
search and proof.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from corewise import model
from corewise.machines import load
from corewise.nouns.mapping import relative_gap
from proof_cases import DISTANCES, PATTERNS, TREES, UNEVEN_NODES, edges_of, tree_spec

PROMISED_CPU_S = {16: 0.1, 24: 1.0, 32: 10.0, 64: 60.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, choices=list(TREES), default=[16, 24, 32])
    parser.add_argument("--objectives", nargs="+", default=["hop-bytes"])
    parser.add_argument("--trees", nargs="+", default=[], help="these alone; `uneven` for the uneven nodes")
    parser.add_argument("--patterns", nargs="+", choices=list(PATTERNS), default=list(PATTERNS))
    parser.add_argument("--distances", nargs="+", choices=list(DISTANCES), default=["tens"])
    parser.add_argument("--aims", nargs="+", choices=["best", "worst"], default=["best", "worst"])
    parser.add_argument("--effort", choices=["fast", "default", "strong"], default="default")
    parser.add_argument("--deadline", type=float, default=120.0, help="CPU seconds of one run at most")
    parser.add_argument("-o", "--output", type=Path, help="write every run as a JSON line")
    asked = parser.parse_args()
    samples = []
    for size in asked.sizes:
        for objective in asked.objectives:
            for name, machine in machines(size, asked.trees, asked.distances):
                samples += measure(asked, size, objective, name, machine)
    if asked.output:
        asked.output.write_text("".join(json.dumps(sample) + "\n" for sample in samples))


def machines(size: int, wanted: list[str], distances: list[str]) -> Iterator[tuple[str, model.Machine]]:
    """Regular trees with each kind of distances, then nodes whose packages differ."""
    for arities in TREES[size]:
        for kind in distances if not wanted or arities in wanted else []:
            yield f"{arities} {kind}", load(tree_spec(arities, kind))
    for packages in UNEVEN_NODES[size] if not wanted or "uneven" in wanted else []:
        yield f"uneven {packages}", uneven_machine(packages)


def uneven_machine(packages: list[list[int]]) -> model.Machine:
    """One node: [package][cache] number of cores, numbered in that order."""
    caches = [n_cores for package in packages for n_cores in package]
    package_of_cache = [index for index, package in enumerate(packages) for _ in package]
    cache = [index for index, n_cores in enumerate(caches) for _ in range(n_cores)]
    package = [package_of_cache[index] for index in cache]
    shape = model.NodeShape(
        ["l3", "package", "node"], [cache, package, [0] * len(cache)], [[os] for os in range(len(cache))]
    )
    return model.make_machine("uneven", [shape], [0], [], [], [])


def measure(
    asked: argparse.Namespace, size: int, objective: str, name: str, machine: model.Machine
) -> list[dict]:
    """Runs every pattern on one machine, for the best and the worst; prints a line for each."""
    samples = []
    for worst in [aim == "worst" for aim in asked.aims]:
        runs = []
        for pattern in asked.patterns:
            traffic = traffic_of(pattern, size)
            if traffic is not None:
                run = one_run(asked, traffic, machine, objective, worst)
                runs.append(
                    {"size": size, "objective": objective, "machine": name, "pattern": pattern, **run}
                )
        print_line(size, objective, name, worst, runs)
        samples += runs
    return samples


def traffic_of(pattern: str, size: int) -> model.Traffic | None:
    edges = edges_of(pattern, size)
    if edges is None:
        return None
    src, dst = np.ascontiguousarray(edges.T[:2], dtype=np.int32)
    n_bytes, messages = edges[:, 2].astype(np.uint64), np.ones(len(edges), dtype=np.uint64)
    matrix = model.CommMatrix.from_columns(size, src, dst, n_bytes, messages)
    return model.Traffic.of(matrix)


def one_run(
    asked: argparse.Namespace, traffic: model.Traffic, machine: model.Machine, objective: str, worst: bool
) -> dict:
    problem = model.MappingProblem(traffic, machine, objective, worst=worst)
    options = model.SolverOptions(effort=asked.effort, deadline_cpu_s=asked.deadline)
    found = model.solve(problem, "auto", options)
    return {
        "worst": worst,
        "proven": found.proven,
        "value": found.score,
        "bound": found.bound,
        "cpu_s": found.cpu_s,
    }


def print_line(size: int, objective: str, name: str, worst: bool, runs: list[dict]) -> None:
    proven = [run for run in runs if run["proven"]]
    failed = [run for run in runs if not run["proven"]]
    slowest = max(proven, key=lambda run: run["cpu_s"], default=None)
    aim = "worst" if worst else "best"
    line = f"{size:>3} {objective:<10} {name:<18} {aim:<5} {len(proven):>2} of {len(runs):>2}"
    if slowest:
        late = sum(run["cpu_s"] > PROMISED_CPU_S[size] for run in proven)
        line += f", slowest {slowest['cpu_s']:.3f} s ({slowest['pattern']})" + (
            f", {late} late" if late else ""
        )
    if failed:
        line += f", failing up to {max(run['cpu_s'] for run in failed):.2f} s: "
        line += " ".join(f"{run['pattern']}[{gap_text(run)}]" for run in failed)
    print(line, flush=True)


def gap_text(run: dict) -> str:
    if run["bound"] is None:
        return "no bound"
    gap = relative_gap(run["value"], run["bound"])
    return "?" if gap is None else f"{gap:.1%}"


if __name__ == "__main__":
    main()
