"""Runs a program with two ranks on two cores, of which the first is loaded with protocol work."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corewise
from corewise import LaunchPlan
from corewise.errors import InputError, MissingError, RunError
from corewise.plugin.execution import intervals, launcher_of, printed_by

from corewise_laboratory.microbench import bench_command, launcher_start
from corewise_laboratory.packet_work import with_packets_on
from corewise_laboratory.protocol_work import simulated_load
from corewise_laboratory.studies.steered_spec import ProtocolWork, SteeredProgram

COREWISE = str(Path(sys.executable).with_name("corewise"))
SETTLED_S = 3.0  # means start here or at STEADY of a run; the paper's runs take minutes
STEADY = 2 / 3
LONGEST_S = 300.0  # limit for an application

# Options to send messages as TCP packets over loopback.
TCP = {
    "openmpi": [
        *("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"),
        *("--mca", "btl_tcp_if_include", "lo", "--mca", "oob_tcp_if_include", "lo"),
    ]
}

STEER_OPTIONS = {"watched": ["--dry-run"], "steered": [], "async-progress": ["--async-progress"]}  # by mode


class RunFailed(RunError):
    """The program failed."""


@dataclass(frozen=True)
class TwoRankRun:
    """`order` and `mode` as in steered_spec; `values` replace {AXIS}; `seconds` is for a micro-benchmark."""

    program: SteeredProgram
    work: ProtocolWork
    family: str
    order: str
    mode: str
    values: dict[str, str]
    seconds: float


def run_steered(run: TwoRankRun) -> dict[str, float]:
    """Runs the program; returns numbers by column, from its output and `_watched_columns`.

    For a micro-benchmark, `t` is the mean time of a step in the last third of the run, and `settled` that
    after SETTLED_S, s. Raises MissingError, RunFailed.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "log"
        argv = _command(run, folder, log)
        if run.work.kind == "packets":
            cpu, sender_cpu = _cpus()
            argv = with_packets_on(cpu, sender_cpu, argv)
        at_work = simulated_load(run.work.share, _cpus()[0]) if run.work.kind == "load" else nullcontext()
        with at_work:
            printed, document = _output(argv, folder, run.seconds + 60 if run.program.bench else LONGEST_S)
        columns = _told(run, printed)
        if run.mode != "plain":
            columns |= _watched_columns(json.loads(document))
        return columns


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
    for name, text in program.files.items():
        (folder / name).write_text(text.format(**run.values))
    for words in program.setup:
        _set_up([word.format(**run.values) for word in words], folder)
    binding = _binding(run, folder)
    if run.work.kind == "packets":
        if run.family not in TCP:
            raise InputError(f"packets with {run.family}; expected {', '.join(TCP)}")
        binding += TCP[run.family]
    words = [word.format(**run.values) for word in program.command]
    if program.bench is not None:
        words += ["--seconds", str(run.seconds)]
        launch = bench_command(program.bench, run.family, 2, words)
    else:
        launch = [*launcher_start(run.family, 2), *words]
    launch[1:1] = binding
    if run.mode == "plain":
        return launch
    return [COREWISE, "steer", "--json", *STEER_OPTIONS[run.mode], "-o", str(log), "--", *launch]


def _binding(run: TwoRankRun, folder: Path) -> list[str]:
    """Options that bind rank 0 to the first core and rank 1 to the second, or reversed.

    Open MPI 4.1.4 needs a rankfile: with --cpu-list 1,0, rank 0 is on core 0.
    """
    cores = [0, 1] if run.order == "straight" else [1, 0]
    binding = launcher_of(run.family)[1].binding
    if binding.rankfile:
        lines = [f"rank {rank}=localhost slot={core}" for rank, core in enumerate(cores)]
        (folder / "rankfile").write_text("\n".join(lines) + "\n")
        return [word.format(path=folder / "rankfile") for word in binding.rankfile.split()]
    if binding.on_threads is None:
        raise InputError(f"corewise knows no options of {run.family}'s launcher that bind ranks")
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
