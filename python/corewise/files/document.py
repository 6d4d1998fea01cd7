"""Reading what a user names: regular files alone, of bounded size, and JSON and TOML whatever they hold."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.table import Table, shown

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# JSON takes up to 25 times its size in memory once it is read; a placement of a million ranks has 40 MB.
MOST_DOCUMENT_BYTES = 64 * 1024 * 1024
# People write TOML, and its parser takes a second for each MB.
MOST_TOML_BYTES = 4 * 1024 * 1024
# The time of TOML's parser grows with the square of a key's parts.
MOST_KEY_PARTS = 64


def require_regular(path: Path, expected: str) -> None:
    """Raises InputError if `path` is no regular file: reading a device or FIFO might never end."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", "its name is none")
        raise InputError(f"could not be read ({reason}); expected {expected}", path=path) from error
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "a device, FIFO or socket"
        raise InputError(f"is {kind}; expected {expected}", path=path)


def require_document(path: Path, expected: str, most_bytes: int = MOST_DOCUMENT_BYTES) -> None:
    """Raises InputError if `path` is no regular file of at most that size."""
    require_regular(path, expected)
    n_bytes = path.stat().st_size
    if n_bytes > most_bytes:
        raise InputError(f"{n_bytes} bytes; expected {expected}, at most {most_bytes} bytes long", path=path)


def read_text(path: Path, expected: str, most_bytes: int = MOST_DOCUMENT_BYTES) -> str:
    """The whole file, UTF-8; raises InputError, which says what was `expected` ("a machine file")."""
    require_document(path, expected, most_bytes)
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a byte order mark
    except OSError as error:
        raise InputError(f"could not be read ({error.strerror}); expected {expected}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not a text file; expected {expected}", path=path) from error


def read_json(path: Path, expected: str) -> Table:
    """The object of a JSON file; raises InputError for everything that is none."""
    return Table(path, "", parse_json(read_text(path, expected), expected, path))


def parse_json(text: str, expected: str, path: Path, line: int | None = None) -> dict[str, Any]:
    """The object that a JSON text holds, the whole of a file or its `line`; raises InputError."""
    try:
        document = json.loads(text, object_pairs_hook=_without_doubled_keys)
    except RecursionError as error:
        raise InputError(f"brackets nested too deep; expected {expected}", path=path, line=line) from error
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error}); expected {expected}", path=path, line=line) from error
    except ValueError as error:
        raise InputError(f"{_reason(error)}; expected {expected}", path=path, line=line) from error
    if not isinstance(document, dict):
        raise InputError(f"holds no JSON object; expected {expected}", path=path, line=line)
    return document


def read_toml(path: Path, expected: str) -> Table:
    """The whole file; raises InputError, which says that `expected` ("a machine file") was."""
    text = read_text(path, expected, MOST_TOML_BYTES)
    if any(part.count(".") > MOST_KEY_PARTS for part in re.split(r"[\n=,\[\]{}]", text)):
        raise InputError(f"a key of more than {MOST_KEY_PARTS} parts; expected {expected}", path=path)
    try:
        values = tomllib.loads(text)
    except RecursionError as error:
        raise InputError(f"brackets nested too deep; expected {expected}", path=path) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"can't be read as TOML ({error}); expected {expected}", path=path) from error
    except ValueError as error:
        raise InputError(f"{_reason(error)}; expected {expected}", path=path) from error
    _refuse_long_numbers(path, values)
    return Table(path, "", values)


def _refuse_long_numbers(path: Path, values: dict[str, Any]) -> None:
    """TOML's whole numbers have 64 bits; the parser takes longer ones, which can't even be shown."""
    left: list[Any] = [values]
    while left:
        value = left.pop()
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise InputError("holds a whole number of more than 64 bits; expected smaller numbers", path=path)


class _DoubledKey(ValueError):
    """A JSON object names a key twice: one of the two values would be lost without a word."""


def _without_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _DoubledKey(f"the key {shown(key)} appears twice in one object")
        values[key] = value
    return values


def _reason(error: ValueError) -> str:
    """What a parser objected to; the only other ValueError of Python's is a number too long to convert."""
    return str(error) if isinstance(error, _DoubledKey) else "holds a number of thousands of digits"
