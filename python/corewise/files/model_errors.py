"""Measured errors of predictions, from which the intervals of predictions are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corewise.files.document import read_toml
from corewise.files.table import Table, check_format
from corewise.model import GainErrors, Machine

FORMAT, VERSION = "corewise-model-errors", 2
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

    * `makespan`: measured over estimated makespan; None until the current model is compared with times on an
      idle machine.
    * `exponent`: k if `advise` expects the ratio r between the times of two placements and r^k is measured.
    * `alike`: measured over expected ratio of the times of placements with nearly equal expected times. The
      pairs have no order, so low is 1 / high.
    """

    confidence: float
    source: str
    makespan: Errors | None
    exponent: Errors
    alike: Errors

    @property
    def of_gain(self) -> GainErrors:
        """The errors for intervals of gains."""
        return GainErrors(self.exponent.low, self.exponent.high, self.alike.high)

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
        _errors(table, "exponent"),
        _errors(table, "alike"),
    )


def _errors(table: Table, key: str) -> Errors:
    own = table.table(key)
    return Errors(own.number("low"), own.number("high"), own.texts("programs"), own.whole("n_found"))
