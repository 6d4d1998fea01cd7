"""Tables of a TOML or JSON file that know their place, so that errors name file and key."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from corewise.errors import InputError, did_you_mean

_KINDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}

# Indices of ranks, nodes, cores and hardware threads are signed with 32 bits.
MOST_INDEX = 2**31 - 1
# Distances are unsigned with 32 bits.
MOST_DISTANCE = 2**32 - 1


def shown(value: object) -> str:
    """A value for an error message: as JSON, texts in single quotes, shortened."""
    try:
        # Encode only the first pieces of long lists and tables.
        text = "".join(islice(json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value), 64))
    except ValueError:  # Python refuses to print more than 4300 digits
        return "a number of thousands of digits"
    if isinstance(value, str):
        text = f"'{text[1:-1]}'"
    return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass(frozen=True)
class Table:
    """A TOML table or JSON object that knows its place, for error messages.

    Methods raise InputError for missing values and values of a wrong kind.
    """

    path: Path  # empty for a table inside another document
    where: str
    values: dict[str, Any]
    line: int | None = None  # for a file with a document in each line

    def holds(self, key: str) -> bool:
        """Whether the key exists and is not null."""
        return self.values.get(key) is not None

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The value of `key`, of exactly this type; optional if there is a `default`."""
        value = self.values.get(key, default)
        if value is None:
            raise self.refused(key, f" is missing; expected {_KINDS[kind]}")
        if type(value) is not kind:
            raise self.error(key, value, _KINDS[kind])
        return value

    def number(self, key: str) -> float:
        """The value of `key`, whole or not."""
        if not self.holds(key):
            raise self.refused(key, " is missing; expected a number")
        return self._number(key, self.values[key])

    def whole(self, key: str, least: int = 0, most: int = MOST_INDEX, default: int | None = None) -> int:
        """The whole number at `key`, from `least` to `most`; a `default` makes it optional."""
        return self._whole(key, self.get(key, int, default), least, most)

    def texts(self, key: str, default: list[str] | None = None) -> list[str]:
        """The list of texts at `key`; a `default` makes it optional."""
        texts: list[str] = self.get(key, list, default)
        if any(type(text) is not str for text in texts):
            raise self.error(key, texts, "a list of texts")
        return texts

    def whole_numbers(self, key: str, most: int = MOST_INDEX) -> list[int]:
        """The list at `key` of whole numbers from 0 to `most`."""
        return self._list(key, self.get(key, list), partial(self._whole, least=0, most=most))

    def table(self, key: str, default: dict[str, Any] | None = None) -> Table:
        """The table `key`; a `default` makes it optional."""
        return Table(self.path, f"{self.where}{key}.", self.get(key, dict, default), self.line)

    def tables(self, key: str, default: list[dict[str, Any]] | None = None) -> list[Table]:
        """The list of tables at `key`, [[key]] in TOML; a `default` makes it optional."""
        entries = self.get(key, list, default)
        for entry in entries:
            if type(entry) is not dict:
                raise self.error(key, entry, "a list of tables")
        return [
            Table(self.path, f"{self.where}{key}[{i}].", entry, self.line) for i, entry in enumerate(entries)
        ]

    def refuse_others(self, known: Iterable[str]) -> None:
        """Raises InputError for a key that is not one of `known`, with the nearest of them."""
        known = list(known)
        for key in self.values:
            if key not in known:
                near = did_you_mean(key, known)
                raise self.refused(key, f" is unknown (known: {', '.join(known)}){near}")

    @contextmanager
    def building(self, key: str) -> Iterator[None]:
        """Adds file and key to each InputError in the block, which uses the values at `key`."""
        try:
            yield
        except InputError as error:
            raise self.refused(key, f": {error}") from error

    def error(self, key: str, found: object, expected: str) -> InputError:
        """The sentence for a wrong value."""
        return self.refused(key, f" is {shown(found)}; expected {expected}")

    def refused(self, key: str, what: str) -> InputError:
        """The sentence "KEY WHAT", with the place of the key."""
        field = f"{self.where}{key}"
        path = self.path if self.path.name else None
        return InputError(f"{field}{what}", path=path, line=self.line, field=field)

    def _number(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, value, "a number")
        if not abs(value) <= sys.float_info.max:  # also refuses nan, and integers beyond the range of float
            raise self.error(key, value, "a finite number")
        return float(value)

    def _whole(self, key: str, value: object, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise self.error(key, value, f"a whole number from {least} to {most}")
        return value

    def _list(self, key: str, found: object, read: Callable[[str, object], Any]) -> list[Any]:
        if type(found) is not list:
            raise self.error(key, found, "a list of numbers")
        return [read(f"{key}[{i}]", value) for i, value in enumerate(found)]


def check_format(top: Table, name: str, version: int) -> None:
    """Raises InputError for another `format` or `version`."""
    for key, expected in (("format", name), ("version", version)):
        found = top.values.get(key)
        if found is None:
            raise top.refused(key, f" is missing; expected {shown(expected)}")
        if type(found) is not type(expected) or found != expected:
            only = ", the only version that this corewise reads" if key == "version" else ""
            raise top.error(key, found, f"{shown(expected)}{only}")
