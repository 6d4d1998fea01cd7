"""Finds lists of hardware threads in commands: those of launchers and of wrappers."""

from __future__ import annotations

import re

from corewise.checks.situation import AskedCommand
from corewise.launchers.binding import CoreList, entries_of, entry_of_mask
from corewise.launchers.wrapper import binding_wrapper

_TASKSET = re.compile(r"-\w*c|--cpu-list")
_NUMACTL = re.compile(r"(?:-C|--physcpubind)(?:=(.*))?")


def launcher_lists(asked: AskedCommand) -> list[CoreList]:
    """The nonempty lists in the launcher's options and variables."""
    command, environment = asked.application.command, asked.programs[0].environment
    return [one for one in asked.application.launcher.binding.core_lists(command, environment) if one.entries]


def number_lists(asked: AskedCommand) -> list[CoreList]:
    """The lists of os_index in a command, its variables and its wrappers."""
    wrappers = filter(None, (binding_wrapper(program.app) for program in asked.application.command.programs))
    return [
        *(one for one in launcher_lists(asked) if one.of_threads),
        *(
            CoreList(" ".join(wrapper), entries, counts_ranks=False)
            for wrapper in wrappers
            if (entries := _of_wrapper(wrapper))
        ),
    ]


def _of_wrapper(words: list[str]) -> list[frozenset[int]]:
    """The entries of `taskset -c LIST`, `taskset MASK` or `numactl -C LIST`."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    if name == "taskset" and rest:
        is_list = any(_TASKSET.fullmatch(word) for word in rest)
        return entries_of(rest[-1].split(",")) if is_list else [entry_of_mask(rest[-1])]
    for i, word in enumerate(rest):
        if name == "numactl" and (option := _NUMACTL.fullmatch(word)):
            text = option[1] or (rest[i + 1] if i + 1 < len(rest) else "")
            return entries_of(text.split(","))
    return []
