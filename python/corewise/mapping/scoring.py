"""Scores placements by every objective, and formats scores as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.model import Assignment, Machine, ObjectiveInfo, Traffic
    from corewise.nouns.scores import Scores


def objectives_for(machine: Machine) -> dict[str, ObjectiveInfo]:
    """The objectives that the machine's figures allow, by name."""
    from corewise import model

    return {row.name: row for row in model.objectives() if machine.has_figures or not row.needs_figures}


def score_all(traffic: Traffic, machine: Machine, placement: Assignment) -> Scores:
    """The score by each objective that the machine's figures allow."""
    from corewise import model
    from corewise.nouns.scores import Scores

    names = objectives_for(machine)
    return Scores({name: model.evaluate(name, traffic, machine, placement) for name in names})


def score_text(objective: ObjectiveInfo, values: list[float]) -> str:
    """The values with units; values of a list are separated by bars, top level first."""
    from corewise.text.quantities import value_text

    return " | ".join(value_text(value, objective.unit) for value in values) or "none (nodes have no levels)"
