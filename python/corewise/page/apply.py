"""Section: the exact command, environment and files that start the program under the best placement."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.tune_result import TuneResult

TITLE = "How to apply it"


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    plan: LaunchPlan


def context(result: TuneResult) -> Context | None:
    """None where the result carries no launch plan."""
    return Context(result.plan) if result.plan else None
