"""How far predictions were off that were held against measured times: the data behind predicted intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.files.document import read_toml
from corewise.files.table import Table, check_format

if TYPE_CHECKING:
    from corewise.model import Machine

FORMAT, VERSION = "corewise-model-errors", 1
NAME = "model_errors.toml"


@dataclass(frozen=True)
class Errors:
    """Of one predictor: `confidence` of the placements that it was held against lie from `low` to `high`.

    `programs` and `n_placements` are what that is based on.
    """

    low: float
    high: float
    programs: list[str]
    n_placements: int


@dataclass(frozen=True)
class ModelErrors:
    """`makespan`: measured over estimated makespan. `gain`: measured gain over the one that `advise` expects.

    Both intervals have what was predicted itself inside: low <= 1 <= high.
    """

    confidence: float
    source: str
    makespan: Errors
    gain: Errors

    def confidence_on(self, machine: Machine) -> float | None:
        """What intervals claim; None where a figure of the machine is missing, or assumed by somebody."""
        assumed = any(level.link.assumed for level in machine.levels) or (
            machine.torus is not None and machine.torus.source.startswith("assumed")
        )
        return self.confidence if machine.has_figures and not assumed else None


@cache
def model_errors() -> ModelErrors:
    """What comes with corewise, written by benchmarks/truth/judge.py."""
    table = read_toml(Path(__file__).with_name(NAME), "the errors of corewise's predictions")
    check_format(table, FORMAT, VERSION)
    return ModelErrors(
        table.number("confidence"),
        table.get("source", str),
        _errors(table, "makespan"),
        _errors(table, "gain"),
    )


def _errors(table: Table, key: str) -> Errors:
    own = table.table(key)
    return Errors(own.number("low"), own.number("high"), own.texts("programs"), own.whole("n_placements"))
