"""Every run gets all of standard input: a file, a pipe, a stream that stays open, or none."""

from __future__ import annotations

import os
import pty
import subprocess
import threading
from contextlib import ExitStack

import pytest
from corewise.errors import InputError
from corewise.start import standard_input
from corewise.start.process import run_command
from corewise.start.standard_input import StandardInput
from corewise.start.streams import Streams


def read_by_runs(source: StandardInput, folder, script: str = "cat", n_runs: int = 3) -> list[bytes]:
    """The input that each of several runs read."""
    for number in range(n_runs):
        with open(folder / str(number), "wb") as output, source.for_run() as (stdin, relays):
            run_command(["bash", "-c", script], Streams(stdin, output, None, relays), timeout_s=30)
    return [(folder / str(number)).read_bytes() for number in range(n_runs)]


def feeding(descriptor: int, content: bytes) -> threading.Thread:
    """Writes to a pipe and closes it, like the command before a `|`."""

    def write() -> None:
        with open(descriptor, "wb") as pipe:
            pipe.write(content)

    thread = threading.Thread(target=write)
    thread.start()
    return thread


LONG = bytes(range(256)) * 4096  # 1 MiB, more than a pipe holds


def test_every_run_gets_all_of_a_pipe(tmp_path):
    ours, theirs = os.pipe()
    thread = feeding(theirs, LONG)
    assert read_by_runs(StandardInput(ours), tmp_path) == [LONG] * 3
    thread.join()
    os.close(ours)


def test_every_run_gets_what_is_left_of_a_file(tmp_path):
    (tmp_path / "input").write_bytes(b"taken already\n" + LONG)
    with open(tmp_path / "input", "rb", buffering=0) as file:
        file.readline()
        assert read_by_runs(StandardInput(file.fileno()), tmp_path) == [LONG] * 3


def test_a_stream_that_stays_open_keeps_no_run_waiting_that_does_not_read_it_all(tmp_path):
    with ExitStack() as stack:
        ours, theirs = os.pipe()
        stack.callback(os.close, ours)
        stack.callback(os.close, theirs)
        os.write(theirs, b"4\nmore\n")
        assert read_by_runs(StandardInput(ours), tmp_path, "read n; echo $n") == [b"4\n"] * 3
        assert read_by_runs(StandardInput(ours), tmp_path, "echo none") == [b"none\n"] * 3


def test_a_terminal_is_not_read_and_nothing_is_there_for_a_closed_descriptor(tmp_path):
    terminal, its_side = pty.openpty()
    os.write(terminal, b"typed\n")
    source = StandardInput(its_side)
    assert source.is_terminal
    assert read_by_runs(source, tmp_path) == [b""] * 3
    os.close(terminal)
    os.close(its_side)
    assert read_by_runs(StandardInput(its_side), tmp_path) == [b""] * 3


def test_more_than_the_bound_is_refused_and_the_run_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(standard_input, "MOST_BYTES", 1000)
    endless = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    try:
        with pytest.raises(InputError, match="holds more than 1000 bytes"):
            read_by_runs(StandardInput(endless.stdout.fileno()), tmp_path, "cat >/dev/null; sleep 60")
    finally:
        endless.kill()
        endless.communicate()
    (tmp_path / "input").write_bytes(bytes(1001))
    with open(tmp_path / "input", "rb") as file, pytest.raises(InputError, match="more than 1000 bytes"):
        StandardInput(file.fileno())
