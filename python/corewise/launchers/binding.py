"""How a launcher binds by itself: what its command asks for, and its words for other cores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from corewise.launchers.command import Command

_ITEM = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


@dataclass(frozen=True)
class CoreCount:
    """The number of cores, or hardware threads, that `typed` asks for each rank."""

    typed: str
    n: int
    of_threads: bool = False

    @classmethod
    def of(cls, typed: str, value: str, of_threads: bool = False) -> CoreCount | None:
        """None for a value that is no number above 0."""
        return cls(typed, int(value), of_threads) if re.fullmatch(r"[1-9]\d{0,4}", value) else None


@dataclass(frozen=True)
class CoreList:
    """A list as typed; `entries` are the hardware threads (os_index) of each entry, or the cores (logical).

    `counts_ranks` says that the i-th entry is for the i-th rank of each host, and not all for every rank;
    `kind` is the launcher's word for how the list is written. `program` is the number of the program that the
    list is before, None if it holds for all.
    """

    typed: str
    entries: list[frozenset[int]]
    counts_ranks: bool
    of_threads: bool = True
    kind: str = ""
    program: int | None = None

    @property
    def indices(self) -> frozenset[int]:
        """All that the list names."""
        return frozenset(index for entry in self.entries for index in entry)

    def wanted(self, local_rank: int) -> frozenset[int]:
        """What the list names for a rank, by its number on its host."""
        return self.entries[local_rank % len(self.entries)] if self.counts_ranks else self.indices


def entries_of(words: Sequence[str], joins: str | None = None) -> list[frozenset[int]]:
    """Entries of a list such as `2` or `2-3`, or `2+3` with joins="+". Words of other forms are left out."""
    entries = []
    for word in words:
        parts = word.split(joins) if joins else [word]
        items = [item for part in parts if (item := _ITEM.fullmatch(part.strip()))]
        if len(items) == len(parts):
            ranges = [range(int(item[1]), int(item[2] or item[1]) + 1) for item in items]
            entries.append(frozenset(pu for numbers in ranges for pu in numbers))
    return entries


def entry_of_mask(word: str) -> frozenset[int]:
    """`0x80` as {7}; empty for what is no hexadecimal number."""
    number = int(word, 16) if re.fullmatch(r"(0[xX])?[0-9a-fA-F]{1,1024}", word) else 0
    return frozenset(i for i in range(number.bit_length()) if number >> i & 1)


# (command, number of a program, variables that it finds, MCA parameters around it) -> what is asked for it.
ReadCores = Callable[[Command, int, Mapping[str, str], Mapping[str, str]], CoreCount | None]


@dataclass(frozen=True)
class Binding:
    """What `check` reads from a launcher's command, and writes into a corrected one.

    Every field may be left out: `check` then finds fewer traps, or proposes no command for them. Words are
    separated by spaces; `{n}` and `{path}` stand for a number and for a file.
    """

    # Options that give each rank {n} exclusive cores, in the launcher's own order.
    own_cores: str = ""
    # Options that bind the ranks of each host to hardware threads, one after the other. Arguments: their
    # os_index; the logical numbers of their cores in the cpuset; `kind` of the list that is replaced.
    on_threads: Callable[[list[int], list[int], str], list[str]] | None = None
    # Options that read a rankfile of Open MPI's form, and where a command names one.
    rankfile: str = ""
    rankfile_of: Callable[[Command], str | None] = lambda command: None
    # The number of cores for each rank, and the lists of cores, that a command and its variables ask for.
    read_cores: ReadCores = lambda command, program, environment, parameters: None
    core_lists: Callable[[Command, Mapping[str, str]], list[CoreList]] = lambda command, environment: []
    # What happens to a rank whose list names hardware threads that it may not use; a clause.
    absent_pus: str = ""
    # What it prints then: the mask of the hardware threads that a rank may use, as group 1.
    usable_mask: str = ""
    # Options whose list of bindings starts again on each line of the list of hosts.
    starts_again: frozenset[str] = frozenset()
    # Variable -> what in its value binds ranks by number (a regular expression), and the documentation.
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
