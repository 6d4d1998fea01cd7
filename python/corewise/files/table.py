"""Tables of a TOML or JSON file that know where they are, so that an error names file and key."""

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

# Indices of ranks, nodes, cores and hardware threads have 32 bits, signed.
MOST_INDEX = 2**31 - 1
# Distances have 32 bits, unsigned.
MOST_DISTANCE = 2**32 - 1


def shown(value: object) -> str:
    """A value as JSON writes it, a text in single quotes, shortened: what an error quotes."""
    try:
        # The encoder gives lists and tables piece by piece, so that the first pieces suffice.
        text = "".join(islice(json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value), 64))
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"
    if isinstance(value, str):
        text = f"'{text[1:-1]}'"
    return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass(frozen=True)
class Table:
    """A TOML table or JSON object that knows where it is, for the error messages.

    Every reading method raises InputError for a value that is missing or of another kind.
    """

    path: Path  # empty for what is in another document
    where: str
    values: dict[str, Any]
    line: int | None = None  # of a file that holds a document in each line

    def holds(self, key: str) -> bool:
        """The key is there, and not null."""
        return self.values.get(key) is not None

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The value of `key`, of exactly that kind; a `default` makes it optional."""
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

    def numbers(self, key: str) -> list[float]:
        """The list of numbers at `key`."""
        return self._list(key, self.get(key, list), self._number)

    def number_lists(self, key: str) -> list[list[float]]:
        """The list at `key` of lists of numbers."""
        found = self.get(key, list)
        return [self._list(f"{key}[{i}]", numbers, self._number) for i, numbers in enumerate(found)]

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

    def whole_number_lists(self, key: str) -> list[list[int]]:
        """The list at `key` of lists of whole numbers from 0 to MOST_INDEX."""
        read = partial(self._whole, least=0, most=MOST_INDEX)
        return [self._list(f"{key}[{i}]", found, read) for i, found in enumerate(self.get(key, list))]

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
        """Puts file and key before an InputError of what is built from the values at `key`."""
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
        if not abs(value) <= sys.float_info.max:  # infinite, not a number, or a whole number beyond both
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


def check_format(top: Table, name: str, version: int, oldest: int | None = None) -> None:
    """Raises InputError if the file's `format` and `version` are others; `oldest` is read as well."""
    versions = range(version if oldest is None else oldest, version + 1)
    for key, expected, kind, known in (("format", name, str, [name]), ("version", version, int, versions)):
        found = top.values.get(key)
        if found is None:
            raise top.refused(key, f" is missing; expected {shown(expected)}")
        if type(found) is not kind or found not in known:
            newest = ", the newest that this corewise knows" if key == "version" else ""
            raise top.error(key, found, f"{shown(expected)}{newest}")
