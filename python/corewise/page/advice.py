"""Section: what is predicted, before anything ran."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.nouns.advice import Advice
from corewise.nouns.comparison import Comparison

TITLE = "Advice"


@dataclass(frozen=True)
class Context:
    """What the template shows; the gain comes with its formula."""

    advice: Advice
    predicted_from: str
    notes: list[str]


def context(comparison: Comparison) -> Context:
    """The prediction with its reasons and notes."""
    return Context(comparison, comparison.predicted_from, comparison.notes)
