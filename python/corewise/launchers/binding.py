"""A launcher's own binding: what its command asks for, and which options bind to given cores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from corewise.launchers.command import Command

_ITEM = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True)
class CoreCount:
    """The number of cores, or of hardware threads, for each rank, which the words `typed` ask for."""

    typed: str
    n: int
    of_threads: bool = False

    @classmethod
    def of(cls, typed: str, value: str, of_threads: bool = False) -> CoreCount | None:
        """The number in `value`; None if that is not a number above 0."""
        return cls(typed, int(value), of_threads) if re.fullmatch(r"[1-9]\d{0,4}", value) else None


@dataclass(frozen=True)
class CoreList:
    """A list of cores as typed; each of `entries` has hardware threads (os_index) or cores (logical).

    `counts_ranks`: the i-th entry is for the i-th rank of each host; else every rank gets the whole list.
    `kind` is the launcher's name for the notation of the list. `program` is the index of the program that the
    list is for, None if it is for all.
    """

    typed: str
    entries: list[frozenset[int]]
    counts_ranks: bool
    of_threads: bool = True
    kind: str = ""
    program: int | None = None

    @property
    def indices(self) -> frozenset[int]:
        """All indices in the list."""
        return frozenset(index for entry in self.entries for index in entry)

    def wanted(self, local_rank: int) -> frozenset[int]:
        """The indices for the rank with this number on its host."""
        return self.entries[local_rank % len(self.entries)] if self.counts_ranks else self.indices


def entries_of(words: Sequence[str], joins: str | None = None) -> list[frozenset[int]]:
    """Entries of a list such as `2` or `2-3`, or `2+3` with joins="+". Other words are ignored."""
    entries = []
    for word in words:
        parts = word.split(joins) if joins else [word]
        items = [item for part in parts if (item := _ITEM.fullmatch(part.strip()))]
        if len(items) == len(parts):
            ranges = [range(int(item[1]), int(item[2] or item[1]) + 1) for item in items]
            entries.append(frozenset(pu for numbers in ranges for pu in numbers))
    return entries


def entry_of_mask(word: str) -> frozenset[int]:
    """`0x80` as {7}; empty if the word is no hexadecimal number."""
    number = int(word, 16) if re.fullmatch(r"(0[xX])?[0-9a-fA-F]{1,1024}", word) else 0
    return frozenset(i for i in range(number.bit_length()) if number >> i & 1)


# (command, index of a program, its environment, MCA parameters) -> the number of cores it asks for.
ReadCores = Callable[[Command, int, Mapping[str, str], Mapping[str, str]], CoreCount | None]


@dataclass(frozen=True)
class Binding:
    """How `check` reads the binding in a launcher's command, and writes a corrected command.

    Every field is optional: without it, `check` finds fewer traps or proposes no command. Options are
    separated by spaces and may contain `{n}`, a number, or `{path}`, a file.
    """

    # Options that give each rank {n} exclusive cores, in an order that the launcher chooses.
    own_cores: str = ""
    # Options that bind each host's ranks to one hardware thread each. Arguments: the os_index of each; the
    # logical index of each one's core within the cpuset; `kind` of the list that is replaced.
    on_threads: Callable[[list[int], list[int], str], list[str]] | None = None
    # Options that read an Open MPI rankfile, and a function that finds its path in a command.
    rankfile: str = ""
    rankfile_of: Callable[[Command], str | None] = lambda command: None
    # Functions that find the number of cores for each rank, and lists of cores, in a command and variables.
    read_cores: ReadCores = lambda command, program, environment, parameters: None
    core_lists: Callable[[Command, Mapping[str, str]], list[CoreList]] = lambda command, environment: []
    # What happens to a rank whose list has hardware threads outside its cpuset; the end of a sentence.
    absent_pus: str = ""
    # What the launcher then prints; group 1 is the mask of the hardware threads that a rank may use.
    usable_mask: str = ""
    # Variable -> a regular expression for values that bind ranks to numbered cores, and the source.
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
