"""Reads files that users name: only regular files of bounded size; text, JSON and TOML."""

from __future__ import annotations

import json
import re
import stat
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.table import Table, shown

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Parsed JSON takes up to 25 times the file's size in memory; a placement of a million ranks has 40 MB.
MOST_DOCUMENT_BYTES = 64 * 1024 * 1024
# TOML files are written by hand; the parser needs 1 s per MB.
MOST_TOML_BYTES = 4 * 1024 * 1024
# The parser's time is quadratic in the number of a key's parts.
MOST_KEY_PARTS = 64


def require_regular(path: Path, expected: str) -> None:
    """Raises InputError if `path` is no regular file, because reading a device or FIFO might never end."""
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


def check_replaced(path: Path, read: Callable[[Path], object], kind: str) -> None:
    """Raises InputError if `path` has a file that is not `kind` ("a placement"): `read` refuses it."""
    if not path.exists():
        return
    try:
        read(path)
    except InputError as error:
        raise InputError(
            f"is a file that is not {kind}; expected a new name, or {kind} to replace", path=path
        ) from error


def read_text(path: Path, expected: str, most_bytes: int = MOST_DOCUMENT_BYTES) -> str:
    """The UTF-8 text of the file; `expected` ("a machine file") is for the InputError."""
    require_document(path, expected, most_bytes)
    try:
        return path.read_text(encoding="utf-8-sig")  # removes the byte order mark of some editors
    except OSError as error:
        raise InputError(f"could not be read ({error.strerror}); expected {expected}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not a text file; expected {expected}", path=path) from error


def read_json(path: Path, expected: str) -> Table:
    """The object in a JSON file; raises InputError if there is none."""
    return Table(path, "", parse_json(read_text(path, expected), expected, path))


def parse_json(text: str, expected: str, path: Path, line: int | None = None) -> dict[str, Any]:
    """The object in a JSON text, which is a file or its `line`; raises InputError."""
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
    """The document in a TOML file; `expected` ("a machine file") is for the InputError."""
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


def read_own_toml(package: str, name: str) -> dict[str, Any]:
    """The values of a TOML file that is part of a package of corewise."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text("utf-8"))


def _refuse_long_numbers(path: Path, values: dict[str, Any]) -> None:
    """Integers in TOML have 64 bits, but the parser accepts longer ones, which Python may refuse to print."""
    left: list[Any] = [values]
    while left:
        value = left.pop()
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise InputError("holds a whole number of more than 64 bits; expected smaller numbers", path=path)


class _DoubledKey(ValueError):
    """A JSON object has a key twice, of which json.loads() would silently drop one."""


def _without_doubled_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _DoubledKey(f"the key {shown(key)} appears twice in one object")
        values[key] = value
    return values


def _reason(error: ValueError) -> str:
    """The reason for a parser's ValueError: a doubled key, or else a number that is too long."""
    return str(error) if isinstance(error, _DoubledKey) else "holds a number of thousands of digits"
