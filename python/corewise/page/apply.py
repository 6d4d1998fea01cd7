"""Section: the exact command, environment and files that start the program under the best placement."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.tune_result import TuneResult
from corewise.text.escaping import shell_text

TITLE = "How to apply it"


@dataclass(frozen=True)
class Context:
    """What the template shows: a plan, or where no command was run, the commands that make one."""

    plan: LaunchPlan | None
    commands: list[str]


def context(result: TuneResult) -> Context | None:
    """None where a command was run on another machine than the one mapped for."""
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
