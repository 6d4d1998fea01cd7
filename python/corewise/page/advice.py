"""Section: what is predicted, before anything ran."""

from __future__ import annotations

from typing import Any

from corewise.nouns.comparison import Comparison

TITLE = "Advice"


def context(comparison: Comparison) -> dict[str, Any]:
    """What the template shows; the gain comes with its formula."""
    return {
        "matters": comparison.matters,
        "answer": comparison.verdict,
        "because": comparison.because,
        "predicted": comparison.gain,
        "predicted_of": comparison.gain_of,
        "predicted_formula": comparison.gain_formula,
        "predicted_from": comparison.predicted_from,
        "notes": comparison.notes,
    }
