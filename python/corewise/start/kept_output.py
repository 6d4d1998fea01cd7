"""Keeps the beginning and the end of a run's output in a file of bounded size."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corewise.start.streams import Streams

HEAD_BYTES = TAIL_BYTES = 64 * 1024
_CHUNK_BYTES = 64 * 1024


@contextmanager
def kept_output(path: Path) -> Iterator[Streams]:
    """Streams that keep standard output and error in the file at `path`, in order of arrival.

    If there are more than HEAD_BYTES + TAIL_BYTES, a line replaces the middle. Standard error is also copied
    to ours.
    """
    with open(path, "wb") as file:
        kept = _HeadAndTail(file)
        output, messages = _Printed(kept), _Printed(kept, pass_on_to=2)
        try:
            yield Streams(stdout=output.for_the_run, stderr=messages.for_the_run, relays=(output, messages))
        finally:
            output.close()
            messages.close()
            kept.finish()


class _HeadAndTail:
    """Writes the head at once and the tail at the end, so that endless output doesn't fill the disk."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._tail, self._n_bytes = file, bytearray(), 0

    def add(self, chunk: bytes) -> None:
        room = max(0, HEAD_BYTES - self._n_bytes)
        self._n_bytes += len(chunk)
        self._file.write(chunk[:room])
        self._tail += chunk[room:]
        if len(self._tail) > 4 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]

    def finish(self) -> None:
        n_cut = self._n_bytes - HEAD_BYTES - TAIL_BYTES
        if n_cut > 0:
            self._file.write(f"\n[corewise left out {n_cut} bytes of output here]\n".encode())
        self._file.write(self._tail[-TAIL_BYTES:])


class _Printed:
    """The relay of one stream; the run writes to its pipe."""

    def __init__(self, kept: _HeadAndTail, pass_on_to: int | None = None) -> None:
        self._pipe, self.for_the_run = os.pipe()
        os.set_blocking(self._pipe, False)
        self._kept, self._pass_on_to = kept, pass_on_to

    def waits_for(self) -> tuple[int, int]:
        return self._pipe, select.POLLIN

    def move(self) -> None:
        self._keep(self._read())

    def close(self) -> None:
        """Reads the rest of the pipe; to be called when all processes of the run have ended."""
        os.close(self.for_the_run)
        while chunk := self._read():
            self._keep(chunk)
        os.close(self._pipe)

    def _read(self) -> bytes:
        try:
            return os.read(self._pipe, _CHUNK_BYTES)
        except BlockingIOError:
            return b""

    def _keep(self, chunk: bytes) -> None:
        self._kept.add(chunk)
        if self._pass_on_to is not None:
            _write_all(self._pass_on_to, chunk)


def _write_all(descriptor: int, chunk: bytes) -> None:
    while chunk:
        try:
            chunk = chunk[os.write(descriptor, chunk) :]
        except BlockingIOError:  # launchers and ssh make a shared terminal nonblocking
            select.select([], [descriptor], [])
