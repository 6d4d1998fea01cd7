"""Scores: the values of each objective for a placement, as a number or a list in documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import field

from corewise import model
from corewise.nouns.codec import WIRES, Noun, Number, Wire
from corewise.nouns.tables import Tabular, as_columns


class Scores(dict[str, list[float]]):
    """The values by objective, always as a list; lower is better."""


def score_json(name: str, values: list[float]) -> float | list[float]:
    """The objective's number or list for JSON; bytes and counts as integers."""
    row = next((row for row in model.objectives() if row.name == name), None)
    counts = row is not None and row.unit != "s"
    plain = [int(value) if counts and value.is_integer() else value for value in values]
    return plain[0] if row is not None and not row.is_list and len(plain) == 1 else plain


def scores_columns(scores: Mapping[str, Mapping[str, list[float]]]) -> dict[str, Any]:
    """A row for each value in `scores`, which maps a placement's label to its Scores.

    Columns are placement (the label), objective, unit, position (in the list of the objective's values) and
    value.
    """
    units = {row.name: row.unit for row in model.objectives()}
    rows = [
        (label, name, units.get(name), position, value)
        for label, by_objective in scores.items()
        for name, values in by_objective.items()
        for position, value in enumerate(values)
    ]
    return as_columns(("placement", "objective", "unit", "position", "value"), rows)


def _to_json(scores: Scores) -> dict[str, float | list[float]]:
    return {name: score_json(name, values) for name, values in scores.items()}


def _from_json(values: dict[str, float | list[float]]) -> Scores:
    return Scores({name: value if isinstance(value, list) else [value] for name, value in values.items()})


WIRES[Scores] = Wire(dict[str, Number | list[Number]], _to_json, _from_json)


class PlacementScores(Tabular, Noun, frozen=True, kw_only=True):
    """What `corewise score` finds: the values of every objective that the machine's figures allow, by name.

    `scores` are of the placement itself; `units` has the unit of each objective.
    """

    FORMAT: ClassVar[str] = "corewise-scores"
    WRITTEN_BY: ClassVar[str] = "corewise score --json"

    machine: str
    units: dict[str, str]
    scores: Scores
    block: Scores
    round_robin: Scores = field(name="round-robin")
    random: Scores

    @property
    def by_placement(self) -> dict[str, Scores]:
        """The scores by label: placement, block, round-robin, random."""
        return {
            "placement": self.scores,
            "block": self.block,
            "round-robin": self.round_robin,
            "random": self.random,
        }

    def columns(self) -> dict[str, Any]:
        """See scores_columns()."""
        return scores_columns(self.by_placement)
