"""How much of a good mapping's advantage `corewise steer` recovers: the paper's micro-benchmark of idleness.

    .venv/bin/python benchmarks/steering/idleness.py [--ratio 1 2 3 4] [--seconds 9] [--repeats 5]

Two ranks on cores 0 and 1, of which one computes longer; a stand-in for protocol work takes 30 % of core 0:
a process of real-time priority where the user may have one, 1.5 of every 5 ms. Runs are interleaved: the
busy rank on core 0 (bad), on core 1 (good), bad under steering, and good under steering. A quiet machine is
needed. Ratios only, of medians over the repeats:

    bad/good       what the mapping is worth
    from 3 s       (bad - steered) / (bad - good), iterations from 3 s on
    steady         the same, last third of the run
    good start     steered / good: what steering costs where nothing is to gain
    swaps          done in each run from a bad start, and from a good one
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOURCE = Path(__file__).with_name("idleness.c")
COREWISE = str(Path(sys.executable).with_name("corewise"))
PERIOD_S = 0.005
BIND = {"openmpi": ["--bind-to", "core", "--map-by", "core"], "mpich": ["-bind-to", "core"]}


@contextmanager
def stand_in(share: float) -> Iterator[None]:
    """A process that takes `share` of core 0."""
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {0})
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
        while os.getppid() != 1:
            end = time.perf_counter() + share * PERIOD_S
            while time.perf_counter() < end:
                pass
            time.sleep((1 - share) * PERIOD_S)
        os._exit(0)
    try:
        yield
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def run(options: argparse.Namespace, program: Path, ratio: float, busy: int, steered: bool) -> dict:
    """Mean times of an iteration, ms, and swaps."""
    words = [str(busy), str(ratio), str(options.bytes), str(options.load_ms), str(options.messages)]
    launch = [f"mpirun.{options.family}", *BIND[options.family], "-n", "2", str(program), *words]
    launch.append(str(options.seconds))
    with tempfile.TemporaryDirectory() as folder, stand_in(options.share):
        log = Path(folder) / "log"
        argv = [COREWISE, "steer", "--json", "-o", str(log), "--", *launch] if steered else launch
        done = subprocess.run(
            argv, capture_output=True, text=True, cwd=folder, check=True, timeout=options.seconds + 60
        )
    out = done.stderr if steered else done.stdout
    from_3_s, steady = map(float, out.split()[:2])
    document = json.loads(done.stdout) if steered else {"swaps": 0, "rollbacks": 0}
    return {"from_3_s": from_3_s, "steady": steady} | {key: document[key] for key in ("swaps", "rollbacks")}


def recovered(runs: dict[str, list[dict]], part: str) -> float:
    """Part of the good mapping's advantage; nan where there is none."""
    bad, good, steered = (
        statistics.median(each[part] for each in runs[which]) for which in ("bad", "good", "steered")
    )
    return (bad - steered) / (bad - good) if bad > 1.02 * good else float("nan")


def report(ratio: float, runs: dict[str, list[dict]]) -> str:
    """One line."""
    median = {name: statistics.median(each["from_3_s"] for each in rows) for name, rows in runs.items()}
    swaps = {name: "/".join(str(each["swaps"]) for each in rows) for name, rows in runs.items()}
    return (
        f"ratio {ratio:g}: bad/good {median['bad'] / median['good']:.2f}, recovered from 3 s "
        f"{recovered(runs, 'from_3_s'):.0%}, steady {recovered(runs, 'steady'):.0%}, good start "
        f"{median['good steered'] / median['good']:.3f}, swaps {swaps['steered']} and {swaps['good steered']}"
    )


def main() -> None:
    """Runs everything and prints a line for each ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ratio", type=float, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--seconds", type=float, default=9)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--bytes", type=int, default=1024)
    parser.add_argument("--load-ms", type=float, default=4)
    parser.add_argument("--messages", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--family", choices=list(BIND), default="openmpi")
    options = parser.parse_args()
    kinds = {"bad": (0, False), "good": (1, False), "steered": (0, True), "good steered": (1, True)}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "idleness"
        subprocess.run([f"mpicc.{options.family}", "-O2", str(SOURCE), "-o", str(program)], check=True)
        for ratio in options.ratio:
            runs: dict[str, list[dict]] = {kind: [] for kind in kinds}
            for _ in range(options.repeats):
                for kind, (busy, steered) in kinds.items():
                    runs[kind].append(run(options, program, ratio, busy, steered))
            print(report(ratio, runs), f"(load {os.getloadavg()[0]:.1f})", flush=True)


if __name__ == "__main__":
    main()
