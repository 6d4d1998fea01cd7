"""Steering in real jobs: ranks change cores, and whatever is done to them they end on valid ones."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import mpi_jobs
import pytest
from corewise.execute.steer_replay import replay

COREWISE = str(Path(sys.executable).with_name("corewise"))

pytestmark = pytest.mark.usefixtures("two_cores")

# Quick decisions, so that seconds hold many: what a swap gains is not looked at here.
HASTE = (
    "interval_ns=5000000 window_ns=20000000 window_iterations=2 settle_ns=2000000 watched_windows=0 "
    "backoff_ns=10000000 backoff_most_ns=20000000 shared_first_ns=1000000000 shared_share=1000000"
)


def settings(folder: Path, more: str = "") -> None:
    """The first core is told to be half as fast: what the busy rank is on, whatever else runs here."""
    folder.mkdir(exist_ok=True)
    cores = [
        f"core id={number} pus={pu} capability={500 if number == 0 else 1000}"
        for number, pu in enumerate(sorted(os.sched_getaffinity(0)))
    ]
    text = "\n".join(
        ["corewise-steer-log 1", *cores, f"settings {HASTE} {more}", "monitor schedstat confidence=0"]
    )
    (folder / "settings").write_text(text + "\n")


def environment(family: str, folder: Path, shared: Path) -> dict[str, str]:
    given = {"LD_PRELOAD": str(mpi_jobs.library(family)), "COREWISE_OBSERVE": "steer"}
    given |= {"COREWISE_STEER": str(folder), "COREWISE_STEER_SHARED": str(shared)}
    return given | {"COREWISE_JOB": f"test-{os.getpid()}"}


def start(family: str, program: list[str], folder: Path, shared: Path, *options: str) -> subprocess.Popen:
    command = mpi_jobs.command(family, 2, program, environment(family, folder, shared))
    return subprocess.Popen(
        [command[0], *options, *command[1:]],
        env=os.environ | mpi_jobs.ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def steered(family: str, program: list[str], folder: Path, more: str = "") -> tuple[str, dict]:
    """What the program printed, and the story of its one log."""
    settings(folder, more)
    job = start(family, program, folder, folder)
    out, err = job.communicate(timeout=60)
    assert (job.returncode, err) == (0, "")
    (log,) = folder.glob("*.steer-log")
    return out, replay(log)


def masks(out: str) -> dict[int, list[int]]:
    """PUs of each rank at the end."""
    found: dict[int, list[int]] = {}
    for line in out.splitlines():
        _, rank, _, _, pu = line.split()
        found.setdefault(int(rank), []).append(int(pu))
    return found


def assert_valid(out: str) -> None:
    first, second, *_ = sorted(os.sched_getaffinity(0))
    assert sorted(masks(out).values()) == [[first], [second]]


def test_ranks_change_cores_while_they_run_and_the_log_replays(family, compiled, tmp_path):
    out, story = steered(family, [str(compiled(family, "steered.c")), "1.5", "pair"], tmp_path)
    assert_valid(out)
    assert story["differs"] is None and story["compared"] == story["intervals"] > 10
    assert story["swaps"] >= 1
    assert "rank 1 waits" in story["decisions"][0]["because"]


def test_two_threads_of_a_rank_may_call_mpi(family, compiled, tmp_path):
    program = [str(compiled(family, "steered.c", "-pthread")), "1", "threads"]
    out, story = steered(family, program, tmp_path)
    assert_valid(out)
    assert story["differs"] is None and story["intervals"] > 5


def test_a_dry_run_swaps_nothing(compiled, tmp_path):
    mpi_jobs.tool("openmpi", "mpicc")
    program = [str(compiled("openmpi", "steered.c")), "1", "pair"]
    out, story = steered("openmpi", program, tmp_path, "dry_run=1")
    first, second, *_ = sorted(os.sched_getaffinity(0))
    assert masks(out) == {0: [first], 1: [second]}
    assert {decision["action"] for decision in story["decisions"]} == {"swap"}
    assert (story["swaps"], {decision["outcome"] for decision in story["decisions"]}) == (0, {"not done"})


def test_a_fortran_program_is_watched(family, compiled, tmp_path):
    mpi_jobs.tool(family, "mpif90")
    settings(tmp_path)
    program = [str(compiled(family, "steered.F90")), "0.5"]
    # bound apart, as C's program binds itself
    option = ["--bind-to", "core"] if family == "openmpi" else ["-bind-to", "core"]
    job = start(family, program, tmp_path, tmp_path, *option)
    _, err = job.communicate(timeout=60)
    assert (job.returncode, err) == (0, "")
    (log,) = tmp_path.glob("*.steer-log")
    assert "calls=0" not in log.read_text().splitlines()[-5] and replay(log)["differs"] is None


def test_without_shared_memory_the_job_goes_on_and_says_so_once(family, compiled, tmp_path):
    settings(tmp_path)
    program = [str(compiled(family, "steered.c")), "0.2", "pair"]
    job = start(family, program, tmp_path, tmp_path / "missing")
    out, err = job.communicate(timeout=60)
    assert job.returncode == 0
    assert_valid(out)
    (line,) = err.splitlines()
    assert line.startswith("corewise: steering is off on this node: ")
    assert line.endswith("No such file or directory.")
    assert not list(tmp_path.glob("*.steer-log"))


def ranks_of(job: subprocess.Popen, name: str) -> list[int]:
    """Processes of the program, found below the launcher."""
    done = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in done.stdout.splitlines()]
    below = {job.pid}
    for _ in range(4):
        below |= {int(pid) for pid, parent, _ in rows if int(parent) in below}
    return [int(pid) for pid, _, command in rows if int(pid) in below and command.strip() == name[:15]]


def wait_for_ranks(job: subprocess.Popen, name: str) -> list[int]:
    for _ in range(500):
        if len(found := ranks_of(job, name)) == 2:
            return found
        time.sleep(0.02)
    raise AssertionError(f"two processes of {name} did not come")


def test_ranks_that_are_stopped_at_any_moment_end_on_valid_cores(family, compiled, tmp_path):
    settings(tmp_path)
    program = compiled(family, "steered.c")
    job = start(family, [str(program), "2.5", "pair"], tmp_path, tmp_path)
    ranks, chance = wait_for_ranks(job, program.name), random.Random(1)
    for _ in range(5):
        time.sleep(chance.uniform(0.05, 0.15))
        victim = chance.choice(ranks)
        os.kill(victim, signal.SIGSTOP)
        time.sleep(chance.choice([0.01, 0.3]))  # the lease of a swap is 0.2 s long
        os.kill(victim, signal.SIGCONT)
    out, err = job.communicate(timeout=60)
    assert (job.returncode, err) == (0, "")
    assert_valid(out)
    assert all(replay(log)["differs"] is None for log in tmp_path.glob("*.steer-log"))


def masks_while_it_lives(pid: int) -> list[set[int]]:
    """The mask of a process, looked at until it ends, 150 times at most."""
    seen = []
    try:
        while len(seen) < 150 and "State:\tZ" not in Path(f"/proc/{pid}/status").read_text():
            seen.append(os.sched_getaffinity(pid))
            time.sleep(0.01)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return seen


@pytest.mark.parametrize("which", [0, 1])
def test_who_survives_a_killed_rank_ends_on_a_valid_core(which, compiled, tmp_path):
    mpi_jobs.tool("mpich", "mpicc")
    settings(tmp_path)
    program = compiled("mpich", "steered.c")
    job = start("mpich", [str(program), "2", "self"], tmp_path, tmp_path, "-disable-auto-cleanup")
    ranks = wait_for_ranks(job, program.name)
    time.sleep(1 + random.Random(which).random() / 4)
    os.kill(ranks[which], signal.SIGKILL)
    seen = masks_while_it_lives(ranks[1 - which])
    job.terminate()
    job.communicate(timeout=60)
    assert seen and len(seen[-1]) == 1 and seen[-1] <= os.sched_getaffinity(0)


def test_the_command_keeps_the_exit_code_and_writes_one_document(compiled, tmp_path, monkeypatch):
    mpi_jobs.tool("openmpi", "mpicc")
    monkeypatch.chdir(tmp_path)
    program = compiled("openmpi", "steered.c")
    words = [COREWISE, "steer", "--json", "-o", "app.steer-log", "--", "mpirun.openmpi", "--oversubscribe"]
    words += ["-n", "2", "bash", "-c", f"{program} 0.5 pair; exit 7"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"], document["misplaced"]) == (7, 7, [])
    assert document["logs"] == ["app.steer-log"] and replay(tmp_path / "app.steer-log")["differs"] is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.steer-log"]
