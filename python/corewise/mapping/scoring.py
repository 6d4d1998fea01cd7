"""Scores of placements under every objective, as dictionaries and JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.model import Machine, ObjectiveInfo, Placement, Traffic


def objectives_for(machine: Machine) -> dict[str, ObjectiveInfo]:
    """The objectives that the machine's figures allow, by name."""
    from corewise import model

    return {row.name: row for row in model.objectives() if machine.has_figures or not row.needs_figures}


def score_all(traffic: Traffic, machine: Machine, placement: Placement) -> dict[str, list[float]]:
    """Every objective by name; a list of one value where the objective is a number."""
    from corewise import model

    return {name: model.evaluate(name, traffic, machine, placement) for name in objectives_for(machine)}


def score_json(objective: ObjectiveInfo, values: list[float] | None) -> float | list[float] | None:
    """The number or the list that JSON carries; whole bytes as whole numbers, None for None."""
    if values is None:
        return None
    plain = [int(value) if value.is_integer() and objective.unit != "s" else value for value in values]
    return plain if objective.is_list else plain[0]


def scores_json(machine: Machine, scores: dict[str, list[float]]) -> dict[str, float | list[float] | None]:
    """`score_all`'s result as JSON carries it."""
    rows = objectives_for(machine)
    return {name: score_json(rows[name], values) for name, values in scores.items()}


def scores_stream(machine: Machine, scores: dict[str, dict[str, list[float]]]) -> object:
    """For data frames: a row for each value of `score_all`'s results, which `scores` holds by label.

    Columns are placement (the label), objective, unit, position (in the list of the objective's values) and
    value.
    """
    from corewise import model

    units = {name: row.unit for name, row in objectives_for(machine).items()}
    rows = [
        (label, name, units[name], position, value)
        for label, by_objective in scores.items()
        for name, values in by_objective.items()
        for position, value in enumerate(values)
    ]
    kinds = {"placement": "str", "objective": "str", "unit": "str", "position": "int", "value": "float"}
    return model.arrow_stream(
        [(name, kind, [row[i] for row in rows]) for i, (name, kind) in enumerate(kinds.items())]
    )


def score_text(objective: ObjectiveInfo, values: list[float]) -> str:
    """For people, with units; the values of a list parted by bars, top level first."""
    from corewise.text.quantities import value_text

    return " | ".join(value_text(value, objective.unit) for value in values) or "none (nodes have no levels)"
