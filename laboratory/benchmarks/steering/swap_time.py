"""How long two ranks share a core while they are swapped, by the kernel's own trace of migrations.

    .venv/bin/python laboratory/benchmarks/steering/swap_time.py [--work load packets] [--swaps 20]

The two ranks of the paper's micro-benchmark of idleness, in both orders, as idleness.py
has them; from the bad one they are swapped.

What steering itself measures (`shared_ns` of its log) ends when the rank that acts runs on its new core.
Where that core is busy with the simulated load or with packets, the rank waits for it, and shares a core with
nobody meanwhile. The trace has both migrations: the time from one to the other is what the ranks shared a
core for. Needs root (tracefs). Times of one run only, on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from corewise_laboratory.studies.steered_running import SteeredRun, run_steered
from corewise_laboratory.studies.steered_spec import ORDERS, ProtocolWork, SteeredProgram
from interleaved import at_95

WORDS = "--unlike ranks --steps 1 --ratio 3 --load-ms 4 --messages 1 --sizes 1024"
MIGRATION = re.compile(
    r" ([\d.]+): sched_migrate_task: comm=\S+ pid=(\d+) prio=\d+ orig_cpu=(\d+) dest_cpu=(\d+)"
)
STARTED = re.compile(r" sched_process_exec: filename=\S*/idleness pid=(\d+) ")
SWAP_S = 0.05  # two ranks that change their cores within this time are swapped


@dataclass(frozen=True)
class Migration:
    time_s: float
    pid: int
    origin: int
    target: int


@dataclass
class Trace:
    """Migrations of the ranks' first threads, which call MPI; whole once the block has ended."""

    migrations: list[Migration] = field(default_factory=list)

    def read(self, lines: list[str]) -> None:
        ranks = {int(match[1]) for line in lines if (match := STARTED.search(line))}
        for match in filter(None, map(MIGRATION.search, lines)):
            if int(match[2]) in ranks:
                self.migrations.append(Migration(float(match[1]), *map(int, match.groups()[1:])))


@contextmanager
def traced() -> Iterator[Trace]:
    """An instance of tracefs of our own: other users of the kernel's trace notice nothing."""
    trace = Trace()
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(["mount", "-t", "tracefs", "none", name], check=True)
        instance = Path(name) / "instances" / f"corewise-{os.getpid()}"
        try:
            instance.mkdir()
            (instance / "trace_clock").write_text("mono")
            events = instance / "events" / "sched"
            (events / "sched_migrate_task" / "filter").write_text('comm == "idleness"')
            for event in ("sched_migrate_task", "sched_process_exec"):
                (events / event / "enable").write_text("1")
            yield trace
            (instance / "tracing_on").write_text("0")
            trace.read((instance / "trace").read_text().splitlines())
        finally:
            instance.rmdir()
            subprocess.run(["umount", name], check=True)


def shared_s(migrations: list[Migration]) -> list[float]:
    """Of every swap the time from the first migration to the second."""
    found = []
    for first, second in zip(migrations, migrations[1:], strict=False):
        crossed = (first.origin, first.target) == (second.target, second.origin)
        if crossed and first.pid != second.pid and second.time_s - first.time_s < SWAP_S:
            found.append(second.time_s - first.time_s)
    return found


def measure(work: ProtocolWork, wanted: int, seconds: float) -> tuple[list[float], int]:
    """Times of `wanted` swaps or more, and how many swaps steering told of in the same runs."""
    found: list[float] = []
    told = runs = 0
    while told < wanted and runs < 4 * wanted:
        for order in ORDERS:
            run = SteeredRun(
                SteeredProgram("idleness", WORDS.split()), work, "openmpi", order, "steered", {}, seconds
            )
            with traced() as trace:
                told += int(run_steered(run)["swaps"])
            found += shared_s(trace.migrations)
            runs += 1
    return found, told


def main() -> None:
    """Prints a line for each kind of work."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", choices=["load", "packets"], nargs="+", default=["load", "packets"])
    parser.add_argument("--swaps", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3, help="of a run")
    options = parser.parse_args()
    for kind in options.work:
        found, told = measure(ProtocolWork(kind), options.swaps, options.seconds)
        if not found:
            print(f"{kind}: no swap in {4 * options.swaps} runs")
            continue
        ranked = sorted(found)
        most = ranked[-(-9 * len(ranked) // 10) - 1]
        print(
            f"{kind}: {len(found)} swaps in the trace, {told} told; a core shared for "
            f"{statistics.median(found) * 1e3:.3f} ms in the median, nine in ten at most {most * 1e3:.3f}, "
            f"95 % at most {at_95(found) * 1e3:.3f}, the longest {ranked[-1] * 1e3:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
