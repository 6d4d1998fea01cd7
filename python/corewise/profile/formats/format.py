"""A format of inputs: how to recognise its files, and how to read them."""

from __future__ import annotations

import gzip
import re
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from corewise.errors import InputError
from corewise.files.document import read_toml, require_regular
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


# 1 MiB of gzip may unpack to 1 GiB; a text square of 8192 ranks has less.
MOST_UNPACKED_BYTES = 2**30
GZIP, BYTE_ORDER_MARK = b"\x1f\x8b", b"\xef\xbb\xbf"


@contextmanager
def opened(path: str) -> Iterator[InputFile]:
    """The file; `-` is standard input. Content that can't be read in place is copied to a temporary folder.

    Raises InputError if the file is not regular, is damaged, or unpacks to more than MOST_UNPACKED_BYTES.
    """
    with tempfile.TemporaryDirectory(prefix="corewise-input-") as folder:
        shown, content = path, Path(path)
        if path == "-":
            shown, content = "standard input", Path(folder) / "standard-input"
            _copy(shown, sys.stdin.buffer, content)
        require_regular(content, "a profile or a matrix file")
        name = Path(path)
        if _head(content).startswith(GZIP):
            name = name.with_suffix("") if name.suffix.lower() == ".gz" else name
            unpacked = Path(folder) / "unpacked"
            with gzip.open(content) as packed:
                _copy(shown, packed, unpacked)
            content = unpacked
        if _head(content).startswith(BYTE_ORDER_MARK):
            without = Path(folder) / "without-mark"
            with content.open("rb") as file:
                file.seek(len(BYTE_ORDER_MARK))
                _copy(shown, file, without)
            content = without
        yield InputFile(printable(shown), content, name.suffix.lower(), _head(content))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise InputError(f"could not be read ({error.strerror})", path=path) from error


def _copy(shown: str, source: IO[bytes] | gzip.GzipFile, target: Path) -> None:
    """Copies the stream to a file; raises InputError if it has more than MOST_UNPACKED_BYTES."""
    with target.open("wb") as file:
        try:
            while block := source.read(2**20):
                if file.tell() + len(block) > MOST_UNPACKED_BYTES:
                    raise InputError(f"{shown}: unpacks to more than {MOST_UNPACKED_BYTES} bytes; write .mtx")
                file.write(block)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"{shown}: damaged gzip file ({error}); expected all of it") from error


MOST_LOOKED_AT = 64  # files of a folder


@cache
def unread_formats() -> list[dict[str, Any]]:
    """The rows of unread.toml: name and instead, with head, name_is or both."""
    path = Path(__file__).with_name("unread.toml")
    return [row.values for row in read_toml(path, "formats that are not read").tables("format")]


def refuse_unread(file: InputFile) -> None:
    """Raises InputError if the file has a known but unsupported format."""
    for row in unread_formats():
        head, name = row.get("head"), row.get("name_is")
        if head and not re.search(head.encode("latin-1"), file.head, re.MULTILINE):
            continue
        if name and not re.search(name, file.shown.removesuffix(".gz"), re.IGNORECASE):
            continue
        raise file.error(f"is {row['name']}; expected a profile or a matrix: {row['instead']}")


def refuse_unread_folder(folder: Path) -> None:
    """Raises InputError if a folder without a profile contains a file of such a format."""
    names = sorted(path for path in folder.glob("*") if path.is_file())
    if any(path.suffix == ".cwprof" for path in names):
        return
    for path in names[:MOST_LOOKED_AT]:
        try:
            with path.open("rb") as content:
                head = content.read(HEAD_BYTES)
        except OSError:
            continue
        refuse_unread(InputFile(printable(str(path)), path, path.suffix.lower(), head))
