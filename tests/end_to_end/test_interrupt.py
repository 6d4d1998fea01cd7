"""Signals during work and while the command line is loaded: one line, no file, no torn output, code 130."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

COREWISE = str(Path(sys.executable).with_name("corewise"))
N, PARTNERS = 4096, 250
MOST_CPU_S = 1  # CPU time after the signal, because other work may load the machine
MOST_S = 10


@pytest.fixture(scope="module")
def matrix(tmp_path_factory) -> str:
    """A million pairs: each rank sends to about 250 others."""
    random = np.random.default_rng(0)
    ranks = np.repeat(np.arange(N), PARTNERS), random.integers(0, N, N * PARTNERS)
    path = tmp_path_factory.mktemp("traffic") / "m.npz"
    sparse.save_npz(path, sparse.coo_array((random.integers(1, 1000, N * PARTNERS), ranks), shape=(N, N)))
    return str(path)


def used_s(pid: int) -> float:
    """CPU time of a process until now (proc(5), /proc/PID/stat)."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def read_until(terminal: int, words: bytes) -> bytes:
    """The output of the terminal up to `words`, or up to its end."""
    shown = b""
    while words not in shown:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
    return shown


ON_MACHINE = ["MATRIX", "--machine", "draco:512"]


@pytest.mark.parametrize(
    ("arguments", "at_work"),
    [
        (["map", *ON_MACHINE, "--effort", "strong", "-o", "best.json"], b"mapping 4096 ranks"),
        (["advise", *ON_MACHINE, "--effort", "strong"], b"searching for the best and the worst"),
        (
            ["report", *ON_MACHINE, "--effort", "strong", "-o", "page.html"],
            b"searching for the best and the worst",
        ),
        (["simulate", *ON_MACHINE, "--engine", "estimate"], b"estimate: run 1 of 1"),
    ],
    ids=["map", "advise", "report", "simulate"],
)
def test_interrupted_work_says_so_at_once_and_leaves_no_file(arguments, at_work, matrix, tmp_path):
    terminal, its_side = pty.openpty()
    words = [COREWISE, *(matrix if word == "MATRIX" else word for word in arguments)]
    job = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=its_side)
    os.close(its_side)
    try:
        assert at_work in read_until(terminal, at_work)
        before_s = used_s(job.pid)
        job.send_signal(signal.SIGINT)
        sent_s = time.monotonic()
        shown = read_until(terminal, b"no such words").decode()
        assert job.stdout.read() == b""
        _, status, usage = os.wait4(job.pid, 0)
        took_s = time.monotonic() - sent_s
        job.returncode = os.waitstatus_to_exitcode(status)
    finally:
        job.kill()
        os.close(terminal)
    assert job.returncode == 130
    assert shown.rstrip().endswith("corewise: interrupted")
    assert "leaked" not in shown
    assert list(tmp_path.iterdir()) == []
    assert usage.ru_utime + usage.ru_stime - before_s < MOST_CPU_S
    assert took_s < MOST_S


# Replaces click, which the command line loads first.
LOADING = """
import os, sys, time
open(os.environ["MARK"], "w").close()
sys.stdin.read()
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_command_line_is_loaded_ends_it_as_later(number, tmp_path):
    (tmp_path / "click.py").write_text(LOADING)
    mark = tmp_path / "mark"
    os.mkfifo(mark)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "MARK": str(mark)}
    job = subprocess.Popen(
        [COREWISE, "topo"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    open(mark).close()  # waits until the other end is opened
    job.send_signal(number)
    out, err = job.communicate(timeout=60)
    assert (job.returncode, out, err) == (130, "", "corewise: interrupted\n")


# nanobind creates enumerations while the extension is initialized. Python handles a signal that arrives then.
SETTING_UP = """
import enum, signal
make = enum.EnumMeta.__call__
def interrupted(*args, **named):
    signal.raise_signal(signal.SIGINT)
    enum.EnumMeta.__call__ = make
    return make(*args, **named)
enum.EnumMeta.__call__ = interrupted
try:
    import corewise.model
except KeyboardInterrupt:
    print("interrupted")
"""

# Python 3.11 turns an exception from the creation of a class into RuntimeError.
IN_A_CLASS = """
from corewise import cli
def command(**_):
    class Interrupted:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt
    class Owner:
        field = Interrupted()
cli.cli = command
cli.main()
"""


@pytest.mark.parametrize(
    ("program", "ended"),
    [(SETTING_UP, (0, "interrupted\n", "")), (IN_A_CLASS, (130, "", "corewise: interrupted\n"))],
    ids=["extension", "class"],
)
def test_an_interruption_stays_one_wherever_it_comes(program, ended):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == ended
