"""The micro-benchmarks of ../microbench/: a list, their command lines, and their output."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from corewise import LaunchPlan
from corewise.errors import InputError, MissingError, RunError, did_you_mean
from corewise.start.launching import printed_by
from corewise.start.programs import launcher_of

from corewise_laboratory.native import FAMILIES, native


@dataclass(frozen=True)
class Microbench:
    """A description, and the default number of ranks."""

    sentence: str
    n_ranks: int = 4


# Sorted by name. Each is a program of ../microbench/, which prints its options with --help.
MICROBENCHES = {
    "binomial": Microbench("binomial-tree broadcast; --order paper or mpich (SMP-CMP paper)"),
    "cache-locality": Microbench(
        "some ranks of a node talk to the other node; --load L --talkers N (SyMMer paper)", 8
    ),
    "idleness": Microbench(
        "pairs compute for unlike times and exchange; --ratio R --load-ms L (SyMMer paper)"
    ),
    "out-of-sync": Microbench("large transfers, each followed by computation; --load-ms L (SyMMer paper)", 2),
    "pingpong": Microbench("latency and bandwidth between two ranks, by message size", 2),
    "random": Microbench(
        "random pairs; --ranks-per-node K --intra-node N --ratio R --seed S (SMP-CMP paper)"
    ),
    "recursive-doubling": Microbench("all-gather by exchanges of doubling size (SMP-CMP paper)"),
    "ring": Microbench("all-gather around a logical ring (SMP-CMP paper)"),
}


class BenchFailed(RunError):
    """The micro-benchmark started, but failed."""


def microbench(name: str) -> Microbench:
    """The micro-benchmark with this name; raises InputError, which suggests a similar name."""
    if name not in MICROBENCHES:
        known = ", ".join(MICROBENCHES)
        raise InputError(
            f"there is no micro-benchmark '{name}' (there are {known}){did_you_mean(name, MICROBENCHES)}"
        )
    return MICROBENCHES[name]


def bench_command(name: str, family: str | None, n_ranks: int | None, options: Sequence[str]) -> list[str]:
    """The launch command, by default with the first MPI family with a launcher and the built program.

    Raises InputError for a wrong name, MissingError.
    """
    n_ranks = n_ranks or microbench(name).n_ranks
    families = [family] if family else FAMILIES
    return [*first_complete(f"microbench-{{family}}/{name}", families, n_ranks), *options]


def launcher_start(family: str, n_ranks: int) -> list[str]:
    """The family's launcher with options to start `n_ranks` ranks here.

    There may be more ranks than cores, and the user may be root, which Open MPI refuses without an option.
    Raises MissingError.
    """
    executable, launcher = launcher_of(family)
    as_root = launcher.as_root if os.geteuid() == 0 else ""
    flags = [*launcher.shares_cores.split(), *as_root.split()]
    return [executable, *flags, *launcher.options.ranks(n_ranks)]


def run_bench(name: str, argv: list[str], timeout_s: float) -> list[dict[str, str]]:
    """Runs the command; returns its CSV rows as text by column. Raises the same errors as bench_output.

    It doesn't use the csv module, which refuses fields over 128 KiB: all samples of a run are one field. Our
    programs quote nothing.
    """
    lines = [line.split(",") for line in bench_output(name, argv, timeout_s).splitlines()]
    return [dict(zip(lines[0], row, strict=True)) for row in lines[1:]]


def bench_output(name: str, argv: list[str], timeout_s: float) -> str:
    """Runs the command; returns its output: CSV rows, or help for --help.

    Raises InputError with the program's message if it refused its options, BenchFailed, and the errors of
    start.
    """
    code, output, messages = printed_by(LaunchPlan(argv), timeout_s)
    if code != 0:
        words = [line.strip() for line in messages.splitlines() if line.strip()]
        own = [line for line in words if line.startswith(f"{name}: ")]
        if own:
            raise (InputError if code == 2 else BenchFailed)(own[0])
        last = words[-1] if words else "it said nothing"
        raise BenchFailed(f"{name} ended with exit code {code}: {last}")
    return output


def first_complete(program: str, families: Sequence[str], n_ranks: int) -> list[str]:
    """launcher_start() and the native program's path, for the first family that has both.

    `program` contains {family}. Raises the first family's MissingError if no family has both.
    """
    first_error: MissingError | None = None
    for family in families:
        try:
            found = native(program.format(family=family))
            return [*launcher_start(family, n_ranks), found]
        except MissingError as error:
            first_error = first_error or error
    assert first_error is not None  # `families` is not empty
    raise first_error
