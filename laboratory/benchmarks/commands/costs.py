"""Measures the cost of the command line: start-up, and mapping thousands of ranks.

    python laboratory/benchmarks/commands/costs.py [--starts 20]

Start-up: the median wall time of short commands and of `python -c pass`, run in turn. Mapping: `auto` on a 3D
stencil of 4096 ranks (32 nodes of 128 cores); the solver's CPU time, and the wall time and peak memory of the
whole command. The limits are 0.3 s, 5 s and 500 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COREWISE = Path(sys.executable).with_name("corewise")
SIDE = 16  # 16^3 = 4096 ranks


def wall_s(command: list[str | Path]) -> float:
    """Wall time of a command, s."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def print_startup(n_starts: int) -> None:
    """Prints the median of `n_starts` starts of each command, and its ratio to the bare interpreter."""
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "corewise --version": [COREWISE, "--version"],
        "corewise --help": [COREWISE, "--help"],
        "corewise topo": [COREWISE, "topo"],
    }
    times_s: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(n_starts):
        for name, command in commands.items():
            times_s[name].append(wall_s(command))
    bare_s = statistics.median(times_s["python -c pass"])
    for name, values in times_s.items():
        median_s = statistics.median(values)
        print(f"{name:<20} {median_s:6.3f} s   {median_s / bare_s:5.1f} x the bare interpreter")


def write_stencil(path: Path) -> None:
    """Writes a periodic 3D stencil as a METIS graph: six partners per rank, 64 KiB per pair both ways."""

    def number(x: int, y: int, z: int) -> int:
        return (x % SIDE * SIDE + y % SIDE) * SIDE + z % SIDE + 1

    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    rows = [
        " ".join(f"{number(x + dx, y + dy, z + dz)} 65536" for dx, dy, dz in steps)
        for x in range(SIDE)
        for y in range(SIDE)
        for z in range(SIDE)
    ]
    path.write_text(f"{len(rows)} {3 * len(rows)} 001\n" + "\n".join(rows) + "\n")


def print_mapping(folder: Path) -> None:
    """Prints CPU time, wall time and peak memory of one `corewise map`."""
    graph = folder / "stencil.graph"
    write_stencil(graph)
    machine = ["--machine", "synthetic:32:pack:2 l3:8 core:8 pu:1"]
    for objective in ("hop-bytes", "time"):
        command = [COREWISE, "map", graph, *machine, "--objective", objective, "--json"]
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        document = json.loads(child.stdout.read())
        _, _, usage = os.wait4(child.pid, 0)
        print(
            f"auto, 4096 ranks, {objective:<10} {document['cpu_s']:6.2f} s of CPU in the solver, "
            f"{time.perf_counter() - begin:.2f} s in all, {usage.ru_maxrss / 1024:.0f} MB at most"
        )


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_startup(arguments.starts)
        print_mapping(Path(folder))


if __name__ == "__main__":
    main()
