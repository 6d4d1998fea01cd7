"""The environment in which a command starts its program."""

from __future__ import annotations

from collections.abc import Mapping

from corewise.launchers.command import Command
from corewise.launchers.options import OptionTable


def environment_of(
    command: Command, table: OptionTable, around: Mapping[str, str], program: int = 0
) -> dict[str, str]:
    """`around` with the variables that the options before the program set.

    The programs of srun's --multi-prog file share the options of the command.
    """
    found = dict(around)
    for option in command.programs[0 if command.programs_file else program].options:
        words: list[str] = []
        if option.name in table.sets_variable:
            words = ["=".join(option.values)]
        elif option.name in table.sets_variables:
            words = option.values[0].split(",")
        found |= {name: value for name, equals, value in (word.partition("=") for word in words) if equals}
    return found
