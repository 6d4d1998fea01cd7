"""Section: how the results were obtained."""

from __future__ import annotations

from dataclasses import dataclass

from corewise import __version__
from corewise.model import Machine
from corewise.nouns.run import by_key, key_names
from corewise.nouns.tune_result import ProfileState, TuneResult
from corewise.text.escaping import shell_text

TITLE = "How this was obtained"


@dataclass(frozen=True)
class Ran:
    """The command of a placement's runs."""

    label: str
    name: str
    text: str


@dataclass(frozen=True)
class Context:
    """Commands, versions, conditions, and what went wrong on the way."""

    command: str
    commands: list[Ran]
    conditions: dict[str, str]
    machine: Machine
    profile: ProfileState


def context(result: TuneResult) -> Context:
    """How the result was obtained."""
    ran = by_key(result.runs)
    names = key_names(ran)
    commands = [Ran(key.label, names[key], shell_text(repeats[0].command)) for key, repeats in ran.items()]
    conditions = {"corewise": __version__, "date": result.date} | result.conditions
    return Context(shell_text(result.command), commands, conditions, result.machine, result.profile)
