"""Errors of predictions, and the bounds that enclose a given fraction of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations
from math import exp, log
from pathlib import Path
from statistics import median

from corewise.errors import InputError
from corewise.files.model_errors import FORMAT, VERSION
from corewise.files.whole_file import write_whole
from predictors import Prediction
from store import Truth

CONFIDENCE = 0.8
ROUNDING = 1e-9  # tolerance for sums of fractions

Judged = Sequence[tuple[Truth, dict[str, list[Prediction]]]]


@dataclass(frozen=True)
class Found:
    """Errors of one kind by program; each program has at least one."""

    of_program: dict[str, list[float]]

    @property
    def n_found(self) -> int:
        return sum(map(len, self.of_program.values()))

    def bounds(self) -> tuple[float, float]:
        """The bounds of the middle fraction CONFIDENCE of the errors, extended to include 1."""
        tail = (1 - CONFIDENCE) / 2
        return min(1.0, -self._quantile(1 - tail, -1)), max(1.0, self._quantile(1 - tail))

    def _quantile(self, share: float, sign: int = 1) -> float:
        """The `share` quantile of the errors times `sign`, with the same weight for each program.

        Errors within a program resemble each other, so a program with more placements says no more about the
        next program (Dunn, Wasserman, Ramdas, JASA 118 (2023): pooled distribution functions).
        covered_by_others() shows what such bounds are worth with few programs.
        """
        weighted = sorted(
            (sign * error, 1 / len(errors) / len(self.of_program))
            for errors in self.of_program.values()
            for error in errors
        )
        below = accumulate(weight for _, weight in weighted)
        reached = (
            error for (error, _), sum_of in zip(weighted, below, strict=True) if sum_of > share - ROUNDING
        )
        return next(reached)


# The definition of each kind of error.
MEANING = {
    "makespan": "measured over estimated time, of programs whose every rank has its own hardware thread",
    "gain": "measured over expected ratio of two placements' times, the one expected to take longer on top",
}


def found_errors(judged: Judged) -> dict[str, Found]:
    """Errors by kind (MEANING), without kinds that no program has.

    Gains: only of programs placed by their point-to-point traffic. For other programs measured and expected
    ratios were unrelated, and corewise claims no confidence. The errors include the noise of the measured
    medians, because users measure medians too.
    """
    makespan: dict[str, list[float]] = defaultdict(list)  # on all networks
    gain: dict[str, list[float]] = defaultdict(list)
    for truth, predictions in judged:
        if "estimate" in predictions and truth.has_processor_each:
            makespan[truth.program] += _makespan_ratios(truth, predictions["estimate"])
        if "time (run)" in predictions and truth.layer == "p2p":
            gain[truth.program] += _ratio_errors(truth, predictions["time (run)"])
    found = {"makespan": makespan, "gain": gain}
    with_some = {
        kind: {program: errors for program, errors in by_program.items() if errors}
        for kind, by_program in found.items()
    }
    return {kind: Found(by_program) for kind, by_program in with_some.items() if by_program}


def covered_by_others(judged: Judged) -> dict[str, dict[str, float]]:
    """By kind and program: the fraction of its errors within the bounds of all other programs' errors.

    This estimates how many values an interval contains for a program that nobody has measured.
    """
    covered: dict[str, dict[str, float]] = {}
    for program in dict.fromkeys(truth.program for truth, _ in judged):
        same = [one for one in judged if one[0].program == program]
        others = found_errors([one for one in judged if one[0].program != program])
        for kind, own in found_errors(same).items():
            if kind not in others:
                continue
            low, high = others[kind].bounds()
            errors = own.of_program[program]
            inside = sum(low <= error <= high for error in errors)
            covered.setdefault(kind, {})[program] = inside / len(errors)
    return covered


def _makespan_ratios(truth: Truth, predictions: list[Prediction]) -> list[float]:
    return [
        median(one.times_s) / predicted.value[0]
        for one, predicted in zip(truth.placements, predictions, strict=True)
        if one.times_s
    ]


def _ratio_errors(truth: Truth, predictions: list[Prediction]) -> list[float]:
    """Measured over expected ratio of the times of each two placements with measured times.

    The time that is expected to be longer is the numerator. If both are expected to be equal, both ratios
    count.
    """
    ran = [
        (log(1 - predicted.gain), log(median(one.times_s)))
        for one, predicted in zip(truth.placements, predictions, strict=True)
        if one.times_s
    ]
    return [
        exp((seen - other_seen) - (said - other_said))
        for (said, seen), (other_said, other_seen) in permutations(ran, 2)
        if said >= other_said
    ]


def write_errors(path: Path, judged: Judged, conditions: str) -> None:
    """Rewrites python/corewise/files/model_errors.toml; raises InputError without errors of gains."""
    found = found_errors(judged)
    if "gain" not in found:
        raise InputError(
            "no program has errors of gains; expected several placements of one that sends point to point, "
            "and time (run) among --predictors"
        )
    lines = [
        "# How far corewise's predictions were off (docs/evidence/predictions.md).",
        f'format = "{FORMAT}"',
        f"version = {VERSION}",
        f"confidence = {CONFIDENCE}",
        f'source = "laboratory/benchmarks/truth/judge.py --write-errors: {conditions}"',
    ]
    for kind, errors in found.items():
        low, high = errors.bounds()
        names = ", ".join(f'"{program}"' for program in errors.of_program)
        lines += ["", f"# {MEANING[kind]}", f"[{kind}]", f"low = {low:.3f}", f"high = {high:.3f}"]
        lines += [f"programs = [{names}]", f"n_found = {errors.n_found}"]
    write_whole(path, "\n".join(lines) + "\n")
