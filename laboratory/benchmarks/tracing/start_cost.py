"""The time that `corewise trace` adds to an empty program: in MPI_Init, in MPI_Finalize, and in all.

    python laboratory/benchmarks/tracing/start_cost.py [--rounds 5] [--ranks 2 16 64] [--mpi openmpi mpich]
        [--mode time]

Each round runs the program plain and traced, in alternating order. Each line is one MPI and one number of
ranks. It has medians over the rounds of the slowest rank's seconds in MPI_Init and in MPI_Finalize, and of
the seconds of the whole command. All ranks share this machine's cores, so with many ranks both are slow.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from traced_start import ENVIRONMENT, families

COREWISE = Path(sys.executable).with_name("corewise")
SOURCE = Path(__file__).with_name("start_cost.c")
TIMEOUT_S = 300
COLUMNS = ("MPI_Init", "MPI_Finalize", "command")


def times_s(launch: list[str], tool: list[str], folder: Path) -> tuple[float, ...]:
    """The values of COLUMNS for one start, s."""
    seen = folder / "seen"
    seen.write_text("")
    start = time.perf_counter()
    subprocess.run(
        [*tool, *launch, str(seen)],
        check=True,
        env=ENVIRONMENT,
        capture_output=True,
        timeout=TIMEOUT_S,
    )
    command_s = time.perf_counter() - start
    init_s, finalize_s = zip(
        *(map(float, line.split()) for line in seen.read_text().splitlines()), strict=True
    )
    return max(init_s), max(finalize_s), command_s


def measure(mpi: str, n_ranks: int, mode: str, n_rounds: int) -> None:
    """Prints the line of one MPI and one number of ranks."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "start_cost"
        subprocess.run([f"mpicc.{mpi}", "-O1", str(SOURCE), "-o", str(program)], check=True)
        launch = [f"mpirun.{mpi}", "-n", str(n_ranks), str(program)]
        rounds: dict[bool, list[tuple[float, ...]]] = {False: [], True: []}
        for number in range(n_rounds):
            for traced in (number % 2 == 0, number % 2 == 1):
                profile = str(folder / f"profile{number}")
                tool = [str(COREWISE), "trace", "--mode", mode, "-o", profile, "--"] if traced else []
                rounds[traced].append(times_s(launch, tool, folder))
    plain, traced = (
        [statistics.median(column) for column in zip(*rounds[key], strict=True)] for key in (False, True)
    )
    for column, before, after in zip(COLUMNS, plain, traced, strict=True):
        print(
            f"{mpi:8} {n_ranks:3} ranks  {column:12} {before:7.3f} -> {after:7.3f} s ({after - before:+.3f})",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 16, 64])
    parser.add_argument("--mpi", nargs="+", choices=families(), default=families())
    parser.add_argument("--mode", choices=["count", "time", "events"], default="time")
    options = parser.parse_args()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} hardware threads"
    print(f"{load}; medians of {options.rounds} rounds")
    for mpi in options.mpi:
        for n_ranks in options.ranks:
            measure(mpi, n_ranks, options.mode, options.rounds)


if __name__ == "__main__":
    main()
