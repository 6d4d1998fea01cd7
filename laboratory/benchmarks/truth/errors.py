"""The errors of predictions, as bounds that a share of them lies within."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import copysign, exp, hypot, log, sqrt
from pathlib import Path
from statistics import median

from corewise.errors import InputError
from corewise.files.model_errors import FORMAT, VERSION
from corewise.plugin.documents import write_whole
from predictors import Prediction
from store import Truth

CONFIDENCE = 0.8
ROUNDING = 1e-9  # of shares of a number of errors
APART = 0.05  # logarithm of a predicted ratio: below it, what was measured is mostly something else's doing

Judged = Sequence[tuple[Truth, dict[str, list[Prediction]]]]


@dataclass(frozen=True)
class Found:
    """Errors of one kind, by program; each has some.

    `is_factor`: they are at least 1, for there is no order.
    """

    of_program: dict[str, list[float]]
    is_factor: bool = False

    @property
    def n_found(self) -> int:
        return sum(map(len, self.of_program.values()))

    def bounds(self) -> tuple[float, float]:
        """Between which CONFIDENCE of the errors lie, as many left out on either side; and 1."""
        if self.is_factor:
            farthest = self._quantile(CONFIDENCE)
            return 1 / farthest, farthest
        tail = (1 - CONFIDENCE) / 2
        return min(1.0, -self._quantile(1 - tail, -1)), max(1.0, self._quantile(1 - tail))

    def _quantile(self, share: float, sign: int = 1) -> float:
        """The least error, times `sign`, that `share` of them don't exceed; every program weighs alike.

        Errors of one program are more alike than those of several, and one that ran under more placements
        tells no more of the next program (Dunn, Wasserman, Ramdas, JASA 118 (2023): pooled distribution
        functions). Of a few programs, see covered_by_others.
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


# What an error of each kind is.
MEANING = {
    "makespan": "measured over estimated time",
    "exponent": "k: measured was r^k at least, but for `alike`, where the ratio r of two times was expected",
    "alike": f"measured over expected ratio, of placements expected within {APART * 100:.0f} % of each other",
}


def found_errors(judged: Judged, alike_factor: float | None = None) -> dict[str, Found]:
    """Errors by kind, of MEANING; kinds that no program has are left out.

    Those of gains are of programs placed by what they send point to point: of the others measured and
    expected ratios had nothing to do with each other, and no confidence is claimed.
    The interval of a gain adds what exponents and `alike` leave open as squares do. So a pair's exponent is
    the one with which that interval ends where it was measured: 1 if `alike` alone holds it.
    `alike_factor` is the bound of `alike` there, None: that of these programs.
    """
    makespan: dict[str, list[float]] = defaultdict(list)  # of a program on all networks
    apart: dict[str, list[tuple[float, float]]] = defaultdict(list)
    close: dict[str, list[float]] = defaultdict(list)
    for truth, predictions in judged:
        if "estimate" in predictions:
            makespan[truth.program] += _makespan_ratios(truth, predictions["estimate"])
        if "time (run)" in predictions and truth.layer == "p2p":
            ratios = _log_ratios(truth, predictions["time (run)"])
            apart[truth.program] += [pair for pair in ratios if pair[0] >= APART]
            close[truth.program] += [exp(abs(seen - said)) for said, seen in ratios if said < APART]
    alike = Found(_with_some(close), is_factor=True)
    if alike_factor is None:
        alike_factor = alike.bounds()[1] if alike.of_program else 1.0
    exponents = {
        program: [_exponent(said, seen, log(alike_factor)) for said, seen in pairs]
        for program, pairs in apart.items()
    }
    found = {
        "makespan": Found(_with_some(makespan)),
        "exponent": Found(_with_some(exponents)),
        "alike": alike,
    }
    return {kind: errors for kind, errors in found.items() if errors.of_program}


def covered_by_others(judged: Judged) -> dict[str, dict[str, float]]:
    """By kind and program: the share of its errors within the bounds of all other programs' errors, which is
    what intervals hold of a program that they know nothing of."""
    covered: dict[str, dict[str, float]] = {}
    for program in dict.fromkeys(truth.program for truth, _ in judged):
        same = [one for one in judged if one[0].program == program]
        others = found_errors([one for one in judged if one[0].program != program])
        factor = others["alike"].bounds()[1] if "alike" in others else None
        for kind, own in found_errors(same, factor).items():
            if kind not in others:
                continue
            low, high = others[kind].bounds()
            errors = own.of_program[program]
            inside = sum(low <= error <= high for error in errors)
            covered.setdefault(kind, {})[program] = inside / len(errors)
    return covered


def _with_some(errors: dict[str, list[float]]) -> dict[str, list[float]]:
    return {program: found for program, found in errors.items() if found}


def _makespan_ratios(truth: Truth, predictions: list[Prediction]) -> list[float]:
    return [
        median(one.times_s) / predicted.value[0]
        for one, predicted in zip(truth.placements, predictions, strict=True)
        if one.times_s
    ]


def _log_ratios(truth: Truth, predictions: list[Prediction]) -> list[tuple[float, float]]:
    """Of each two placements that ran, logarithms of the expected ratio of their times, the longer one over
    the shorter, and of the measured one of the same two, nearer to it by what the medians are off themselves.
    """
    ran = [
        (log(1 - predicted.gain), log(median(one.times_s)), _off_by_itself(one.times_s))
        for one, predicted in zip(truth.placements, predictions, strict=True)
        if one.times_s
    ]
    pairs = []
    for (said_a, seen_a, noise_a), (said_b, seen_b, noise_b) in combinations(ran, 2):
        expected, measured = abs(said_a - said_b), seen_a - seen_b if said_a >= said_b else seen_b - seen_a
        pairs.append((expected, expected + _beyond(measured - expected, hypot(noise_a, noise_b))))
    return pairs


def _off_by_itself(times_s: Sequence[float]) -> float:
    """Standard error of the logarithm of the median of three runs: 0.67 of their standard deviation, of which
    their range is 1.69 on average (both of normally distributed ones)."""
    return 0.67 / 1.69 * log(max(times_s) / min(times_s))


def _beyond(off: float, part: float) -> float:
    """What is left of an error that is the root of two squares' sum, without one of the two."""
    return copysign(sqrt(max(0.0, off**2 - part**2)), off)


def _exponent(expected: float, measured: float, alike: float) -> float:
    """All logarithms: of the two ratios, and of what placements differ by that are predicted alike."""
    return 1 + _beyond(measured - expected, alike) / expected


def write_errors(path: Path, judged: Judged, conditions: str) -> None:
    """Rewrites python/corewise/files/model_errors.toml; raises InputError if a kind has no errors."""
    lines = [
        "# How far corewise's predictions were off (docs/evidence/log/2026-11-predictions.md).",
        f'format = "{FORMAT}"',
        f"version = {VERSION}",
        f"confidence = {CONFIDENCE}",
        f'source = "laboratory/benchmarks/truth/judge.py --write-errors: {conditions}"',
    ]
    found = found_errors(judged)
    for kind, meaning in MEANING.items():
        if kind not in found:
            raise InputError(
                f"no program has errors of the kind '{kind}'; expected several placements of each, and "
                "estimate and time (run) among --predictors"
            )
        low, high = found[kind].bounds()
        names = ", ".join(f'"{program}"' for program in found[kind].of_program)
        lines += ["", f"# {meaning}", f"[{kind}]", f"low = {low:.3f}", f"high = {high:.3f}"]
        lines += [f"programs = [{names}]", f"n_found = {found[kind].n_found}"]
    write_whole(path, "\n".join(lines) + "\n")
