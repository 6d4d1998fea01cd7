"""Scores of placements under every objective, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.model import Machine, ObjectiveInfo, Placement, Traffic
    from corewise.nouns.scores import Scores


def objectives_for(machine: Machine) -> dict[str, ObjectiveInfo]:
    """The objectives that the machine's figures allow, by name."""
    from corewise import model

    return {row.name: row for row in model.objectives() if machine.has_figures or not row.needs_figures}


def score_all(traffic: Traffic, machine: Machine, placement: Placement) -> Scores:
    """Every objective by name."""
    from corewise import model
    from corewise.nouns.scores import Scores

    names = objectives_for(machine)
    return Scores({name: model.evaluate(name, traffic, machine, placement) for name in names})


def scores_stream(machine: Machine, scores: dict[str, Scores]) -> object:
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
