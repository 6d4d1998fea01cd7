"""Lists of hardware threads that commands hold: who reads them, and what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corewise.checks.situation import Asked
from corewise.launchers.wrapper import binding_wrapper

_ITEM = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
_TASKSET = re.compile(r"-\w*c|--cpu-list")
_NUMACTL = re.compile(r"(?:-C|--physcpubind)(?:=(.*))?")


@dataclass(frozen=True)
class NumberList:
    """A list as typed; `entries` are the hardware threads (os_index) of each entry.

    `counts_ranks` says that the i-th entry is for the i-th rank of each host, and not all for every rank.
    """

    typed: str
    entries: list[frozenset[int]]
    counts_ranks: bool

    @property
    def os_pus(self) -> frozenset[int]:
        """All that the list names."""
        return frozenset(pu for entry in self.entries for pu in entry)


def number_lists(asked: Asked) -> list[NumberList]:
    """The lists by os_index of a command: Hydra's `user:`, srun's `map_cpu:` and `mask_cpu:`, wrappers'."""
    found = []
    for option in asked.application.command.programs[0].options:
        value = option.values[-1] if option.values else ""
        if option.name in ("bind-to", "binding") and value.startswith("user:"):
            found.append(_list(" ".join(option.tokens), value[5:].split(","), "+"))
        elif option.name in ("cpu-bind", "cpu_bind") and "map_cpu:" in value:
            found.append(_list(" ".join(option.tokens), value.partition("map_cpu:")[2].split(","), None))
    wrapper = binding_wrapper(asked.application.command.app)
    if wrapper and (text := _of_wrapper(wrapper)):
        entries = _list("", text.split(","), None).entries
        found.append(NumberList(" ".join(wrapper), entries, counts_ranks=False))
    return [one for one in found if one.entries]


def _list(typed: str, words: list[str], joins: str | None) -> NumberList:
    """Entries of a list; those of several hardware threads are `2+3` or `2-3`. Others are left out."""
    entries = []
    for word in words:
        items = [_ITEM.fullmatch(part.strip()) for part in (word.split(joins) if joins else [word])]
        if all(items):
            ranges = [range(int(item[1]), int(item[2] or item[1]) + 1) for item in items]
            entries.append(frozenset(pu for numbers in ranges for pu in numbers))
    return NumberList(typed, entries, counts_ranks=True)


def _of_wrapper(words: list[str]) -> str | None:
    """The list of `taskset -c LIST` or `numactl -C LIST`."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    if name == "taskset" and any(_TASKSET.fullmatch(word) for word in rest):
        return rest[-1]
    for i, word in enumerate(rest):
        if name == "numactl" and (option := _NUMACTL.fullmatch(word)):
            return option[1] or (rest[i + 1] if i + 1 < len(rest) else None)
    return None
