"""Processes: exit codes, and that no process is left, however a command ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.nouns.launch_plan import LaunchPlan
from corewise.start import process
from corewise.start.launching import start
from corewise.start.process import TIMED_OUT, run_command

# A child in the same session and one in its own, like ranks and daemons. Both would outlive their parent.
FAMILY = "sleep {0} & setsid sleep {0} & wait"


def running(seconds: str) -> list[int]:
    """Processes that sleep for this time. The unusual number identifies ours."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{seconds}\0".encode():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_the_command_of_a_plan_is_copied_with_its_environment():
    plan = LaunchPlan(["srun", "./a b"], {"SLURM_HOSTFILE": "a b/hosts"})
    assert plan.command_text == "SLURM_HOSTFILE='a b/hosts' srun './a b'"


@pytest.fixture
def mark() -> str:
    return f"{1000 + os.getpid()}"


@pytest.mark.parametrize(("script", "code"), [("true", 0), ("exit 3", 3), ("kill -9 $$", 137)])
def test_the_exit_code_is_the_commands_own(script, code):
    found, wall_s = run_command(["bash", "-c", script])
    assert found == code
    assert wall_s > 0


def test_a_program_that_is_not_there_is_missing():
    with pytest.raises(MissingError, match="nowhere"):
        run_command(["/nowhere/program"])


def test_nothing_is_left_of_a_command_that_runs_out_of_time(mark):
    assert run_command(["bash", "-c", FAMILY.format(mark)], timeout_s=0.5)[0] == TIMED_OUT
    assert running(mark) == []


def test_nothing_is_left_of_a_command_that_leaves_a_daemon(mark):
    assert run_command(["bash", "-c", f"setsid sleep {mark} & exit 0"])[0] == 0
    assert running(mark) == []


def test_a_command_that_ignores_being_told_to_end_is_killed(mark, monkeypatch):
    monkeypatch.setattr(process, "GRACE_S", 0.2)
    stubborn = f"trap '' TERM; {FAMILY.format(mark)}; sleep {mark}"
    assert run_command(["bash", "-c", stubborn], timeout_s=0.5)[0] == TIMED_OUT
    assert running(mark) == []


def test_a_plan_starts_where_standard_output_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert start(LaunchPlan(["true"]))[0] == 0


def test_a_plan_adds_its_environment_to_ours(monkeypatch):
    monkeypatch.setenv("COREWISE_TEST_OURS", "ours")
    words = ["bash", "-c", '[ "$COREWISE_TEST_OURS $COREWISE_TEST_PLAN" = "ours plan" ]']
    assert start(LaunchPlan(words, {"COREWISE_TEST_PLAN": "plan"}))[0] == 0
    assert "COREWISE_TEST_PLAN" not in os.environ


def test_a_process_beside_ours_may_have_a_name_that_is_not_utf_8(tmp_path, mark):
    program = os.fsencode(tmp_path) + b"/caf\xe9"
    shutil.copy(shutil.which("sleep"), program)
    other = subprocess.Popen([program, mark])
    try:
        assert run_command(["true"])[0] == 0
    finally:
        other.kill()
        other.wait()


def test_children_that_were_there_before_are_left_alone(mark):
    own = subprocess.Popen(["sleep", mark])
    try:
        run_command(["bash", "-c", "setsid sleep 1 & exit 0"])
        assert own.poll() is None
    finally:
        own.kill()
        own.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_no_process(mark, number):
    start = f"run_command(['bash', '-c', '{FAMILY.format(mark)}'])"
    code = f"from corewise.start.process import run_command; {start}"
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while len(running(mark)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(running(mark)) == 2
    parent.send_signal(number)
    _, errors = parent.communicate(timeout=20)
    assert ("KeyboardInterrupt" if number == signal.SIGINT else "interrupts.Terminated") in errors
    assert running(mark) == []
