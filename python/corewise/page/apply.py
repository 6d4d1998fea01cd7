"""Section: the exact command, environment and files that start the program under the best placement."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.tune_result import TuneResult
from corewise.text.escaping import shell_text

TITLE = "How to apply it"


@dataclass(frozen=True)
class Context:
    """What the template shows: a plan, or the commands to make one if no command was run."""

    plan: LaunchPlan | None
    commands: list[str]


def context(result: TuneResult) -> Context | None:
    """The plan or the commands; None if a command was run, but the mapping is for another machine."""
    if result.plan:
        return Context(result.plan, [])
    if not result.read_from:
        return None
    of_input = shell_text(result.command[2:])  # corewise report INPUT --machine M
    return Context(
        None,
        [
            f"corewise map {of_input} -o best.json",
            "corewise run --placement best.json -- LAUNCHER ... APP ...",
        ],
    )
