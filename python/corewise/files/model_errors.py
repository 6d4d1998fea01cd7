"""Measured errors of predictions, from which the intervals of predictions are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corewise.files.document import read_toml
from corewise.files.table import Table, check_format
from corewise.model import GainErrors, Machine

FORMAT, VERSION = "corewise-model-errors", 1
NAME = "model_errors.toml"


@dataclass(frozen=True)
class Errors:
    """Bounds of a kind of error, which enclose the fraction ModelErrors.confidence of the errors found.

    They are from `n_found` errors of `programs`, with equal weight for each program.
    """

    low: float
    high: float
    programs: list[str]
    n_found: int


@dataclass(frozen=True)
class ModelErrors:
    """Errors as factors, each with low <= 1 <= high.

    * `makespan`: measured over estimated makespan; None until a program whose every rank has its own
      processor was measured.
    * `gain`: measured over predicted ratio of the times of two placements, the one predicted to take longer
      in the numerator.
    """

    confidence: float
    source: str
    makespan: Errors | None
    gain: Errors

    @property
    def of_gain(self) -> GainErrors:
        """The errors for intervals of gains."""
        return GainErrors(self.gain.low, self.gain.high)

    def confidence_on(self, machine: Machine) -> float | None:
        """The confidence of intervals; None if a figure of the machine is missing or assumed."""
        assumed = any(level.link.assumed for level in machine.levels) or (
            machine.torus is not None and machine.torus.source.startswith("assumed")
        )
        return self.confidence if machine.has_figures and not assumed else None


@cache
def model_errors() -> ModelErrors:
    """The errors that come with corewise, from laboratory/benchmarks/truth/judge.py."""
    return read_model_errors(Path(__file__).with_name(NAME))


def read_model_errors(path: Path) -> ModelErrors:
    """Raises InputError for a file of another format or version."""
    table = read_toml(path, "the errors of corewise's predictions")
    check_format(table, FORMAT, VERSION)
    return ModelErrors(
        table.number("confidence"),
        table.get("source", str),
        _errors(table, "makespan") if table.holds("makespan") else None,
        _errors(table, "gain"),
    )


def _errors(table: Table, key: str) -> Errors:
    own = table.table(key)
    return Errors(own.number("low"), own.number("high"), own.texts("programs"), own.whole("n_found"))
