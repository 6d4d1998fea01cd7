"""Gives the same standard input to several runs of a program."""

from __future__ import annotations

import os
import select
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from corewise.errors import InputError
from corewise.start.streams import Relay

MOST_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class StandardInput:
    """Passes standard input on to the first run, and a copy of the same bytes to later runs.

    The first run gets bytes as they arrive, because some streams never end, for example under ssh. A terminal
    is not read: every run gets empty input. Raises InputError for more than MOST_BYTES.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self.is_terminal = os.isatty(descriptor)
        self._source = None if self.is_terminal or not _is_open(descriptor) else descriptor
        self._copy = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as this object)
        if self._source is not None and _bytes_left(self._source) > MOST_BYTES:
            raise _too_long()

    @contextmanager
    def for_run(self) -> Iterator[tuple[IO[Any] | int, tuple[Relay, ...]]]:
        """The standard input of one run, and the relays that fill it while the run lasts."""
        if self._source is None:
            self._copy.seek(0)
            yield (subprocess.DEVNULL if self.is_terminal else self._copy), ()
            return
        for_the_run, ours = os.pipe()
        recorder = _Recorder(self._source, ours, self._copy)
        self._source = None
        try:
            yield for_the_run, (recorder,)
        finally:
            recorder.close()
            os.close(for_the_run)


class _Recorder:
    """Copies `source` to a pipe and, before that, to a file."""

    def __init__(self, source: int, pipe: int, copy: IO[bytes]) -> None:
        self._source, self._copy = source, copy
        self._pipe: int | None = pipe
        self._pending = b""
        os.set_blocking(pipe, False)

    def waits_for(self) -> tuple[int, int] | None:
        if self._pipe is None:
            return None
        return (self._pipe, select.POLLOUT) if self._pending else (self._source, select.POLLIN)

    def move(self) -> None:
        if self._pending:
            self._pass_on()
        else:
            self._take()

    def _take(self) -> None:
        with suppress(BlockingIOError):  # another process may have read the bytes
            self._pending = os.read(self._source, _CHUNK_BYTES)
            self._copy.write(self._pending)
            if self._copy.tell() > MOST_BYTES:
                self.close()
                raise _too_long()
            if not self._pending:
                self.close()

    def _pass_on(self) -> None:
        assert self._pipe is not None
        try:
            self._pending = self._pending[os.write(self._pipe, self._pending) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the run has closed its standard input
            self.close()

    def close(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _bytes_left(descriptor: int) -> int:
    """The number of unread bytes of a regular file; 0 for a stream, whose length is unknown."""
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return 0
    return found.st_size - os.lseek(descriptor, 0, os.SEEK_CUR)


def _too_long() -> InputError:
    return InputError(
        f"standard input holds more than {MOST_BYTES} bytes, and every run needs a copy of it; "
        "let the program open a file by its name instead"
    )
