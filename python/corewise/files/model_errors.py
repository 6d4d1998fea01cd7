"""How far predictions were off that were held against measured times: the data behind predicted intervals."""

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
    """Bounds of a kind of error: a share of those that were found lies between them (ModelErrors.confidence).

    They are of `n_found` errors of `programs`, all of which count alike.
    """

    low: float
    high: float
    programs: list[str]
    n_found: int


@dataclass(frozen=True)
class ModelErrors:
    """Each has what was predicted itself inside: low <= 1 <= high.

    `makespan`: measured over estimated makespan, of placements; None while today's model has not been held
    against times of an idle machine. `exponent`: k of placements whose measured
    times have the ratio r^k where `advise` expects r. `alike`: measured over expected ratio of the times of
    placements that are expected to take nearly the same time; low is 1 / high, for there is no order in such
    a pair.
    """

    confidence: float
    source: str
    makespan: Errors | None
    exponent: Errors
    alike: Errors

    @property
    def of_gain(self) -> GainErrors:
        """What intervals of gains rest on."""
        return GainErrors(self.exponent.low, self.exponent.high, self.alike.high)

    def confidence_on(self, machine: Machine) -> float | None:
        """What intervals claim; None if a figure of the machine is missing, or assumed by somebody."""
        assumed = any(level.link.assumed for level in machine.levels) or (
            machine.torus is not None and machine.torus.source.startswith("assumed")
        )
        return self.confidence if machine.has_figures and not assumed else None


@cache
def model_errors() -> ModelErrors:
    """What comes with corewise, written by laboratory/benchmarks/truth/judge.py."""
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
