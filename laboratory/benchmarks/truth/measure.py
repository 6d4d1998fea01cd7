"""Measures truth: real programs under many placements on emulated nodes, kept in a folder.

    python laboratory/benchmarks/truth/measure.py [DATA] [--npb DIR] [--proxies] [--programs A,B]
        [--machine M] [--repeats K] [--random N] [--minutes T]

16 ranks on 8 namespace nodes of 2 over links of 100 Mbit/s (--machine for others). Each program is traced
once in block order, with its events; corewise then finds placements for the trace: the best by several
objectives, the worst by time, round-robin, spread and random ones. All run interleaved. DATA keeps each run
when it ends, with what other programs used of the processors just before and after. A later call runs what
is missing: runs that shared the machine with other programs are made again, and a program whose runs are
incomplete on another day is traced and run again. What is missing here is left out, with the reason.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from corewise import Input, Placement, Run, machines, model
from corewise.errors import MissingError
from corewise.mapping.request import MappingRequest
from corewise.mapping.solve import solve
from corewise.mapping.thread_cores import with_cores_for_threads
from corewise.nouns.load import Load
from corewise.observe.conditions import LEAST_WATCHED_S, LoadWatch
from corewise.profile.inputs import read_input
from corewise.simulation.emulated_nodes import (
    EmulatedNodes,
    EmulatedProgram,
    as_emulated,
    emulated_nodes,
    link_rate,
)
from corewise.start.application import TIMED, RecordedCalls
from corewise.start.streams import Streams
from programs import PROGRAMS, Missing, Program, Sources
from store import BASELINE, DATA, MeasuredPlacement, Timed, Truth, add_run, is_of_day, load, runs_of, save

RULES = (BASELINE, "round-robin", "spread")
OBJECTIVES = ("time", "hop-bytes", "congestion")


def placements_for(found: Input, machine: model.Machine, n_random: int) -> list[MeasuredPlacement]:
    """Placements by rules, the best by each objective, the worst by time, and random ones.

    Placements that put the same ranks together are one with all their names: nodes and links are alike.
    """
    requests = {rule: MappingRequest(solver=rule) for rule in RULES}
    requests |= {objective: MappingRequest(objective=objective) for objective in OBJECTIVES}
    requests["worst"] = MappingRequest(objective="time", worst=True)
    requests |= {
        f"random-{seed}": MappingRequest(solver="random", seed=seed) for seed in range(1, n_random + 1)
    }
    names: dict[frozenset, list[str]] = {}
    nodes: dict[frozenset, list[int]] = {}
    for name, request in requests.items():
        node = solve(found, machine, with_cores_for_threads(request, found, machine)).file().node
        names.setdefault(together(node), []).append(name)
        nodes.setdefault(together(node), node)
    return [MeasuredPlacement(same, nodes[key]) for key, same in names.items()]


def together(node: list[int]) -> frozenset[frozenset[int]]:
    """The ranks of each node."""
    ranks: dict[int, set[int]] = {}
    for rank, own in enumerate(node):
        ranks.setdefault(own, set()).add(rank)
    return frozenset(map(frozenset, ranks.values()))


@dataclass(frozen=True)
class Bench:
    """The emulated nodes and the machine that they emulate."""

    nodes: EmulatedNodes
    machine: model.Machine
    timeout_s: float

    @classmethod
    @contextmanager
    def up(cls, machine: model.Machine, timeout_s: float) -> Iterator[Bench]:
        slots = machine.n_cores // machine.n_nodes
        with emulated_nodes(machine.n_nodes, slots, link_rate(machine)) as nodes:
            yield cls(nodes, machine, timeout_s)

    def run(
        self, placement: MeasuredPlacement, command: list[str], place: Path, recorded: RecordedCalls = TIMED
    ) -> Run:
        """Runs the command under the placement; with recorded events, the profile is left in `place`."""
        file = Placement.of(placement.on(self.machine), self.machine)
        with open(os.devnull, "w") as output:
            streams = Streams(subprocess.DEVNULL, output, output)
            program = EmulatedProgram.of(command, streams=streams, recorded=recorded)
            return self.nodes.run(
                placement.label, file, program, place, self.timeout_s, keeps_profile=recorded is not TIMED
            )


def load_of_others() -> Load:
    """The load by other programs in the next second.

    It can't be measured during a run, because the CPU time of its start-up and of its messages in the kernel
    is charged to no process.
    """
    watch = LoadWatch()
    time.sleep(LEAST_WATCHED_S + 0.1)
    return watch.load()


def busier(before: Load, after: Load) -> Load:
    """The load next to a run: the greater one of those before and after it."""
    return max(before, after, key=lambda load: load.others or 0.0)


def traced(
    name: str, program: Program, command: list[str], bench: Bench, options: argparse.Namespace
) -> Truth:
    """Traces a program in block order and finds placements for the trace; raises Missing."""
    machine = bench.machine
    n_ranks = program.n_ranks or machine.n_cores
    slots = machine.n_cores // machine.n_nodes
    block = MeasuredPlacement([BASELINE], [rank // slots for rank in range(n_ranks)])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "run"
        before = load_of_others()
        run = bench.run(block, command, place, RecordedCalls("events"))
        if run.exit_code != 0:
            raise Missing(f"the run to be traced ended with exit code {run.exit_code}")
        profile = place / "profile"
        found = read_input(str(profile), program.layer)
        truth = Truth(
            program=name,
            machine=options.machine,
            layer=program.layer,
            date=today(),
            n_processors=len(os.sched_getaffinity(0)),
            is_idle=not busier(before, load_of_others()).is_busy,
            placements=placements_for(found, as_emulated(machine), options.random),
        )
        save(options.data, truth, profile)
    return truth


def missing_runs(truth: Truth, options: argparse.Namespace) -> list[MeasuredPlacement]:
    """The missing runs, round by round, each round in random order."""
    counted = [run for run in runs_of(options.data, truth) if is_of_day(run, truth)]
    done = Counter(run.placement for run in counted if run.is_idle or options.busy)
    rounds = [
        [one for one in truth.placements if done[one.label] <= number] for number in range(options.repeats)
    ]
    return [one for each in rounds for one in random.sample(each, len(each))]


def measure(
    name: str, program: Program, options: argparse.Namespace, sources: Sources, in_time: Callable[[], bool]
) -> None:
    """Traces a program if it has no trace of today, and makes missing runs while there is time.

    Raises Missing.
    """
    known = {(truth.machine, truth.program): truth for truth in load(options.data, idle=False)}
    truth = known.get((options.machine, name))
    if truth and not missing_runs(truth, options):
        print(f"{name}: already measured")
        return
    command = program.command(sources)
    with (
        Bench.up(machines.load(options.machine), options.timeout) as bench,
        tempfile.TemporaryDirectory() as folder,
    ):
        if truth is None or truth.date != today() or not (truth.is_idle or options.busy):
            show(f"{name}: tracing")
            truth = traced(name, program, command, bench, options)
        left = missing_runs(truth, options)
        before = load_of_others()
        for number, placement in enumerate(left):
            if not in_time():
                return
            show(f"{name}: run {number + 1} of {len(left)}")
            run = bench.run(placement, command, Path(folder) / "run")
            after = load_of_others()
            add_run(options.data, truth, Timed.of(placement, run.time_s, busier(before, after)))
            before = after


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def show(sentence: str) -> None:
    """Prints progress."""
    if sys.stderr.isatty():
        print(f"\r{sentence:<60}", end="", file=sys.stderr, flush=True)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "data", type=Path, nargs="?", default=DATA, metavar="DATA", help="default %(default)s"
    )
    parser.add_argument(
        "--npb", type=Path, metavar="DIR", help="a folder with NPB's programs (cg.A.x); without it, no NPB"
    )
    parser.add_argument("--proxies", action="store_true", help="clone and build proxies.toml's")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="some of %(default)s")
    parser.add_argument("--machine", default="pe1550-fast-ethernet:8", help="default %(default)s")
    parser.add_argument("--repeats", type=int, default=3, help="default %(default)s")
    parser.add_argument("--random", type=int, default=5, help="random placements; default %(default)s")
    parser.add_argument("--timeout", type=float, default=240, help="s, of one run; default %(default)s")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no run after this time")
    parser.add_argument("--busy", action="store_true", help="count runs next to other programs as done")
    options = parser.parse_args()
    options.data = options.data.absolute()
    options.programs = options.programs.split(",")
    if unknown := [name for name in options.programs if name not in PROGRAMS]:
        parser.error(f"there is no program '{unknown[0]}'; expected some of {', '.join(PROGRAMS)}")
    return options


def main() -> None:
    options = parse_options()
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    end_s = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        sources = Sources(Path(folder), options.npb and options.npb.absolute(), options.proxies)
        os.chdir(folder)
        for name in options.programs:
            try:
                measure(name, PROGRAMS[name], options, sources, lambda: time.monotonic() < end_s)
            except (Missing, MissingError) as reason:
                print(f"{name}: left out: {reason}", file=sys.stderr)
    show("")


if __name__ == "__main__":
    main()
