"""Ctrl-C while a solver is at work: one line, no file, nothing torn down under the solver."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

COREWISE = str(Path(sys.executable).with_name("corewise"))
N = 1024


def read_until(terminal: int, words: bytes) -> bytes:
    """What the terminal shows up to and with `words`, or up to its end."""
    shown = b""
    while words not in shown:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
    return shown


def test_an_interrupted_map_says_so_and_leaves_no_file(tmp_path):
    drawn = np.random.default_rng(0).integers(0, 1000, (N, N))
    np.savez(tmp_path / "m.npz", bytes=drawn, msgs=np.ones((N, N), dtype=np.int64))
    command = [COREWISE, "map", "m.npz", "--machine", "draco:128", "--effort", "strong", "-o", "best.json"]
    terminal, its_side = pty.openpty()
    job = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=its_side)
    os.close(its_side)
    try:
        assert b"mapping 1024 ranks" in read_until(terminal, b"mapping 1024 ranks")
        job.send_signal(signal.SIGINT)
        shown = read_until(terminal, b"no such words").decode()
        assert job.communicate(timeout=60)[0] == b""
    finally:
        job.kill()
        os.close(terminal)
    assert job.returncode == 130
    assert shown.rstrip().endswith("corewise: interrupted")
    assert "leaked" not in shown
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]
