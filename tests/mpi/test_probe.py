"""`corewise probe` on this machine: real messages on verified cores, and nothing is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import mpi_jobs
import pytest
from corewise.machines import load
from corewise.probe.pairs import CURVE_SIZES

pytestmark = pytest.mark.alone
COREWISE = str(Path(sys.executable).with_name("corewise"))


def launcher(family: str) -> str:
    if not (mpi_jobs.NATIVE / f"probe-{family}" / "link-probe").exists():
        pytest.skip(f"link-probe was not built for {family}")
    return mpi_jobs.tool(family, "mpirun")


def test_this_machine_is_measured_on_verified_cores(family, two_cores, tmp_path):
    words = ["probe", "--repeat-time", "0.1", "-o", "here.toml", "--json", "--", launcher(family), "-n", "2"]
    done = subprocess.run([COREWISE, *words], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["verified"], document["n_ranks"], document["n_passes"]) == (True, 2, 1)
    measured = document["levels"][0]
    assert [point[0] for point in measured["curve"]] == CURVE_SIZES
    low, high = measured["latency_bounds_s"]
    assert 0 < low <= measured["latency_s"] <= high
    assert {tuple(load[:3]) for load in measured["loads"]} >= {(1, 1, 1), (1, 1, 2)}
    machine = load(str(tmp_path / "here.toml"))
    assert machine.fingerprint == load("local").fingerprint
    assert machine.levels[0].source.startswith("measured ")
    assert [path.name for path in tmp_path.iterdir()] == ["here.toml"]


def test_an_interruption_leaves_neither_processes_nor_files(family, two_cores, tmp_path):
    words = [COREWISE, "probe", "--repeat-time", "600", "-o", "here.toml", "--", launcher(family)]
    started = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".corewise-*/profile/*")):  # the ranks have started
        assert started.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert (started.returncode, errors.strip()) == (130, "corewise: interrupted")
    assert list(tmp_path.iterdir()) == []
    assert [pid for pid in _processes() if str(tmp_path) in pid] == []


def _processes() -> list[str]:
    """The working folder and command line of every process."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found.append(f"{os.readlink(path / 'cwd')} {words}")
        except OSError:
            continue
    return found


def test_a_plan_that_cannot_be_followed_is_one_sentence(family, tmp_path):
    (tmp_path / "plan").write_text("pingpong 1 0-1\npingpong 1 0-7\n")
    launcher(family)
    program = str(mpi_jobs.NATIVE / f"probe-{family}" / "link-probe")
    for plan, said in (
        ("plan", "line 2 of the plan; expected pairs of different ranks that are there"),
        ("none", "the plan none could not be read"),
    ):
        done = subprocess.run(
            mpi_jobs.command(family, 2, [program, plan, "1", "1"], {}),
            cwd=tmp_path,
            env=os.environ | mpi_jobs.ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert f"link-probe: {said}" in done.stderr and done.stdout.strip() == ""
