"""Commands as corewise reads them: program, ranks and options, or the refusal (launcher_commands.txt)."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from corewise.errors import InputError
from corewise.launchers import (
    Command,
    number_of_ranks,
    oversubscribes,
    parse_command,
    refuse_choosing_hosts,
    refuse_placing,
    refuse_starting_nothing,
    without_placing,
)
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import unwrapped
from golden_files import compare_answers
from launcher_cases import KNOWN


def answer(question: str) -> str:
    """What is read in "LAUNCHER: COMMAND"."""
    name, _, words = question.partition(": ")
    table = KNOWN[name].options
    try:
        command = parse_command(shlex.split(words), table)
        n_ranks = number_of_ranks(command, table)
    except InputError as error:
        return f"refused: {error}"
    shared = ", which share cores" if oversubscribes(command, table) else ""
    lines = [f"{shlex.join(command.app)}: {'?' if n_ranks is None else n_ranks} ranks{shared}"]
    if unwrapped(command.app) != command.app:
        lines.append(f"without wrappers: {shlex.join(unwrapped(command.app))}")
    return "\n".join([*lines, *placing(command, table), *refusals(command, table)])


def placing(command: Command, table: OptionTable) -> Iterator[str]:
    """The command without what places, which corewise then may place."""
    left, taken_out = without_placing(command, table)
    refuse_placing(left, table)
    if taken_out:
        yield f"without {taken_out}: {shlex.join([*left.options_without(()), *left.app])}"


def refusals(command: Command, table: OptionTable) -> Iterator[str]:
    refuse: Callable[[Command, OptionTable], None]
    for refuse in (refuse_placing, refuse_choosing_hosts, refuse_starting_nothing):
        try:
            refuse(command, table)
        except InputError as error:
            yield f"{refuse.__name__}: {error}"


def test_commands_are_read_as_written_down():
    compare_answers(Path(__file__).with_name("launcher_commands.txt"), answer)
