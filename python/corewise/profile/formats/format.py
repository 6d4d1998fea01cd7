"""A format of inputs: how to recognise its files, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corewise.errors import InputError
from corewise.model import CommMatrix
from corewise.text.escaping import printable

HEAD_BYTES = 2**16
MOST_BYTES = 2**28  # of files that Python code reads; the C++ core reads larger matrices from .mtx


@dataclass(frozen=True)
class InputFile:
    """A regular file to read. `shown` is its name for people; `path` has the uncompressed content.

    `suffix` is the lower-case ending without .gz; `head` is the first HEAD_BYTES of the content.
    """

    shown: str
    path: Path
    suffix: str
    head: bytes

    def error(self, what: str, line: int | None = None) -> InputError:
        """The error to raise for this file, or for one line of it."""
        return InputError(what, path=self.shown, line=line)

    def found(self, word: str, expected: str, line: int | None = None, most: int = 24) -> InputError:
        """The error to raise for a word, or for the `most` first characters of a line."""
        return self.error(f"found {printable(word)[:most]!r}; expected {expected}", line)

    def lines(self, path: Path | None = None) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, from 1; of another file if it is named."""
        with (path or self.path).open(encoding="utf-8", errors="surrogateescape") as lines:
            yield from enumerate(lines, 1)

    def refuse_large(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        """Raises InputError if the file, or another one that it names, has more than `most_bytes`."""
        if (size := (path or self.path).stat().st_size) > most_bytes:
            raise self.error(f"{size} bytes; expected at most {most_bytes}: write a larger matrix as .mtx")


@dataclass(frozen=True)
class Format:
    """A row of FORMATS; `sentence` describes the format and how it is recognised.

    `recognise` sees the head and the ending of a file and never fails; `read` raises InputError. A format
    without `read` has more than one file (a profile); read_input() recognises it.
    """

    name: str
    sentence: str
    recognise: Callable[[InputFile], bool] = lambda _: False
    read: Callable[[InputFile], CommMatrix] | None = None
