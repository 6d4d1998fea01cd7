"""TOML files that people write: tables that know where they stand, so that an error names file and key."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError, did_you_mean
from corewise.files.document import read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_KINDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}


@dataclass(frozen=True)
class Table:
    """A TOML table that knows where it stands, for the error messages."""

    path: Path
    where: str
    values: dict[str, Any]

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The value of `key`, of exactly that kind; a `default` makes it optional."""
        value = self.values.get(key, default)
        if value is None:
            raise InputError(f"{self.path}: {self.where}{key} is missing; expected {_KINDS[kind]}")
        if type(value) is not kind:
            raise self.error(key, value, _KINDS[kind])
        return value

    def number(self, key: str) -> float:
        """The value of `key`, whole or not."""
        if key not in self.values:
            raise InputError(f"{self.path}: {self.where}{key} is missing; expected a number")
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, value, "a number")
        return float(value)

    def texts(self, key: str, default: Any = None) -> list[str]:
        """The list of texts at `key`; a `default` makes it optional."""
        texts = self.get(key, list, default)
        if any(type(text) is not str for text in texts):
            raise self.error(key, texts, "a list of texts")
        return texts

    def table(self, key: str) -> Table:
        """The table `key`, empty when it isn't there."""
        return Table(self.path, f"{self.where}{key}.", self.get(key, dict, {}))

    def tables(self, key: str) -> list[Table]:
        """The tables [[key]], none when there are none."""
        entries = self.get(key, list, [])
        for entry in entries:
            if type(entry) is not dict:
                raise self.error(key, entry, "tables [[" + key + "]]")
        return [Table(self.path, f"{self.where}{key}[{i}].", entry) for i, entry in enumerate(entries)]

    def refuse_others(self, known: Iterable[str]) -> None:
        """Raises InputError for a key that is not one of `known`, with the nearest of them."""
        known = list(known)
        for key in self.values:
            if key not in known:
                near = did_you_mean(key, known)
                raise InputError(
                    f"{self.path}: {self.where}{key} is unknown (known: {', '.join(known)}){near}"
                )

    def error(self, key: str, found: object, expected: str) -> InputError:
        """The sentence for a wrong value."""
        return InputError(f"{self.path}: {self.where}{key} is {found!r}; expected {expected}")


def read_toml(path: Path, expected: str) -> Table:
    """The whole file; raises InputError, which says that `expected` ("a machine file") was."""
    text = read_text(path, expected)
    try:
        return Table(path, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: can't be read as TOML ({error}); expected {expected}") from error
    except RecursionError as error:
        raise InputError(f"{path}: brackets nested too deep; expected {expected}") from error


def check_format(top: Table, name: str, version: int) -> None:
    """Raises InputError where the file's `format` and `version` are others."""
    if top.get("format", str) != name:
        raise top.error("format", top.values["format"], f"'{name}'")
    if top.get("version", int) != version:
        raise top.error("version", top.values["version"], f"{version}, the newest that this corewise knows")
