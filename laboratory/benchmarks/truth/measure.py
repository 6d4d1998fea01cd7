"""Measures truth: real programs under many placements on emulated nodes, kept in a folder.

    python laboratory/benchmarks/truth/measure.py FOLDER [--npb DIR] [--programs A,B] [--repeats K]
        [--random N]

16 ranks on 8 namespace nodes of 2 over links of 100 Mbit/s (--machine for others). Each program is traced
once in block order, with its events; corewise then finds placements for the trace: the best by several
objectives, the worst by time, round-robin, spread and random ones. All run interleaved. FOLDER keeps the
profile and, once all has run, the placements with every time; programs that are there already are left
alone, so that an interrupted run goes on where it was. What is missing here is left out, with the reason.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from corewise import Input, PlacementFile, Run, machines, model
from corewise.errors import MissingError
from corewise.execute.application import RecordedCalls
from corewise.mapping.request import Request as MapRequest
from corewise.mapping.solve import solve
from corewise.plugin.emulation import EmulatedProgram, as_emulated, emulated_nodes, link_rate
from corewise.plugin.execution import Streams
from corewise.profile.inputs import read_input
from corewise.simulation import ENGINES, Request
from programs import PROGRAMS, Missing, Program, Sources
from store import BASELINE, Measured, Truth, load, profile_of, save

RULES = (BASELINE, "round-robin", "spread")
OBJECTIVES = ("time", "hop-bytes", "congestion")


def placements_for(found: Input, machine: model.Machine, n_random: int) -> dict[str, PlacementFile]:
    """By label: those of the rules, the best by each objective, the worst by time, and random ones.

    Placements that put the same ranks together are one, its label all their names: nodes and links are alike.
    """
    requests = {rule: MapRequest(solver=rule) for rule in RULES}
    requests |= {objective: MapRequest(objective=objective) for objective in OBJECTIVES}
    requests["worst"] = MapRequest(objective="time", worst=True)
    requests |= {f"random-{seed}": MapRequest(solver="random", seed=seed) for seed in range(1, n_random + 1)}
    names: dict[frozenset, list[str]] = {}
    files: dict[frozenset, PlacementFile] = {}
    for name, request in requests.items():
        file = solve(found, machine, request).file()
        names.setdefault(together(file), []).append(name)
        files.setdefault(together(file), file)
    return {" = ".join(same): files[key] for key, same in names.items()}


def together(file: PlacementFile) -> frozenset[frozenset[int]]:
    """The ranks of each node."""
    nodes: dict[int, set[int]] = {}
    for rank, node in enumerate(file.node):
        nodes.setdefault(node, set()).add(rank)
    return frozenset(frozenset(ranks) for ranks in nodes.values())


def trace(command: list[str], machine: model.Machine, profile: Path, timeout_s: float) -> None:
    """A run in block order on the emulated nodes, traced with its events; raises Missing."""
    block = PlacementFile.of(model.Placement.from_cores(list(range(machine.n_cores))), machine)
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as output:
        streams = Streams(subprocess.DEVNULL, output, output)
        program = EmulatedProgram.of(command, streams=streams, recorded=RecordedCalls("events"))
        slots = machine.n_cores // machine.n_nodes
        with emulated_nodes(machine.n_nodes, slots, link_rate(machine)) as nodes:
            place = Path(folder) / "run"
            run = nodes.run("trace", block, program, place, timeout_s, keeps_profile=True)
        if run.exit_code != 0:
            raise Missing(f"the run to be traced ended with exit code {run.exit_code}")
        profile.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(profile, ignore_errors=True)
        shutil.move(place / "profile", profile)


def measure(name: str, program: Program, options: argparse.Namespace, sources: Sources) -> Truth:
    """Traces and runs one program; raises Missing."""
    machine = machines.load(options.machine)
    command = program.command(sources)
    profile = profile_of(options.folder, name)
    show(f"{name}: tracing")
    trace(command, machine, profile, options.timeout)
    files = placements_for(read_input(str(profile), program.layer), as_emulated(machine), options.random)
    runs = run_all(
        name, Request(machine, files, command, n_repeats=options.repeats, timeout_s=options.timeout)
    )
    placements = []
    for label, file in files.items():
        times_s = [run.time_s for run in runs[label] if run.time_s is not None]
        n_failed = len(runs[label]) - len(times_s)
        placements.append(Measured(label.split(" = "), file.node, times_s, n_failed))
    return Truth(
        program=name,
        machine=options.machine,
        layer=program.layer,
        date=datetime.now(UTC).date().isoformat(),
        n_processors=len(os.sched_getaffinity(0)),
        load=os.getloadavg()[0],
        placements=placements,
    )


def run_all(name: str, request: Request) -> dict[str, list[Run]]:
    """Every placement's runs, interleaved."""
    total = request.n_repeats * len(request.placements)
    with open(os.devnull, "w") as output:
        said = replace(
            request, output=output, say=lambda run: show(f"{name}: run {run.n_done + 1} of {total}")
        )
        return ENGINES["emulate"].run(said).runs


def show(sentence: str) -> None:
    """Progress, for a terminal."""
    if sys.stderr.isatty():
        print(f"\r{sentence:<60}", end="", file=sys.stderr, flush=True)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="takes what is measured")
    parser.add_argument(
        "--npb", type=Path, metavar="DIR", help="a folder with NPB's programs (cg.A.x); without it, no NPB"
    )
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="some of %(default)s")
    parser.add_argument("--machine", default="pe1550-fast-ethernet:8", help="default %(default)s")
    parser.add_argument("--repeats", type=int, default=3, help="default %(default)s")
    parser.add_argument("--random", type=int, default=5, help="random placements; default %(default)s")
    parser.add_argument("--timeout", type=float, default=240, help="s, of one run; default %(default)s")
    options = parser.parse_args()
    options.folder = options.folder.absolute()
    options.programs = options.programs.split(",")
    if unknown := [name for name in options.programs if name not in PROGRAMS]:
        parser.error(f"there is no program '{unknown[0]}'; expected some of {', '.join(PROGRAMS)}")
    return options


def main() -> None:
    options = parse_options()
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    options.folder.mkdir(parents=True, exist_ok=True)
    done = {truth.program for truth in load(options.folder)}
    with tempfile.TemporaryDirectory() as folder:
        sources = Sources(Path(folder), options.npb and options.npb.absolute())
        os.chdir(folder)
        for name in options.programs:
            if name in done:
                print(f"{name}: already measured")
                continue
            try:
                save(options.folder, measure(name, PROGRAMS[name], options, sources))
            except (Missing, MissingError) as reason:
                print(f"{name}: left out: {reason}", file=sys.stderr)
    show("")


if __name__ == "__main__":
    main()
