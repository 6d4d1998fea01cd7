"""Predicted beside measured gains of placements, for real programs on emulated nodes.

    python benchmarks/emulation/gains.py [--npb DIR] [--programs A,B] [--repeats K] [--random N] [--json FILE]

16 ranks on 8 namespace nodes of 2 over links of 100 Mbit/s (--machine for others). Each program is traced
once in block order; corewise then finds placements for the trace: the best by each objective, the worst by
time, round-robin, spread and, with --random, random ones. All run interleaved, and the table shows for each
what every objective and the estimator (docs/estimate.md) predict beside what was measured. Gain:
1 - t / t_block of the medians over repeats; predicted by an objective: 1 - its value over block order's. Then
come, for each predictor, the pairs of placements whose medians' intervals are apart and that it tells apart,
in the right order or not, and the errors of its gains. The summary has corewise's own placement over
block order and over round-robin, predicted for the whole run as `corewise advise` does. What is missing here
is left out, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from corewise import machines, model
from corewise.errors import MissingError
from corewise.execute.application import RecordedCalls
from corewise.execute.streams import Streams
from corewise.files.placement import PlacementFile
from corewise.files.run import Run
from corewise.mapping.comparison import measured_times
from corewise.mapping.request import Request as MapRequest
from corewise.mapping.scoring import score_all
from corewise.mapping.solve import solve
from corewise.profile.inputs import Input, read_input
from corewise.simulate import ENGINES, Recorded, Request
from corewise.simulate.emulated_nodes import EmulatedProgram, as_emulated, emulated_nodes, link_rate
from corewise.simulate.estimate import Estimator, estimator_for
from corewise.statistics import median_interval
from corewise.text.table import text_table
from programs import PROGRAMS, Missing, Program, Sources

BASELINE, OWN = "block", "time"
OBJECTIVES = ("time", "hop-bytes", "congestion", "link-load")
PREDICTORS = (*OBJECTIVES, "estimate")
RULES = ("block", "round-robin", "spread")
NO_GAIN = 0.005
TITLE = "Gains over block order: predicted by each objective and the estimator, and measured"
PAIRS_TITLE = "Pairs of placements, and gains over block order, by predictor"
OWN_TITLE = "corewise's own placement (best by time) over the usual ones"


@dataclass(frozen=True)
class Row:
    """One program under one placement; times in s; gains over block order, None where there is none.

    `estimated_s` is the estimated makespan between the bounds of its interval.
    """

    program: str
    placement: str
    node: list[int]
    predicted: dict[str, float | None]
    times_s: list[float]
    n_failed: int
    measured: float | None
    estimated_s: tuple[float, float, float]


@dataclass(frozen=True)
class Verdict:
    """corewise's own placement over another: the predicted gain of the run, and the measured one.

    `apart` says that the intervals of both medians don't overlap.
    """

    program: str
    over: str
    predicted: float
    low: float
    high: float
    measured: float | None
    apart: bool

    @property
    def sign(self) -> str:
        """Whether prediction and measurement agree; a gain within the spread has no sign."""
        if self.measured is None:
            return "not measured"
        if not self.apart:
            return "within the spread"
        if abs(self.predicted) < NO_GAIN:
            return "none predicted"
        return "right" if self.predicted * self.measured > 0 else "WRONG"


@dataclass(frozen=True)
class Placements:
    """The placements of a program by label, and the label that each name of a rule or objective got.

    Placements that put the same ranks together are one, with all their names: nodes and links are alike.
    """

    files: dict[str, PlacementFile]
    label_of: dict[str, str]


def placements_for(found: Input, machine: model.Machine, n_random: int) -> Placements:
    """Those of the rules, the best by each objective, the worst by time, and random ones."""
    requests = {rule: MapRequest(solver=rule) for rule in RULES}
    requests |= {objective: MapRequest(objective=objective) for objective in OBJECTIVES[:3]}
    requests["worst"] = MapRequest(objective="time", worst=True)
    requests |= {f"random-{seed}": MapRequest(solver="random", seed=seed) for seed in range(1, n_random + 1)}
    names: dict[frozenset, list[str]] = {}
    files: dict[frozenset, PlacementFile] = {}
    for name, request in requests.items():
        file = solve(found, machine, request).file()
        names.setdefault(together(file), []).append(name)
        files.setdefault(together(file), file)
    labels = {key: " = ".join(same) for key, same in names.items()}
    return Placements(
        {labels[key]: file for key, file in files.items()},
        {name: labels[key] for key, same in names.items() for name in same},
    )


def together(file: PlacementFile) -> frozenset[frozenset[int]]:
    """The ranks of each node."""
    nodes: dict[int, set[int]] = {}
    for rank, node in enumerate(file.node):
        nodes.setdefault(node, set()).add(rank)
    return frozenset(frozenset(ranks) for ranks in nodes.values())


def trace(
    command: list[str], machine: model.Machine, layer: str, timeout_s: float
) -> tuple[Input, Estimator]:
    """A run in block order on the emulated nodes, traced with its events; and what estimates placements."""
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
        path = str(place / "profile")
        found = read_input(path, layer)
        return found, estimator_for(Recorded(path, found), as_emulated(machine))[0]


def gains(
    name: str, program: Program, options: argparse.Namespace, sources: Sources
) -> tuple[list[Row], list[Verdict]]:
    """Traces and runs one program; raises Missing."""
    machine = machines.load(options.machine)
    command = program.command(sources)
    show(f"{name}: tracing")
    found, estimator = trace(command, machine, program.layer, options.timeout)
    emulated = as_emulated(machine)
    placements = placements_for(found, emulated, options.random)
    runs = run_all(name, Request(machine, placements.files, command, options.repeats, options.timeout))
    times = {label: [run.time_s for run in of if run.time_s is not None] for label, of in runs.items()}
    files = placements.files.items()
    estimates = {label: estimator(file.on(emulated)) for label, file in files}
    scores = {
        label: score_all(found.traffic, emulated, file.on(emulated))
        | {"estimate": [estimates[label].makespan_s]}
        for label, file in files
    }
    block, own = placements.label_of[BASELINE], placements.label_of[OWN]
    rows = [
        Row(
            name,
            label,
            file.node,
            {name: predicted(scores[label], scores[block], name) for name in PREDICTORS},
            times[label],
            len(runs[label]) - len(times[label]),
            gain(times[label], times[block]),
            (
                estimates[label].makespan_range_s[0],
                estimates[label].makespan_s,
                estimates[label].makespan_range_s[1],
            ),
        )
        for label, file in files
    ]
    verdicts = []
    for over in RULES[:2]:
        label = placements.label_of[over]
        advice = advised(found, emulated, placements.files[label], placements.files[own])
        times_of = times[own], times[label]
        verdicts.append(
            Verdict(name, over, advice.expected, advice.low, advice.high, gain(*times_of), apart(*times_of))
        )
    return rows, verdicts


def run_all(name: str, request: Request) -> dict[str, list[Run]]:
    """Every placement's runs, interleaved."""
    total = request.n_repeats * len(request.placements)
    with open(os.devnull, "w") as output:
        said = replace(
            request, output=output, say=lambda run: show(f"{name}: run {run.n_done + 1} of {total}")
        )
        return ENGINES["emulate"].run(said).runs


def predicted(own: dict, base: dict, objective: str) -> float | None:
    """1 - value / value of block order; of a list the first value. None where there is none, or it is 0."""
    (value, *_), (of_base, *_) = own.get(objective) or [0], base.get(objective) or [0]
    return 1 - value / of_base if of_base else None


def gain(own: list[float], other: list[float]) -> float | None:
    """1 - t / t_other of the medians; None where one has no run that ended well."""
    return 1 - median(own) / median(other) if own and other else None


def apart(own: list[float], other: list[float]) -> bool:
    """The intervals of both medians don't overlap; never for single runs."""
    if min(len(own), len(other)) < 2:
        return False
    a, b = median_interval(own), median_interval(other)
    return a.high < b.low or b.high < a.low


def advised(
    found: Input, machine: model.Machine, other: PlacementFile, own: PlacementFile
) -> model.GainInterval:
    """The gain of a run under `own` over one under `other`, as `corewise advise` predicts it."""
    return model.advise(
        found.traffic,
        machine,
        default=other.on(machine),
        best=own.on(machine),
        worst=other.on(machine),
        best_is_proven=False,
        times=measured_times(found.profile),
    ).gain


def show(sentence: str) -> None:
    """Progress, for a terminal."""
    if sys.stderr.isatty():
        print(f"\r{sentence:<60}", end="", file=sys.stderr, flush=True)


def percent(fraction: float | None) -> str:
    return "-" if fraction is None else f"{fraction * 100:.0f} %"


def print_accuracy(rows: list[Row]) -> None:
    """For each predictor: pairs in the right order, and errors of gains, in points; covered makespans."""
    pairs = [
        (a, b)
        for a in rows
        for b in rows
        if a.program == b.program and a.times_s and b.times_s
        if median(a.times_s) < median(b.times_s) and apart(a.times_s, b.times_s)
    ]
    cells = []
    for name in PREDICTORS:
        ahead = [a.predicted[name] - b.predicted[name] for a, b in pairs if a.predicted[name] is not None]
        told = [difference for difference in ahead if abs(difference) >= NO_GAIN]
        errors = [
            abs(row.predicted[name] - row.measured)
            for row in rows
            if row.measured is not None and row.predicted[name] is not None and BASELINE not in row.placement
        ]
        right = sum(difference > 0 for difference in told)
        near = sum(error <= 0.1 for error in errors)
        cells.append(
            [
                name,
                f"{right} of {len(told)}",
                f"{len(pairs) - len(told)}",
                percent(median(errors)) if errors else "-",
                f"{near} of {len(errors)}",
            ]
        )
    heads = ["<predictor", ">right order", ">not told apart", ">median error", ">within 10 points"]
    print("\n".join(text_table(PAIRS_TITLE, heads, cells)))
    timed = [row for row in rows if row.times_s]
    covered = sum(row.estimated_s[0] <= median(row.times_s) <= row.estimated_s[2] for row in timed)
    print(f"\nThe estimate's interval has the measured median in {covered} of {len(timed)} rows.")


def print_tables(rows: list[Row], verdicts: list[Verdict]) -> None:
    """Both tables, for people."""
    cells = [
        [
            row.program,
            row.placement,
            *(percent(row.predicted[name]) for name in PREDICTORS),
            f"{median(row.times_s):.2f}" if row.times_s else "-",
            f"{min(row.times_s):.2f} to {max(row.times_s):.2f}" if row.times_s else "every run failed",
            percent(row.measured),
        ]
        for row in rows
    ]
    heads = ["<program", "<placement", *(f">{name}" for name in PREDICTORS)]
    heads += [">median s", ">least to greatest", ">measured"]
    print("\n".join(text_table(TITLE, heads, cells)))
    print_accuracy(rows)
    cells = [
        [
            each.program,
            each.over,
            f"{percent(each.predicted)} ({percent(each.low)} to {percent(each.high)})",
            percent(each.measured),
            each.sign,
        ]
        for each in verdicts
    ]
    heads = ["<program", "<over", ">predicted for the run", ">measured", "<sign"]
    print("\n".join(text_table(OWN_TITLE, heads, cells)))
    print(f"\nLoad average {os.getloadavg()[0]:.1f}; {len(os.sched_getaffinity(0))} hardware threads.")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--npb", type=Path, metavar="DIR", help="a folder with NPB's programs (cg.A.x); without it, no NPB"
    )
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="some of %(default)s")
    parser.add_argument("--machine", default="pe1550-fast-ethernet:8", help="default %(default)s")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--random", type=int, default=0, help="random placements besides")
    parser.add_argument("--timeout", type=float, default=120, help="s, of one run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all rows, with every time")
    options = parser.parse_args()
    options.programs = options.programs.split(",")
    if unknown := [name for name in options.programs if name not in PROGRAMS]:
        parser.error(f"there is no program '{unknown[0]}'; expected some of {', '.join(PROGRAMS)}")
    return options


def main() -> None:
    options = parse_options()
    os.environ |= {"OMP_NUM_THREADS": "1"}
    rows: list[Row] = []
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.programs:
            try:
                found = gains(name, PROGRAMS[name], options, Sources(Path(folder), options.npb))
            except (Missing, MissingError) as reason:
                print(f"{name}: left out: {reason}", file=sys.stderr)
                continue
            rows += found[0]
            verdicts += found[1]
            if options.json:  # after each program, so that an interruption loses one at most
                document = {"machine": options.machine, "rows": [asdict(row) for row in rows]}
                document["verdicts"] = [asdict(each) | {"sign": each.sign} for each in verdicts]
                options.json.write_text(json.dumps(document, indent=1) + "\n")
    show("")
    print_tables(rows, verdicts)


if __name__ == "__main__":
    main()
