"""The errors of predictions on the tuning programs, as bounds that a share of them lies within."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from statistics import median

from accuracy import gain
from corewise.files.model_errors import FORMAT, VERSION
from corewise.files.whole_file import write_whole
from predictors import Prediction
from store import Measured, Truth

CONFIDENCE = 0.8
ROUNDING = 1e-9  # of shares of a number of errors
LEAST_GAIN = 0.02  # an expected gain that nobody would notice: what is measured is no multiple of it


@dataclass(frozen=True)
class Ratios:
    """Measured over predicted figures of some programs' placements."""

    values: list[float]
    programs: list[str]

    def bounds(self) -> tuple[float, float]:
        """Between which CONFIDENCE of further figures lie, and 1.

        Split conformal prediction, each side by itself: of n errors the (n + 1) q-th smallest (Lei, G'Sell,
        Rinaldo, Tibshirani, Wasserman, JASA 113 (2018)). It holds where placements of one program are no more
        alike than those of several, so that the coverage on other programs has to be looked at.
        """
        ordered, n = sorted(self.values), len(self.values)
        tail = (1 - CONFIDENCE) / 2
        low = ordered[max(0, floor((n + 1) * tail + ROUNDING) - 1)]
        high = ordered[min(n - 1, ceil((n + 1) * (1 - tail) - ROUNDING) - 1)]
        return min(1.0, low), max(1.0, high)


def makespan_ratios(judged: Sequence[tuple[Truth, dict[str, list[Prediction]]]]) -> Ratios:
    """Measured over estimated makespans."""
    values, programs = [], []
    for truth, predictions in judged:
        found = [
            median(one.times_s) / predicted.value[0]
            for one, predicted in zip(truth.placements, predictions.get("estimate", []), strict=False)
            if one.times_s
        ]
        values += found
        programs += [truth.program] if found else []
    return Ratios(values, programs)


def gain_ratios(judged: Sequence[tuple[Truth, dict[str, list[Prediction]]]]) -> Ratios:
    """Measured over expected gains of the run over block order, where one is expected."""
    values, programs = [], []
    for truth, predictions in judged:
        found = [
            gain(one, truth.baseline) / predicted.gain
            for one, predicted in zip(truth.placements, predictions.get("time (run)", []), strict=False)
            if _tells(one, predicted, truth)
        ]
        values += found
        programs += [truth.program] if found else []
    return Ratios(values, programs)


def _tells(one: Measured, predicted: Prediction, truth: Truth) -> bool:
    return bool(one.times_s) and one is not truth.baseline and abs(predicted.gain) >= LEAST_GAIN


def write_errors(
    path: Path, judged: Sequence[tuple[Truth, dict[str, list[Prediction]]]], conditions: str
) -> None:
    """Writes python/corewise/files/model_errors.toml anew."""
    lines = [
        "# How far corewise's predictions were off: measured over predicted figures (docs/truth.md).",
        f'format = "{FORMAT}"',
        f"version = {VERSION}",
        f"confidence = {CONFIDENCE}",
        f'source = "benchmarks/truth/judge.py --write-errors: {conditions}"',
    ]
    for key, ratios in (("makespan", makespan_ratios(judged)), ("gain", gain_ratios(judged))):
        low, high = ratios.bounds()
        names = ", ".join(f'"{program}"' for program in ratios.programs)
        lines += ["", f"[{key}]", f"low = {low:.3f}", f"high = {high:.3f}"]
        lines += [f"programs = [{names}]", f"n_placements = {len(ratios.values)}"]
    write_whole(path, "\n".join(lines) + "\n")
