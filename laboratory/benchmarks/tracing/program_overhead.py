"""Real programs, traced / untraced: pairs of runs of LAMMPS, GROMACS and FFTW, in each mode of `trace`.

    python laboratory/benchmarks/tracing/program_overhead.py [--pairs 30] [--ranks 2] [--program NAME ...]
        [--mode ...]

Each line is one program in one mode. It has the median of the pairs' ratios and its bootstrap interval. A
ratio compares the times of the program's steps, without its start. The only valid claim is the upper end of
the interval. Programs that are missing here are left out, with the reason; all are Debian's, for Open MPI. If
a start fails, the line has the pairs before it and the reason.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from corewise.statistics import median_interval
from overhead_programs import PROGRAMS, Missing, Prepared
from traced_start import Tool, corewise_tool, start

MODES = ("count", "time", "events")


def pair_ratio(program: Prepared, mode: str, n_ranks: int, traced_first: bool) -> float:
    """Traced / untraced, for two consecutive runs."""
    times = {}
    for traced in (traced_first, not traced_first):
        tool = corewise_tool("openmpi", mode) if traced else Tool("no tool")
        times[traced] = program.seconds(start("openmpi", n_ranks, program.command, tool))
    return times[True] / times[False]


def measure(program: Prepared, ratios: dict[str, list[float]], n_pairs: int, n_ranks: int) -> str:
    """Adds pairs to the ratios of each mode.

    The modes take turns, and so do the first runs of pairs, so that a drift of the machine favours none.
    Returns why a start failed; empty if none did.
    """
    for pair in range(n_pairs):
        for mode, values in ratios.items():
            try:
                values.append(pair_ratio(program, mode, n_ranks, traced_first=pair % 2 == 1))
            except subprocess.CalledProcessError as failed:
                said = failed.stderr.strip().splitlines() or ["nothing on standard error"]
                return f"mode {mode}, pair {pair + 1}: exit code {failed.returncode}: {said[-1]}"
            except (subprocess.TimeoutExpired, ValueError) as failed:
                return f"mode {mode}, pair {pair + 1}: {failed}"
    return ""


def report(name: str, ratios: dict[str, list[float]], n_ranks: int) -> None:
    for mode, values in ratios.items():
        if not values:
            continue
        interval = median_interval(values)
        print(
            f"{name:8} {mode:7} {n_ranks} ranks, {len(values)} pairs: median {interval.expected:.4f}, "
            f"{100 * interval.confidence:.0f} % interval {interval.low:.4f} to {interval.high:.4f}, "
            f"so at most {100 * (interval.high - 1):+.1f} %"
        )
        print("    ratios:", " ".join(f"{ratio:.4f}" for ratio in values), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--program", action="append", choices=sorted(PROGRAMS))
    parser.add_argument("--mode", action="append", choices=MODES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.program or sorted(PROGRAMS):
            try:
                program = PROGRAMS[name](Path(folder))
            except Missing as reason:
                print(f"{name:8} left out: {reason}", flush=True)
                continue
            ratios: dict[str, list[float]] = {mode: [] for mode in options.mode or MODES}
            failure = measure(program, ratios, options.pairs, options.ranks)
            report(name, ratios, options.ranks)
            if failure:
                print(f"{name:8} stopped: {failure}", flush=True)


if __name__ == "__main__":
    main()
