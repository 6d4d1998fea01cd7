"""Parses and writes node lists of Slurm and Flux: `n[001-004,7],gpu1`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, product
from math import prod

from corewise.errors import InputError

MOST_NODES = 65536  # Slurm's limit for a range (MAX_RANGE in hostlist.c)

_BRACKETS = r"\[([0-9,-]+)\]"
_LAST_NUMBER = re.compile(r"(.*?[^0-9]|)([0-9]{1,9})([^0-9\[\]]*)")
_HOST_WORD = re.compile(r"[A-Za-z][\w.-]*(,[A-Za-z][\w.-]*)+")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


class _NoNodeList(ValueError):
    pass


def node_list_entries(text: str) -> list[str]:
    """The parts of a list, separated by commas outside brackets: `n[1,3]`, `m1:2`."""
    return re.split(r",(?![^\[]*\])", text)


def expand_node_list(text: str) -> list[str]:
    """The names in the order of `scontrol show hostnames`; numbers are as wide as the range's first.

    Of several brackets in a name, the last one changes fastest, then the first, the second and so on, as in
    Slurm 22.05. Only Flux has a suffix after brackets (RFC 29). Raises InputError.
    """
    try:
        names: list[str] = []
        for entry in node_list_entries(text):
            names += _names(entry, MOST_NODES - len(names))
    except _NoNodeList as error:
        raise InputError(
            f"{text!r:.80} is no node list of at most {MOST_NODES} nodes; expected one such as "
            "n[001-004,7],gpu1"
        ) from error
    return names


def fold_node_list(names: Sequence[str]) -> str:
    """The inverse of expand_node_list(): a short list of the names in this order, `n[1-4],gpu1`."""
    entries: list[str] = []
    split = [_LAST_NUMBER.fullmatch(name) for name in names]
    for (prefix, suffix), group in groupby(
        zip(names, split, strict=True), lambda pair: pair[1].group(1, 3) if pair[1] else (pair[0], None)
    ):
        if suffix is None:
            entries += [name for name, _ in group]
            continue
        ranges: list[list[str]] = []
        for _, match in group:
            assert match is not None  # it has a suffix
            number = match[2]
            if ranges and number == str(int(ranges[-1][-1]) + 1).zfill(len(ranges[-1][0])):
                ranges[-1].append(number)
            else:
                ranges.append([number])
        text = ",".join("-".join(dict.fromkeys((numbers[0], numbers[-1]))) for numbers in ranges)
        entries.append(f"{prefix}{text}{suffix}" if text.isdigit() else f"{prefix}[{text}]{suffix}")
    return ",".join(entries)


def fold_host_words(words: Sequence[str]) -> list[str]:
    """A command's words with lists of host names shortened by fold_node_list()."""
    return [fold_node_list(word.split(",")) if _HOST_WORD.fullmatch(word) else word for word in words]


def _names(entry: str, most: int) -> list[str]:
    """The names of one entry, as `a[1-2]b[3,4]c`."""
    prefix, *rest = re.split(_BRACKETS, entry)
    numbers, suffixes = [_numbers(ranges) for ranges in rest[::2]], rest[1::2]
    if not entry or re.search(r"[\[\]\s]", "".join([prefix, *suffixes])) or prod(map(len, numbers)) > most:
        raise _NoNodeList
    if not numbers:
        return [prefix]
    # The loops over brackets, outermost first.
    order = [*range(len(numbers) - 2, -1, -1), len(numbers) - 1]
    names = []
    for chosen in product(*(numbers[bracket] for bracket in order)):
        of_bracket = dict(zip(order, chosen, strict=True))
        names.append(prefix + "".join(of_bracket[i] + suffix for i, suffix in enumerate(suffixes)))
    return names


def _numbers(ranges: str) -> list[str]:
    """`001-003,7` as 001, 002, 003, 7."""
    numbers: list[str] = []
    for word in ranges.split(","):
        match = _RANGE.fullmatch(word)
        if match is None:
            raise _NoNodeList
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + MOST_NODES - len(numbers):
            raise _NoNodeList
        numbers += [str(number).zfill(len(match[1])) for number in range(first, last + 1)]
    return numbers
