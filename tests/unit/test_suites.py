"""The comparison of whole test suites: reading a suite and comparing runs, without starting any MPI."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from suites import __main__ as comparing
from suites.__main__ import Verdict
from suites.outcomes import Outcome, difference, outcome, same
from suites.programs import Program, programs
from suites.starting import TIMED_OUT

PROGRAM = Program("folder/app 2", Path("app"))


def test_a_testlist_is_read_with_its_folders_arguments_and_limits(tmp_path):
    for name, text in {
        "testlist": "#off 2\ncoll\n",
        "coll/testlist": (
            "sum 4 arg=-n=3 env=SIZE=10 timeLimit=200\nknown 2 xfail=ticket1\n"
            "aborts 2 resultTest=TestStatus\naborts 2 resultTest=TestStatus\nopted 2 mpiexecarg=-q\n"
        ),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    aborts, summed = programs(tmp_path)
    assert (aborts.name, aborts.expects_failure, aborts.success) == ("coll/aborts 2", True, None)
    assert (summed.name, summed.path) == ("coll/sum 4 -n=3 SIZE=10", tmp_path / "coll" / "sum")
    assert (summed.n_ranks, summed.arguments, summed.environment) == (4, ("-n=3",), (("SIZE", "10"),))
    assert (summed.limit_s, summed.success) == (200, "No Errors")


def traced(status: int, stderr: str, stdout: str = "No Errors\n") -> Outcome:
    return outcome("count", status, stdout.encode(), stderr.encode(), [])


def test_what_a_command_of_corewise_prints_itself_is_no_difference():
    plain = outcome("plain", 3, b"No Errors\n", b"abort 17\n", [])
    own = "abort 18\n/tmp/profile: incomplete profile of 2 ranks, 1 s\n  rank 0 did not reach MPI_Finalize\n"
    assert same(plain, traced(1, own + "corewise: the program ended with exit code 3\n"))
    assert not same(plain, traced(1, own + "corewise: the program ended with exit code 4\n"))
    assert not same(plain, traced(1, "corewise: 2 calls were not recorded\n" + own))


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("count", "corewise: no rank of './app' reported: expected an MPI program\n"),
        ("count", "p: incomplete profile of 2 ranks, 1 s\ncorewise: p had no room for 3 calls (disk full)\n"),
        (
            "run",
            "Bindings (requested and seen)\nNo rank reported its binding: is this an MPI program?; 1 s.\n",
        ),
        ("steer", "corewise: 1 s\nrank 1 ended on a mask that no rank started with: [0]\n"),
    ],
)
def test_a_failure_of_corewise_is_none_of_the_program_s_and_a_difference(mode, said, status):
    failed = outcome(mode, 1, b"", said.encode(), [])
    assert not same(outcome("plain", status, b"", b"", []), failed)
    assert difference(outcome("plain", status, b"", b"", []), failed).startswith("corewise failed: ")


@pytest.mark.parametrize(
    ("program", "given", "passed"),
    [
        (PROGRAM, Outcome(0, (), ()), True),
        (PROGRAM, Outcome(1, (), ()), False),
        (PROGRAM, Outcome(124, (), ()), False),
        (Program("x", Path("x"), success="No Errors"), Outcome(0, (" no errors",), ()), True),
        (Program("x", Path("x"), success="No Errors"), Outcome(0, ("Found 3 errors",), ()), False),
        (Program("x", Path("x"), expects_failure=True), Outcome(3, (), ()), True),
        (Program("x", Path("x"), expects_failure=True), Outcome(0, (), ()), False),
    ],
)
def test_a_program_passes_as_its_suite_says(program, given, passed):
    assert given.passed(program) == passed


@pytest.mark.parametrize(
    ("plain", "count", "verdict"),
    [
        ("a", "a", Verdict("same")),
        ("a a a a", "b b b b", Verdict("different", "stdout: new 'b'", 4, 4)),
        ("a a a a", "b a b a", Verdict("flaky", "stdout: new 'b'", 2, 4)),
        ("a b a a", "b b b b", Verdict("same", "", 0, 4)),  # the plain program also has both outcomes
        ("fails", "fails", Verdict("fails alike")),
        ("fails b fails fails", "b fails b b", Verdict("fails alike", "", 0, 4)),
        ("fails fails fails fails", "a a a a", Verdict("different", "exit 1, now 0; a", 4, 4)),
        ("a", "refused", Verdict("refused", "no")),
    ],
)
def test_a_difference_is_repeated_before_it_counts(plain, count, verdict):
    left = {"plain": iter(plain.split()), "count": iter(count.split())}

    def begin(mode):
        line = next(left[mode])
        refused = "no" if line == "refused" else ""
        return Outcome(int(line == "fails"), (line,), (), refused=refused)

    assert comparing.verdict(PROGRAM, begin("plain"), "count", begin) == verdict


def test_a_program_that_hangs_or_is_not_built_is_not_tried(monkeypatch, tmp_path):
    program = Program("app 2", tmp_path / "app")
    (found,) = dict(comparing.verdicts(program, None, ["count"], tmp_path)).items()
    assert found == ("count", Verdict("not built", "make did not build app"))
    program.path.touch()
    monkeypatch.setattr(comparing, "started", lambda *_: Outcome(TIMED_OUT, (), ()))
    found = dict(comparing.verdicts(program, None, ["count", "run"], tmp_path))
    assert found == dict.fromkeys(("count", "run"), Verdict("hangs plainly"))


STARTS = """
import json, os, sys, tempfile
from pathlib import Path
from suites import starting
starting.prepare()
with tempfile.TemporaryFile() as out:
    status = starting.run(["sh", "-c", sys.argv[1]], Path(sys.argv[2]), dict(os.environ), out, out, 1.0)
    print(json.dumps([status, starting.children()]))
"""


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("exit 7", 7),
        ("kill -9 $$", 137),
        ("setsid sleep 600 & echo $! > pid; exit 0", 0),
        ("trap '' TERM; sleep 600 & echo $! > pid; wait", 124),
    ],
)
def test_no_process_of_a_command_is_left(tmp_path, command, status):
    argv = [
        sys.executable,
        "-c",
        STARTS.replace("prepare()", "prepare(); starting.GRACE_S = 1.0"),
        command,
        str(tmp_path),
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == [status, []]
    pid = tmp_path / "pid"
    assert not pid.exists() or not Path(f"/proc/{pid.read_text().strip()}").exists()
