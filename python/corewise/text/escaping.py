"""Escapes arguments and names that are not UTF-8: such a byte is written as \\xNN.

In Python, such a byte is a surrogate (PEP 383, "surrogateescape"). Commands, paths and launchers' files get
the original byte back, but JSON, HTML and terminals can't contain it.
"""

from __future__ import annotations

import codecs
import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

PRINTABLE = "corewise-printable"  # name of the error handler for streams that calls printable()

_SURROGATE = re.compile("[\udc80-\udcff]")


def printable(text: str) -> str:
    r"""`text` with every byte that is not UTF-8 as \xNN."""
    return text if text.isascii() else _SURROGATE.sub(lambda match: f"\\x{ord(match[0]) - 0xDC00:02x}", text)


def escaped(text: str) -> str:
    r"""printable(text), also with control characters escaped, such as \xNN or \n."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in printable(text)
    )


def json_text(document: Any, indent: int | None = None) -> str:
    """The document as valid JSON, even if texts are not UTF-8."""
    text = json.dumps(document, indent=indent)
    return json.dumps(_printable(document), indent=indent) if r"\udc" in text else text


def shell_text(argv: Sequence[str]) -> str:
    """A command to copy into bash, with `$'...'` around words that are not UTF-8."""
    return " ".join(_quoted(word) for word in argv)


def _printable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable(item) for item in value]
    return printable(value) if isinstance(value, str) else value


def _quoted(word: str) -> str:
    if not _SURROGATE.search(word):
        return shlex.quote(word)
    escaped = re.sub(r"[\\']", r"\\\g<0>", word)
    return f"$'{printable(escaped)}'"


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    bad = error.object[error.start : error.end]
    return (printable(bad), error.end) if _SURROGATE.fullmatch(bad) else codecs.backslashreplace_errors(error)


codecs.register_error(PRINTABLE, _replaced)
