"""The cost of the PGAS runtime: its workloads, compared with equivalent programs without it.

usage: .venv/bin/python laboratory/benchmarks/workloads/run.py [--rounds 7] [-o build/workload-benchmark]

PI and Black-Scholes are compared with plain MPI on two processes, triangles with the serial counter on one
process and on two. Each round runs every program once with three repeats, of which the best counts. The table
has medians over the rounds. Needs an idle machine with two cores.
"""

from __future__ import annotations

import argparse
import csv
import io
import statistics
import subprocess
from pathlib import Path

from corewise_laboratory.microbench import launcher_start
from corewise_laboratory.workloads import workload_command

ROOT = Path(__file__).resolve().parents[3]
FAMILY = "openmpi"
REPEATS = 3
TIMEOUT_S = 600
# name, --scale, processes of the runtime, processes of the program without it, name of the ratio
CASES = [
    ("black-scholes", 1e-3, 2, 2, "of plain MPI"),
    ("pi", 3e-2, 2, 2, "of plain MPI"),
    ("triangles", 1 / 32, 1, 1, "of the serial rate, one core"),
    ("triangles", 1 / 32, 2, 1, "of the serial rate, two cores"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/workload-benchmark"))
    asked = parser.parse_args()
    plain = build(asked.output)
    ratios: dict[tuple, list[float]] = {case: [] for case in CASES}
    rates: dict[tuple, list[float]] = {case: [] for case in CASES}
    for _ in range(asked.rounds):
        for case in CASES:
            name, scale, n_processes, n_plain, _title = case
            own_s, size, result = run_ours(name, scale, n_processes)
            plain_s, plain_result = run_plain(plain, name, scale, n_plain)
            if result != plain_result:
                raise SystemExit(f"{name}: the runtime found {result}, its twin {plain_result}")
            ratios[case].append(plain_s / own_s)
            rates[case].append(size / own_s)
    print(f"{'workload':<14} {'processes':>9} {'M/s':>8} {'ratio':>7}  (least, most)")
    for case, found in ratios.items():
        name, _scale, n_processes, _n_plain, title = case
        rate = statistics.median(rates[case]) / 1e6
        spread = f"{statistics.median(found):>7.3f}  ({min(found):.3f}, {max(found):.3f})"
        print(f"{name:<14} {n_processes:>9} {rate:>8.1f} {spread} {title}")


def build(folder: Path) -> Path:
    """Compiles the programs without the runtime, optimised like the installed workloads."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "plain"
    workloads = ROOT / "pgas" / "workloads"
    kernels = [str(path) for path in sorted((workloads / "kernels").glob("*.cpp"))]
    source = str(Path(__file__).with_name("plain.cpp"))
    flags = ["-std=c++20", "-O3", "-DNDEBUG", "-fPIE", f"-I{workloads}"]
    subprocess.run([f"mpicxx.{FAMILY}", *flags, source, *kernels, "-o", str(program)], check=True)
    return program


def run_ours(name: str, scale: float, n_processes: int) -> tuple[float, int, str]:
    """Least time, size and result of a workload on the runtime, with one thread per process."""
    threads = ["--workers", "0", "--helpers", "0"]
    command = [*workload_command(n_processes, [FAMILY]), name, "--scale", str(scale), *threads]
    rows = list(csv.DictReader(io.StringIO(output_of([*command, "--repeats", str(REPEATS)]))))
    return min(float(row["seconds"]) for row in rows), int(rows[0]["size"]), rows[0]["result"]


def run_plain(program: Path, name: str, scale: float, n_processes: int) -> tuple[float, str]:
    """Least time and result of a program without the runtime."""
    start = launcher_start(FAMILY, n_processes)
    rows = [
        line.split()
        for line in output_of([*start, str(program), name, str(scale), str(REPEATS)]).splitlines()
    ]
    return min(float(seconds) for seconds, _ in rows), rows[0][1]


def output_of(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT_S)
    return done.stdout


if __name__ == "__main__":
    main()
