"""The comparison of whole test suites: reading a suite and comparing runs, without starting any MPI."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mpis_here import Mpi
from suites import comparing, starting, table
from suites.comparing import Verdict
from suites.journal import Entry, Journal
from suites.mpich_suite import MpichSuite
from suites.outcomes import Outcome, difference, outcome, same
from suites.programs import NotBuilt, Program

OPENMPI = Mpi("openmpi", "mpirun", "mpicc", None)
MPICH = Mpi("mpich", "mpirun", "mpicc", None)
PROGRAM = Program("folder/app 2", "folder/app")


@pytest.fixture
def suite(tmp_path):
    """A suite of our own in MPICH's format."""
    for name, text in {
        "testlist.in": "#off\n@iodir@\n@cxxdir@\n@f90dir@\ncoll\n",
        "f90/testlist.in": "@F03SPAWNARGTEST@argv 1\n@ALLOCMEMFC@\n",
        "io/testlist": "plainio 1\n",
        "coll/testlist.in": (
            "sum 4 arg=-n=3 env=SIZE=10 timeLimit=200\n"
            "chosen 2 env=MPIR_CVAR_X=ring\n"
            "known 2 xfail=ticket1\n"
            "big 2 mem=64\n"
            "aborts 2 resultTest=TestStatus mpiexecarg=-q\n"
            "@coll_error@never 2\n"
            "@namepub_tests@named 2\n"
        ),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return MpichSuite(tmp_path)


def test_a_testlist_is_read_with_its_folders_arguments_and_limits(suite):
    found = {program.name: program for program in suite.programs(MPICH)}
    assert list(found) == [
        "io/plainio 1",
        "f90/argv 1",
        "coll/sum 4 -n=3 SIZE=10",
        "coll/chosen 2 MPIR_CVAR_X=ring",
        "coll/aborts 2 -q",
        "coll/named 2",
    ]
    program = found["coll/sum 4 -n=3 SIZE=10"]
    assert (program.n_ranks, program.arguments, program.environment) == (4, ("-n=3",), (("SIZE", "10"),))
    assert (program.limit_s, program.success) == (200, "No Errors")
    assert found["coll/aborts 2 -q"].expects_failure and found["coll/aborts 2 -q"].success is None


def test_lines_that_choose_an_algorithm_or_an_option_of_mpich_are_not_for_open_mpi(suite):
    assert [program.name for program in suite.programs(OPENMPI)] == [
        "io/plainio 1",
        "f90/argv 1",
        "coll/sum 4 -n=3 SIZE=10",
        "coll/named 2",
    ]


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


def test_bindings_that_differ_are_another_test_s_business():
    said = b"Bindings (requested and seen)\n2 of 2 bindings differ (0 ranks did not report); 1 s.\n"
    assert same(outcome("plain", 0, b"", b"", []), outcome("run", 1, b"", said, []))


def test_a_line_that_the_library_prints_during_the_run_is_a_difference():
    plain = outcome("verify", 0, b"", b"", [])
    assert not same(plain, outcome("verify", 0, b"", b"corewise: 1 call was not recorded\n", []))


def test_numbers_may_differ_and_words_may_not():
    assert same(traced(0, "", "took 1.25 s at 0x7f12\n"), traced(0, "", "took    3 s at 0xa\n"))
    assert not same(traced(0, "", "took 1.25 s\n"), traced(0, "", "lost 1.25 s\n"))


def test_what_a_launcher_prints_about_its_own_messages_may_differ():
    error = "[n:7] *** An error occurred in MPI_Win_attach\n"
    damaged = "[n:6] [[1,0],0] ORTE_ERROR_LOG: Out of resource in file ../orte/util/show_help.c at line 501\n"
    counted = (
        "[n:6] 3 more processes have sent help message help-mpi-errors.txt / mpi_errors_are_fatal\n"
        '[n:6] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages\n'
    )
    plain = outcome("plain", 1, b"", error.encode(), [])
    assert all(outcome("plain", 1, b"", (error + more).encode(), []) == plain for more in (damaged, counted))


def test_a_message_of_prrte_ends_in_a_null_byte():
    plain = outcome("plain", 1, b"", b"abort\n\0", [])
    own = "/tmp/profile: incomplete profile of 2 ranks, 1 s\ncorewise: the program ended with exit code 1\n"
    assert same(plain, traced(1, "abort\n\0" + own, ""))


def test_the_stack_of_a_crash_may_differ():
    crash = "[n:7] Signal: Segmentation fault (11)\n"
    own = "[n:7] [ 1] /x/libcorewise_pmpi_openmpi.so(MPI_Send+0x139)[0x7f852ff707a9]\n"
    assert outcome("plain", 1, b"", crash.encode(), []) == outcome(
        "plain", 1, b"", (crash + own).encode(), []
    )


def test_files_that_stay_in_the_working_folder_are_a_difference():
    left = outcome("count", 0, b"", b"", ["corewise.log"])
    assert not same(outcome("plain", 0, b"", b"", []), left)


@pytest.mark.parametrize(
    ("program", "given", "passed"),
    [
        (PROGRAM, Outcome(0, (), ()), True),
        (PROGRAM, Outcome(1, (), ()), False),
        (PROGRAM, Outcome(124, (), ()), False),
        (Program("x", "x", success="No Errors"), Outcome(0, (" no errors",), ()), True),
        (Program("x", "x", success="No Errors"), Outcome(0, ("Found 3 errors",), ()), False),
        (Program("x", "x", expects_failure=True), Outcome(3, (), ()), True),
        (Program("x", "x", expects_failure=True), Outcome(0, (), ()), False),
    ],
)
def test_a_program_passes_as_its_suite_says(program, given, passed):
    assert given.passed(program) == passed


class Scripted:
    """A suite of one program, whose outcomes are given by mode, in order."""

    name = "scripted"

    def __init__(self, monkeypatch, **outcomes: str):
        self.left = {mode: iter(lines.split()) for mode, lines in outcomes.items()}
        monkeypatch.setattr(comparing, "_started", self.started)

    def build(self, program, mpi, folder):
        return ["./app"]

    def started(self, mode, *_):
        line = next(self.left[mode])
        refused = "no" if line == "refused" else ""
        status = {"fails": 1, "hangs": starting.TIMED_OUT}.get(line, 0)
        return Outcome(status, (line,), (), refused=refused), 1.0


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
        ("hangs", "", Verdict("hangs plainly")),
        ("a", "refused", Verdict("refused", "no")),
    ],
)
def test_a_difference_is_repeated_before_it_counts(monkeypatch, plain, count, verdict):
    suite = Scripted(monkeypatch, plain=plain, count=count)
    assert comparing.compare(suite, PROGRAM, MPICH, ["count"], Path("built")) == {"count": verdict}


def test_a_program_that_can_not_be_built_is_not_tried():
    class Unbuilt:
        def build(self, program, mpi, folder):
            raise NotBuilt("no header")

    found = comparing.compare(Unbuilt(), PROGRAM, MPICH, ["count", "run"], Path("built"))
    assert found == dict.fromkeys(("count", "run"), Verdict("not built", "no header"))


def test_a_journal_that_was_cut_off_continues_behind_its_last_whole_line(tmp_path):
    path = tmp_path / "journal.jsonl"
    Journal(path).add([Entry("s", "mpich", "a 2", mode, Verdict("same")) for mode in ("count", "time")])
    path.write_text(path.read_text()[:-30])
    journal = Journal(path)
    assert journal.missing("s", "mpich", "a 2", ["count", "time", "run"]) == ["time", "run"]
    journal.add([Entry("s", "mpich", "a 2", "time", Verdict("flaky", "x", 1, 4))])
    assert [entry.verdict.verdict for entry in Journal(path)] == ["same", "flaky"]


def test_the_table_counts_what_ran_apart_from_what_was_not_tried():
    verdicts = [
        Verdict("same", steered=True),
        Verdict("different", "exit 0, now 3", 4, 4),
        Verdict("not built"),
    ]
    entries = [Entry("s", "mpich", f"p{i} 2", "steer", verdict) for i, verdict in enumerate(verdicts)]
    found = table.document(entries)
    row = found["rows"][0]
    assert (row["programs"], row["same"], row["different"], row["not_built"], row["steered"]) == (
        2,
        1,
        1,
        1,
        1,
    )
    assert "different: p1 2 [mpich, steer] 4 of 4 starts: exit 0, now 3" in table.text(found)


STARTS = """
import json, os, sys, tempfile
from pathlib import Path
from suites import starting
starting.prepare()
with tempfile.TemporaryFile() as out:
    status = starting.run(["sh", "-c", sys.argv[1]], Path(sys.argv[2]), dict(os.environ), out, out, 1.0)
    print(json.dumps([status, starting._children()]))
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


POOL = """
import os, sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from suites import starting

def wait(folder):
    with open(os.devnull, "wb") as out:
        starting.run(["sh", "-c", "echo $PPID $$ > pids; sleep 600"], Path(folder), {}, out, out, 600)

with ProcessPoolExecutor(1, initializer=starting.prepare) as pool:
    pool.submit(wait, sys.argv[1]).result()
"""


def test_a_killed_run_leaves_no_worker_and_no_program(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    run = subprocess.Popen([sys.executable, "-c", POOL, str(tmp_path)], env=environment)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pids").exists() or not (tmp_path / "pids").read_text():
        assert time.monotonic() < deadline and run.poll() is None
        time.sleep(0.05)
    run.terminate()
    run.wait(30)
    left = [Path("/proc", pid) for pid in (tmp_path / "pids").read_text().split()]
    while any(process.exists() for process in left):
        assert time.monotonic() < deadline + 30
        time.sleep(0.05)
