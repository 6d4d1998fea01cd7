"""Compares every predictor of placements with the stored measurements (measure.py), in minutes.

    python laboratory/benchmarks/truth/judge.py [DATA] [--predictors A,B] [--write-errors FILE]

A table for each program, one over the programs that the model may be fitted with, one over those held out.
For each predictor: Spearman's rank correlation with the measured medians (least and median over the
programs); of the pairs of placements whose medians' intervals are apart those in the right order, a pair that
is not told apart counting as wrong; the gain over block order, 1 - t / t_block, measured - predicted: the
median of its size, and the share within ten points; and how many intervals hold what was measured. A last
table says what the best placement by each objective takes above the fastest one. After the tables come how
many errors of each program lie within the bounds of all others' errors. Runs that shared the machine with
other programs are left out. --write-errors keeps the errors of all programs, for the intervals of `simulate`
and `advise`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from statistics import fmean, median

from accuracy import Accuracy, above_best, accuracy
from corewise.errors import CorewiseError
from corewise.text.table import text_table
from errors import MEANING, covered_by_others, write_errors
from predictors import PREDICTORS, Case, Prediction
from sides import is_held_out
from store import DATA, Truth, load

HEADS = [
    "<predictor", ">Spearman", ">least", ">pairs", ">right", ">tied", ">median error", ">within 10 points",
    ">covered",
]  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A program with the predictions of each predictor, or the reason why it gives none."""

    truth: Truth
    predictions: dict[str, list[Prediction]]
    left_out: dict[str, str]

    @property
    def held_out(self) -> bool:
        return is_held_out(self.truth.program)

    def accuracies(self) -> dict[str, Accuracy]:
        """By predictor."""
        return {name: accuracy(self.truth, found) for name, found in self.predictions.items()}


def judge(case: Case, names: Sequence[str]) -> Judged:
    """Runs each predictor; one that fails is left out with the reason."""
    predictions, left_out = {}, {}
    for name in names:
        try:
            predictions[name] = PREDICTORS[name](case)
        except CorewiseError as error:
            left_out[name] = str(error)
    return Judged(case.truth, predictions, left_out)


def table(title: str, accuracies: dict[str, Accuracy]) -> list[str]:
    """Lines of one table, a row for each predictor."""
    return text_table(title, HEADS, [[name, *cells(found)] for name, found in accuracies.items()])


def cells(found: Accuracy) -> list[str]:
    ranks, errors = found.spearman, [abs(error) for error in found.gain_errors]
    return [
        f"{median(ranks):.2f}" if ranks else "-",
        f"{min(ranks):.2f}" if ranks else "-",
        str(found.n_pairs),
        share(found.n_right, found.n_pairs),
        str(found.n_tied),
        f"{median(errors) * 100:.0f} points" if errors else "-",
        share(found.n_near, len(errors)),
        share(found.n_covered, found.n_intervals),
    ]


def share(n: int, of: int) -> str:
    return f"{n / of * 100:.0f} %" if of else "-"


def summary(title: str, judged: list[Judged]) -> list[str]:
    """One table over several programs; a predictor that was left out for one has fewer pairs."""
    names = dict.fromkeys(name for one in judged for name in one.predictions)
    by_predictor = {
        name: reduce(add, [one.accuracies()[name] for one in judged if name in one.predictions])
        for name in names
    }
    programs = ", ".join(one.truth.program for one in judged)
    return table(f"{title}: {programs}", by_predictor)


# What a user may take as best, or as it comes. Nodes are all that is emulated, so the best by link-load,
# which leaves every rank on its node of block order, is block order.
CHOICES = ("time", "hop-bytes", "congestion", "block", "round-robin", "spread")
TIMED = ("measured", "smpi")


def costs(judged: list[Judged]) -> list[str]:
    """A table of how much longer each choice's placement takes than the fastest of its program."""
    by_source: dict[str, list[dict[str, float]]] = {source: [] for source in TIMED}
    for one in judged:
        for source, times_s in (("measured", measured_s(one)), ("smpi", simulated_s(one))):
            if times_s:
                by_source[source].append(above_best(one.truth, times_s))
    heads = ["<placement"] + [f">{source}, {what}" for source in TIMED for what in ("mean", "worst")]
    rows = []
    for name in CHOICES:
        found = [[cost[name] for cost in by_source[source] if name in cost] for source in TIMED]
        rows.append([name, *(percent(of(some) if some else None) for some in found for of in (fmean, max))])
    counted = ", ".join(f"{source} {len(found)} programs" for source, found in by_source.items())
    return text_table(f"Above the fastest placement of each program ({counted})", heads, rows)


def measured_s(one: Judged) -> dict[int, float]:
    """Measured medians by the placement's index, s."""
    ran = enumerate(one.truth.placements)
    return {number: median(found.times_s) for number, found in ran if found.times_s}


def simulated_s(one: Judged) -> dict[int, float]:
    """SMPI's times by the placement's index, s; empty if it did not run."""
    return {number: found.value[0] for number, found in enumerate(one.predictions.get("smpi", []))}


def coverage(judged: list[Judged]) -> list[str]:
    """A line for each kind of error: the fraction of a program's errors within the bounds of the others."""
    lines = ["Within the bounds of all other programs' errors, mean of the programs:"]
    for kind, covered in covered_by_others([(one.truth, one.predictions) for one in judged]).items():
        each = ", ".join(f"{program} {percent(part)}" for program, part in covered.items())
        lines.append(f"  {kind} ({MEANING[kind]}): {percent(fmean(covered.values()))}; {each}")
    return lines if len(lines) > 1 else []


def percent(fraction: float | None) -> str:
    return "-" if fraction is None else f"{fraction * 100:.0f} %"


def conditions(truths: list[Truth]) -> str:
    """A sentence on what was measured, when and where."""
    n_runs = sum(len(one.times_s) for truth in truths for one in truth.placements)
    n_placements = sum(len(truth.placements) for truth in truths)
    dates = sorted({truth.date for truth in truths})
    return (
        f"{len(truths)} programs, {n_placements} placements, {n_runs} runs; "
        f"machine {', '.join(sorted({truth.machine for truth in truths}))} on "
        f"{', '.join(sorted({str(truth.n_processors) for truth in truths}))} hardware threads; "
        f"{' to '.join(dict.fromkeys([dates[0], dates[-1]]))}."
    )


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "data", type=Path, nargs="?", default=DATA, metavar="DATA", help="default %(default)s"
    )
    parser.add_argument("--predictors", default=",".join(PREDICTORS), help="some of %(default)s")
    parser.add_argument("--programs", help="some of those in DATA; default all")
    parser.add_argument("--write-errors", type=Path, metavar="FILE", help="takes the errors of all programs")
    return parser.parse_args()


def chosen(options: argparse.Namespace) -> list[Truth]:
    """The chosen programs with at least two measured placements; prints the names of the others."""
    truths = load(options.data)
    if options.programs:
        truths = [truth for truth in truths if truth.program in options.programs.split(",")]
    usable = [truth for truth in truths if truth.baseline.times_s and truth.n_ran > 1]
    for truth in truths:
        if truth not in usable:
            name = f"{truth.program} on {truth.machine}"
            print(f"{name}: not measured on an idle machine ({truth.n_busy} busy runs)")
    if not usable:
        sys.exit(f"{options.data}: no program was measured on an idle machine; run measure.py first")
    return usable


def main() -> None:
    options = parse_options()
    truths = chosen(options)
    judged = []
    for truth in truths:
        with Case.of(options.data, truth) as case:
            one = judge(case, options.predictors.split(","))
        judged.append(one)
        kind = "held out" if one.held_out else "fitted with"
        print("\n".join(table(f"{truth.program} on {truth.machine} ({kind})", one.accuracies())))
        for name, reason in one.left_out.items():
            print(f"{name}: left out: {reason}")
    fitted, held_out = ([one for one in judged if one.held_out is side] for side in (False, True))
    print("\n".join(summary("Programs that the model may be fitted with", fitted) if fitted else []))
    print("\n".join(summary("Programs held out", held_out) if held_out else []))
    print("\n".join(costs(judged)))
    print("\n".join(coverage(judged)))
    print(f"\n{conditions(truths)}")
    if options.write_errors:
        write_errors(
            options.write_errors, [(one.truth, one.predictions) for one in judged], conditions(truths)
        )


if __name__ == "__main__":
    main()
