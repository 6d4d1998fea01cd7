"""The errors of predictions on the tuning programs, as bounds that a share of them lies within."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import exp, log
from pathlib import Path
from statistics import median

from corewise.errors import InputError
from corewise.files.model_errors import FORMAT, VERSION
from corewise.files.whole_file import write_whole
from predictors import Prediction
from store import Truth

CONFIDENCE = 0.8
ROUNDING = 1e-9  # of shares of a number of errors
APART = 0.05  # logarithm of a predicted ratio: below it, what was measured is mostly something else's doing

Judged = Sequence[tuple[Truth, dict[str, list[Prediction]]]]


@dataclass(frozen=True)
class Found:
    """Errors of one kind, by program; each has some."""

    of_program: dict[str, list[float]]

    @property
    def n_found(self) -> int:
        return sum(map(len, self.of_program.values()))

    def bounds(self) -> tuple[float, float]:
        """Between which CONFIDENCE of the errors lie, as many left out on either side; and 1."""
        tail = (1 - CONFIDENCE) / 2
        return min(1.0, -self._quantile(1 - tail, -1)), max(1.0, self._quantile(1 - tail))

    def farthest(self) -> float:
        """What CONFIDENCE of the errors don't exceed."""
        return self._quantile(CONFIDENCE)

    def _quantile(self, share: float, sign: int = 1) -> float:
        """The least error, times `sign`, that `share` of them don't exceed; every program weighs alike.

        Errors of one program are more alike than those of several, and one that ran under more placements
        tells no more of the next program (Dunn, Wasserman, Ramdas, JASA 118 (2023): pooled distribution
        functions). That holds for many programs; of a few, the coverage on others has to be looked at.
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


def makespan_ratios(judged: Judged) -> Found:
    """Measured over estimated makespans."""
    return _by_program(
        judged,
        "estimate",
        lambda truth, predictions: [
            median(one.times_s) / predicted.value[0]
            for one, predicted in zip(truth.placements, predictions, strict=True)
            if one.times_s
        ],
    )


def exponents(judged: Judged) -> Found:
    """Of each two placements that are told apart, k: their times have the ratio r^k where r is expected."""
    return _by_program(
        judged,
        "time (run)",
        lambda *program: [
            measured / expected for expected, measured in _log_ratios(*program) if expected >= APART
        ],
    )


def alike(judged: Judged) -> Found:
    """The factor between measured and expected ratio of each two placements that are not told apart."""
    return _by_program(
        judged,
        "time (run)",
        lambda *program: [
            exp(abs(measured - expected)) for expected, measured in _log_ratios(*program) if expected < APART
        ],
    )


def _log_ratios(truth: Truth, predictions: list[Prediction]) -> list[tuple[float, float]]:
    """Of each two placements that ran, logarithms of the expected ratio of their times, the longer one over
    the shorter, and of the measured one of the same two."""
    ran = [
        (log(1 - predicted.gain), log(median(one.times_s)))
        for one, predicted in zip(truth.placements, predictions, strict=True)
        if one.times_s
    ]
    return [(abs(a[0] - b[0]), a[1] - b[1] if a[0] >= b[0] else b[1] - a[1]) for a, b in combinations(ran, 2)]


def _by_program(judged: Judged, predictor: str, errors_of) -> Found:
    errors = {
        truth.program: errors_of(truth, predictions[predictor])
        for truth, predictions in judged
        if predictor in predictions
    }
    found = {program: of_program for program, of_program in errors.items() if of_program}
    if not found:
        raise InputError(
            f"no tuning program has errors of the predictor '{predictor}'; expected one with several "
            "placements, and that predictor among --predictors"
        )
    return Found(found)


def write_errors(path: Path, judged: Judged, conditions: str) -> None:
    """Writes python/corewise/files/model_errors.toml anew; raises InputError where a kind has no errors."""
    lines = [
        "# How far corewise's predictions were off (docs/truth.md).",
        f'format = "{FORMAT}"',
        f"version = {VERSION}",
        f"confidence = {CONFIDENCE}",
        f'source = "benchmarks/truth/judge.py --write-errors: {conditions}"',
    ]
    of_time, of_gain, of_alike = makespan_ratios(judged), exponents(judged), alike(judged)
    kinds = [
        ("makespan", "measured over estimated time", of_time, of_time.bounds()),
        (
            "exponent",
            "k: the measured ratio of two placements' times is r^k, r expected",
            of_gain,
            of_gain.bounds(),
        ),
        (
            "alike",
            f"measured over expected ratio, of placements expected within {APART * 100:.0f} % of each other",
            of_alike,
            (1 / of_alike.farthest(), of_alike.farthest()),
        ),
    ]
    for key, meaning, found, (low, high) in kinds:
        names = ", ".join(f'"{program}"' for program in found.of_program)
        lines += ["", f"# {meaning}", f"[{key}]", f"low = {low:.3f}", f"high = {high:.3f}"]
        lines += [f"programs = [{names}]", f"n_found = {found.n_found}"]
    write_whole(path, "\n".join(lines) + "\n")
