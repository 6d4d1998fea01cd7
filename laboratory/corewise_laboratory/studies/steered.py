"""Steered runs: a program with two ranks on two cores, of which the first is loaded with protocol work.

Also decisions of steering on synthetic observations of a node, computed.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

import corewise
from corewise import LaunchPlan
from corewise.errors import InputError, MissingError, RunError
from corewise.start.launching import printed_by
from corewise.start.programs import launcher_of
from corewise.steering.machine import LOG_FIRST_LINE
from corewise.steering.replay import intervals, replay

from corewise_laboratory.microbench import bench_command, launcher_start
from corewise_laboratory.packet_work import with_packets_on
from corewise_laboratory.protocol_work import simulated_load
from corewise_laboratory.studies.rows import Row, Rows
from corewise_laboratory.studies.study import Options, Outcome, Runs, kept_or_run, program_files, row_of

COREWISE = str(Path(sys.executable).with_name("corewise"))
SETTLED_S = 3.0  # means start here or at STEADY of a run; the paper's runs take minutes
STEADY = 2 / 3
LONGEST_S = 300.0  # limit for an application
SHARE = 0.3  # of its core's time that a simulated load takes, as the paper's protocol work

# Options to send messages as TCP packets over loopback.
TCP = [
    *("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"),
    *("--mca", "btl_tcp_if_include", "lo", "--mca", "oob_tcp_if_include", "lo"),
]

STEER_OPTIONS = {"watched": ["--dry-run"], "steered": [], "async-progress": ["--async-progress"]}  # by mode
WORK = {
    "none": "without protocol work",
    "packets": "whose first works on all packets that loopback receives",
    "load": f"of whose first a simulated load of protocol work takes {SHARE:.0%}",
}


class RunFailed(RunError):
    """The program failed."""


@dataclass(frozen=True)
class SteeredProgram:
    """A program with two ranks.

    It is the micro-benchmark `bench`, with arguments `command`, or if that is None, the command line
    `command`. Then its output has the numbers: `columns` are patterns with one group by column, including
    `t`. `files`, of programs/, are written to its working directory, and `setup` commands run there first.
    {AXIS} in words and files is replaced by the case's value.
    """

    bench: str | None
    command: list[str]
    files: list[str] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Steered(Runs):
    """Every combination of the values in `vary`, `orders` and `modes`, with protocol work of kind `work`.

    Order: with "straight", rank 0 is on the first core, which has protocol work; with "reversed", on the
    second. Mode: "watched" only observes, "steered" swaps ranks, and
    "async-progress" also starts a progress thread in ranks that need one. `repeats` are by scale, and
    `seconds` are the durations of a micro-benchmark.
    """

    program: SteeredProgram
    work: str
    vary: dict[str, list[str]] = field(default_factory=dict)
    orders: tuple[str, ...] = ("straight",)
    modes: tuple[str, ...] = ("watched", "steered")
    repeats: dict[str, int] = field(default_factory=lambda: {"quick": 1, "full": 5})
    seconds: dict[str, float] = field(default_factory=lambda: {"quick": 6, "full": 12})
    family: str = "openmpi"
    source: ClassVar[str] = "measured"
    starts: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("t", "swaps", "wait_0", "wait_1")

    def run(self, options: Options) -> Outcome:
        """A row for each case, order and mode, with medians of the repeats. Raises MissingError."""
        numbers: dict[tuple[str, ...], list[dict[str, float]]] = {}
        problems: list[str] = []
        axes = (*self.vary, "order", "mode")
        n_repeats = self.repeats[options.scale]
        for repeat, labels in product(
            range(n_repeats), product(*self.vary.values(), self.orders, self.modes)
        ):
            options.tell(f"{', '.join(labels)}, repeat {repeat + 1} of {n_repeats}")
            case = dict(zip(axes, labels, strict=True))
            run = TwoRankRun(self, case, self.seconds[options.scale])
            path = options.folder / "runs" / f"{options.scale}-{'-'.join(labels)}-{repeat}.json"
            try:
                numbers.setdefault(labels, []).append(kept_or_run(path, partial(run_steered, run)))
            except RunFailed as error:
                problems.append(str(error))
        rows = [
            _row(dict(zip(axes, labels, strict=True)), found) for labels, found in numbers.items() if found
        ]
        where = WORK[self.work]
        return Outcome(
            Rows(rows),
            f"measured on two cores of this host, {where}; medians of {n_repeats}",
            failed=bool(problems),
            notes=[
                f"Two ranks on two cores of this host, {where}. straight: rank 0 on the core with the "
                f"protocol work; watched: observed, never swapped; medians of {n_repeats}.",
                *dict.fromkeys(problems),
            ],
        )


def _row(labels: dict[str, str], found: list[dict[str, float]]) -> Row:
    """Medians over the repeats, and the least and greatest time."""
    columns = dict.fromkeys(column for numbers in found for column in numbers)
    values = {column: median(numbers[column] for numbers in found if column in numbers) for column in columns}
    times = [numbers["t"] for numbers in found]
    return row_of(labels, **values, low=min(times), high=max(times))


@dataclass(frozen=True)
class TwoRankRun:
    """A run: `case` has `order`, `mode` and the values for {AXIS}; `seconds` are for a micro-benchmark."""

    runs: Steered
    case: dict[str, str]
    seconds: float

    @property
    def program(self) -> SteeredProgram:
        """The program of the runs."""
        return self.runs.program


def run_steered(run: TwoRankRun) -> dict[str, float]:
    """Runs the program; returns numbers by column, from its output and `_watched_columns`.

    For a micro-benchmark, `t` is the mean time of a step in the last third of the run, and `settled` that
    after SETTLED_S, s. Raises MissingError, RunFailed.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "log"
        argv = _command(run, folder, log)
        if run.runs.work == "packets":
            cpu, sender_cpu = _cpus()
            argv = with_packets_on(cpu, sender_cpu, argv)
        at_work = simulated_load(SHARE, _cpus()[0]) if run.runs.work == "load" else nullcontext()
        with at_work:
            printed, document = _output(argv, folder, run.seconds + 60 if run.program.bench else LONGEST_S)
        return _told(run, printed) | _watched_columns(json.loads(document))


def _cpus() -> list[int]:
    """OS indices of a CPU of each of the first two cores. Raises MissingError on a machine with one core."""
    machine = corewise.machine()
    if machine.n_cores < 2:
        raise MissingError("there is one core here; expected two, for ranks that may be swapped")
    return [int(machine.os_pus(core)[0]) for core in range(2)]


def _command(run: TwoRankRun, folder: Path, log: Path) -> list[str]:
    program = run.program
    if program.bench is None and shutil.which(program.command[0]) is None:
        raise MissingError(f"{program.command[0]} was not found; expected it on PATH")
    for name, text in program_files(program.files, run.case).items():
        (folder / name).write_text(text)
    for line in program.setup:
        _set_up([word.format(**run.case) for word in line.split()], folder)
    binding = _binding(run, folder)
    if run.runs.work == "packets":
        binding += TCP
    words = [word.format(**run.case) for word in program.command]
    if program.bench is not None:
        words += ["--seconds", str(run.seconds)]
        launch = bench_command(program.bench, run.runs.family, 2, words)
    else:
        launch = [*launcher_start(run.runs.family, 2), *words]
    launch[1:1] = binding
    return [COREWISE, "steer", "--json", *STEER_OPTIONS[run.case["mode"]], "-o", str(log), "--", *launch]


def _binding(run: TwoRankRun, folder: Path) -> list[str]:
    """Options that bind rank 0 to the first core and rank 1 to the second, or reversed.

    Open MPI 4.1.4 needs a rankfile: with --cpu-list 1,0, rank 0 is on core 0.
    """
    cores = [0, 1] if run.case["order"] == "straight" else [1, 0]
    binding = launcher_of(run.runs.family)[1].binding
    if binding.rankfile:
        lines = [f"rank {rank}=localhost slot={core}" for rank, core in enumerate(cores)]
        (folder / "rankfile").write_text("\n".join(lines) + "\n")
        return [word.format(path=folder / "rankfile") for word in binding.rankfile.split()]
    if binding.on_threads is None:
        raise InputError(f"corewise knows no options of {run.runs.family}'s launcher that bind ranks")
    return binding.on_threads([_cpus()[core] for core in cores], cores, "")


def _set_up(words: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise MissingError(f"{words[0]} could not be started ({error.strerror})") from error
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise RunFailed(f"`{' '.join(words)}` ended with {done.returncode}: {said}")


def _output(argv: list[str], folder: Path, timeout_s: float) -> tuple[str, str]:
    """The whole output, and standard output alone."""
    words = ["env", "-C", str(folder), *argv]
    code, document, messages = printed_by(LaunchPlan(words), timeout_s)
    if code != 0:
        last = (messages.strip().splitlines() or ["it said nothing"])[-1]
        raise RunFailed(f"`{' '.join(argv)}` ended with exit code {code}: {last}")
    return f"{document}\n{messages}", document


def _told(run: TwoRankRun, printed: str) -> dict[str, float]:
    if run.program.bench is not None:
        return _of_samples(run, printed)
    found = {}
    for column, pattern in run.program.columns.items():
        match = re.search(pattern, printed)
        if match is None:
            raise RunFailed(f"{run.program.command[0]} printed nothing like '{pattern}'")
        found[column] = float(match[1])
    return found


def _of_samples(run: TwoRankRun, printed: str) -> dict[str, float]:
    kept = [line for line in printed.splitlines() if line.startswith(("benchmark,", f"{run.program.bench},"))]
    row = next(csv.DictReader(kept), None)
    if row is None:
        raise RunFailed(f"{run.program.bench} printed no row")
    samples = [float(word) for word in row["samples_s"].split()]
    settled = SETTLED_S / run.seconds if run.seconds > 2 * SETTLED_S else 0.5
    return {"t": mean_behind(samples, STEADY), "settled": mean_behind(samples, settled)}


def mean_behind(samples: list[float], part: float) -> float:
    """The mean of the samples after the fraction `part` of the total time, or else the last one."""
    begin, whole = 0.0, sum(samples)
    kept = []
    for sample in samples:
        if begin >= part * whole:
            kept.append(sample)
        begin += sample
    kept = kept or samples[-1:]
    return sum(kept) / len(kept)


def _watched_columns(document: dict[str, Any]) -> dict[str, float]:
    """Numbers from corewise's document and logs, by column.

    `swaps` and `rollbacks`, and fractions of rank R's time in the last third of the run: `wait_R`, waiting,
    and `unsent_R`, computing while a send was incomplete."""
    columns = {key: float(document[key]) for key in ("swaps", "rollbacks")}
    seen = [interval for log in document["logs"] for interval in intervals(Path(log))]
    end_s = max((interval.time_s for interval in seen), default=0.0)
    whole: dict[int, float] = {}
    for interval in seen:
        for rank in interval.ranks if interval.time_s >= STEADY * end_s else []:
            whole[rank.id] = whole.get(rank.id, 0) + rank.compute_s + rank.wait_s + rank.transfer_s
            for column, value in (("wait", rank.wait_s), ("unsent", rank.unsent_compute_s)):
                columns[f"{column}_{rank.id}"] = columns.get(f"{column}_{rank.id}", 0.0) + value
    for number, time_s in whole.items():
        for column in (f"wait_{number}", f"unsent_{number}"):
            columns[column] = columns[column] / time_s if time_s > 0 else 0.0
    return columns


INTERVAL_NS = 50_000_000
N_INTERVALS = 8  # two windows, in case the first isn't enough for a decision
CALLS = 100
# 30 % of an interval, with 700 ns per packet (preload/steer/settings.def).
PACKETS = 21_400


@dataclass(frozen=True, kw_only=True)
class Decisions(Runs):
    """Decisions of steering on synthetic observations of a node: a row for each pair of waits.

    `cores` have the fields of "core" lines in a steering log; the first processes the node's packets. Rank i
    is on core i. `waits` has fractions of time by name, for ranks 0 and 1. All other ranks wait `others`.
    """

    cores: list[str]
    waits: dict[str, float]
    others: float
    columns: ClassVar[tuple[str, ...]] = ("swaps",)

    def run(self, options: Options) -> Outcome:
        """Rows with `swaps`, and the ranks that come to core 0 and leave it, or -1."""
        rows = [self._row(*names) for names in product(self.waits, repeat=2)]
        return Outcome(
            Rows(rows), "as steering's decision function answers to made observations of such a node"
        )

    def _row(self, on_first: str, on_second: str) -> Row:
        waits = [self.waits[on_first], self.waits[on_second], *[self.others] * (len(self.cores) - 2)]
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "made.steer-log"
            log.write_text(made_log(self.cores, waits))
            decisions = replay(log).decisions
        swaps = [decision.ranks for decision in decisions if decision.action == "swap"]
        comes, leaves = swaps[0] if swaps else (-1, -1)
        values = {"swaps": float(len(swaps)), "comes": float(comes), "leaves": float(leaves)}
        return Row({"protocol_core": on_first, "elsewhere": on_second}, values)


def made_log(cores: list[str], waits: list[float]) -> str:
    """A steering log. Rank i on core i waits the fraction `waits[i]` of its time, and computes otherwise.

    Core 0 processes packets for 30 % of its time."""
    lines = [LOG_FIRST_LINE, *(f"core id={number} {fields}" for number, fields in enumerate(cores))]
    for number in range(1, N_INTERVALS + 1):
        lines.append(f"tick number={number} time_ns={number * INTERVAL_NS} length_ns={INTERVAL_NS}")
        for rank, wait in enumerate(waits):
            waited = round(wait * INTERVAL_NS)
            lines.append(
                f"rank id={rank} core={rank} compute_ns={INTERVAL_NS - waited} wait_ns={waited} calls={CALLS}"
            )
        lines += [f"load core=0 packets={PACKETS}", "decide"]
    return "\n".join(lines) + "\n"
