"""Shared by the benchmarks of steering: runs of a case in four ways, in turn, and their ratios."""

from __future__ import annotations

import math
import os
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from corewise.errors import CorewiseError
from corewise_laboratory.studies.steered_running import SteeredRun, run_steered
from corewise_laboratory.studies.steered_spec import ORDERS, ProtocolWork, SteeredProgram

MODES = ("plain", "steered")
MOST_STOLEN = 0.02  # CPU time taken by the host of a virtual machine; a run with more is repeated
MOST_TRIES = 3


@dataclass(frozen=True)
class Case:
    """A program with two orders of its ranks on the two cores, and the additional work of the first core.

    `values` replace {AXIS} in the program's words and files.
    """

    name: str
    program: SteeredProgram
    work: ProtocolWork
    family: str = "openmpi"
    values: dict[str, str] = field(default_factory=dict)


Runs = dict[tuple[str, str], list[dict[str, float]]]


def interleaved(case: Case, repeats: int, seconds: float) -> Runs:
    """Runs `repeats` rounds; returns the numbers of each run by (order, mode).

    Each round has every combination once, in alternating order, so that a drift of the machine favours none.
    A run from which the host of a virtual machine took much CPU time is repeated, whatever its result.
    """
    runs: Runs = {(order, mode): [] for order in ORDERS for mode in MODES}
    for repeat in range(repeats):
        keys = list(runs) if repeat % 2 == 0 else list(runs)[::-1]
        for order, mode in keys:
            run = SteeredRun(case.program, case.work, case.family, order, mode, case.values, seconds)
            runs[order, mode].append(least_disturbed(run))
    return runs


def least_disturbed(run: SteeredRun) -> dict[str, float]:
    """The numbers of the run and `stolen`, for the least disturbed of at most MOST_TRIES runs."""
    tried: list[dict[str, float]] = []
    while len(tried) < MOST_TRIES and not any(numbers["stolen"] <= MOST_STOLEN for numbers in tried):
        whole, stolen = cpu_ticks()
        numbers = run_steered(run)
        whole_then, stolen_then = cpu_ticks()
        tried.append(numbers | {"stolen": (stolen_then - stolen) / max(whole_then - whole, 1)})
    return min(tried, key=lambda numbers: numbers["stolen"])


def cpu_ticks() -> tuple[int, int]:
    """Ticks of all CPUs, and the ticks that the host of a virtual machine took (proc_stat(5))."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(ticks), ticks[7]


def disturbance(runs: Runs) -> str:
    """Other influences on the times, in a few words."""
    stolen = max(numbers["stolen"] for found in runs.values() for numbers in found)
    return f"load {os.getloadavg()[0]:.1f}, stolen by the host {stolen:.1%} at most"


def medians(runs: Runs, column: str) -> dict[tuple[str, str], float]:
    """The medians for every order and mode."""
    return {key: statistics.median(numbers[column] for numbers in found) for key, found in runs.items()}


def recovered(runs: Runs, column: str) -> float:
    """The part of the better order's advantage that steering recovers from the worse order.

    nan if the advantage is below 2 %.
    """
    median = medians(runs, column)
    bad, good = sorted(ORDERS, key=lambda order: -median[order, "plain"])
    advantage = median[bad, "plain"] - median[good, "plain"]
    if advantage < 0.02 * median[good, "plain"]:
        return math.nan
    return (median[bad, "plain"] - median[bad, "steered"]) / advantage


def recovery_line(case: Case, runs: Runs) -> str:
    """A line: bad/good, the recovered part, the loss from a good start, and the number of swaps."""
    median = medians(runs, "settled")
    bad, good = sorted(ORDERS, key=lambda order: -median[order, "plain"])
    swaps = {
        order: "/".join(f"{numbers['swaps']:g}" for numbers in runs[order, "steered"])
        for order in (bad, good)
    }
    return (
        f"{case.name}: bad/good {median[bad, 'plain'] / median[good, 'plain']:.3f} (bad is {bad}), recovered "
        f"from 3 s {recovered(runs, 'settled'):.0%}, steady {recovered(runs, 't'):.0%}, good start "
        f"{median[good, 'steered'] / median[good, 'plain']:.3f}, swaps {swaps[bad]} and {swaps[good]} "
        f"({disturbance(runs)})"
    )


def at_95(ratios: list[float]) -> float:
    """The 95th percentile: 95 % of the ratios don't exceed it. nan for an empty list."""
    ranked = sorted(ratios)
    return ranked[math.ceil(0.95 * len(ranked)) - 1] if ranked else math.nan


def worst_line(case: Case, runs: Runs, column: str) -> str:
    """Steered / plain in each round and order: median and 95th percentile, which should be small.

    The same percentile of plain / plain of the next round shows the noise of the machine.
    """
    ratios = [
        steered[column] / plain[column]
        for order in ORDERS
        for steered, plain in zip(runs[order, "steered"], runs[order, "plain"], strict=True)
    ]
    unsteered = [
        later[column] / plain[column]
        for order in ORDERS
        for plain, later in zip(runs[order, "plain"], runs[order, "plain"][1:], strict=False)
    ]
    swaps = [f"{numbers['swaps']:g}" for order in ORDERS for numbers in runs[order, "steered"]]
    return (
        f"{case.name}: steered/plain median {statistics.median(ratios):.3f}, 95th percentile "
        f"{at_95(ratios):.3f} (plain/plain {at_95(unsteered):.3f}) of {len(ratios)}, "
        f"swaps {'/'.join(swaps)} ({disturbance(runs)})"
    )


def print_case(case: Case, repeats: int, seconds: float, line) -> None:
    """Runs a case and prints its line, or a sentence with the reason why there is none."""
    try:
        print(line(case, interleaved(case, repeats, seconds)), flush=True)
    except CorewiseError as error:
        print(f"{case.name}: {error}", flush=True)
