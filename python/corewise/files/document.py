"""Reading what a user names: regular files alone, of bounded size, and JSON whatever it holds."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

from corewise.errors import InputError

# JSON takes about ten times its size in memory once it is read; a placement of a million ranks has 40 MB.
MOST_DOCUMENT_BYTES = 128 * 1024 * 1024


def require_regular(path: Path, expected: str) -> None:
    """Raises InputError where `path` is no regular file: reading a device or FIFO might never end."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise InputError(f"{path}: could not be read ({error.strerror}); expected {expected}") from error
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "a device, FIFO or socket"
        raise InputError(f"{path}: is {kind}; expected {expected}")


def read_text(path: Path, expected: str) -> str:
    """The whole file, UTF-8; raises InputError, which says what was `expected` ("a machine file")."""
    require_regular(path, expected)
    try:
        n_bytes = path.stat().st_size
        if n_bytes > MOST_DOCUMENT_BYTES:
            raise InputError(
                f"{path}: {n_bytes} bytes; expected {expected}, at most {MOST_DOCUMENT_BYTES} bytes long"
            )
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: could not be read ({error.strerror}); expected {expected}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text file; expected {expected}") from error


def read_json(path: Path, expected: str) -> dict[str, Any]:
    """The object of a JSON file; raises InputError for everything that is none."""
    text = read_text(path, expected)
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise InputError(f"{path}: brackets nested too deep; expected {expected}") from error
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); expected {expected}") from error
    if not isinstance(document, dict):
        raise InputError(f"{path}: holds no JSON object; expected {expected}")
    return document
