"""Prepares a user's file for the readers: uncompresses it, removes a byte order mark, or reads a pipe."""

from __future__ import annotations

import gzip
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corewise.errors import InputError
from corewise.files.document import require_regular
from corewise.profile.formats.format import HEAD_BYTES, InputFile
from corewise.text.escaping import printable

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
