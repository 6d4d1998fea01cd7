"""Faults in steered jobs: processes are killed or stopped, operations refused, disks full.

In every case the application continues or ends as it would without steering, and every process has a valid
mask.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mpi_jobs
import pytest
from corewise.steering.replay import replay
from cpusets import cpuset_mount, entering, made_cpuset
from steer_jobs import (
    assert_valid,
    ended,
    log_of,
    masks,
    ranks_of,
    settings,
    start,
    wait_for_leader,
    wait_for_ranks,
)

pytestmark = pytest.mark.usefixtures("two_cores")
BIND = {"openmpi": ("--bind-to", "core"), "mpich": ("-bind-to", "core")}


def first_two() -> tuple[int, int]:
    first, second, *_ = sorted(os.sched_getaffinity(0))
    return first, second


def masks_while_it_lives(pid: int) -> list[set[int]]:
    """The masks of a process, read until it ends, at most 150 times."""
    seen = []
    try:
        while len(seen) < 150 and "State:\tZ" not in Path(f"/proc/{pid}/status").read_text():
            seen.append(os.sched_getaffinity(pid))
            time.sleep(0.01)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return seen


# A shell that waits for the program. Without it, the pid of an ended process would stay in use.
WAITED_FOR = ("sh", "-c", '"$0" "$@"; exit 0')


@contextmanager
def job_without_clean_up(
    compiled, folder: Path, seconds: float, *before: str
) -> Iterator[tuple[list[int], int]]:
    """Two ranks that never wait for each other, so that each can outlive the other; and their leader.

    Yields the ranks' pids and the leader's pid.
    """
    mpi_jobs.tool("mpich", "mpicc")
    settings(folder)
    program = compiled("mpich", "steered.c")
    words = [*before, str(program), str(seconds), "self"]
    job = start("mpich", words, folder, folder, "-disable-auto-cleanup")
    try:
        ranks = wait_for_ranks(job, program.name)
        yield ranks, wait_for_leader(folder, ranks)
    finally:
        for pid in ranks_of(job, program.name):
            os.kill(pid, signal.SIGKILL)
        job.kill()  # it may wait forever for data of a killed rank
        job.communicate(timeout=60)


@pytest.mark.parametrize("leads", [True, False])
def test_who_survives_a_killed_rank_ends_on_a_valid_core(leads, compiled, tmp_path):
    with job_without_clean_up(compiled, tmp_path, 2) as (ranks, leader):
        time.sleep(0.7 + random.Random(leads).random() / 4)
        victim = leader if leads else next(pid for pid in ranks if pid != leader)
        os.kill(victim, signal.SIGKILL)
        seen = masks_while_it_lives(next(pid for pid in ranks if pid != victim))
    assert seen and len(seen[-1]) == 1 and seen[-1] <= os.sched_getaffinity(0)
    assert all(replay(log).differs is None for log in tmp_path.glob("*.steer-log"))


@pytest.mark.parametrize("leads", [True, False])
def test_a_rank_that_is_stopped_for_long_ends_on_a_valid_core(leads, family, compiled, tmp_path):
    settings(tmp_path)
    program = compiled(family, "steered.c")
    job = start(family, [str(program), "1.5", "self"], tmp_path, tmp_path)
    ranks = wait_for_ranks(job, program.name)
    leader = wait_for_leader(tmp_path, ranks)
    victim = leader if leads else next(pid for pid in ranks if pid != leader)
    time.sleep(0.3)
    os.kill(victim, signal.SIGSTOP)
    time.sleep(0.8)  # four times the lease of a swap
    os.kill(victim, signal.SIGCONT)
    assert_valid(ended(job))


def refused(what: str, family: str, compiled, folder: Path, apart: bool = False) -> str:
    """The output of a steered job for which the kernel refuses to set masks or to move pages."""
    settings(folder, apart=apart)
    refuse, program = (str(compiled(family, name)) for name in ("refuse.c", "steered.c"))
    job = start(family, [refuse, what, program, "1", "pair"], folder, folder, *BIND[family])
    out, err = job.communicate(timeout=60)
    if job.returncode == 77:
        pytest.skip("no filter of system calls may be set here")
    assert (job.returncode, err) == (0, "")
    return out


def test_where_the_kernel_refuses_every_mask_ranks_stay_where_the_launcher_bound_them(
    family, compiled, tmp_path
):
    assert_valid(refused("masks", family, compiled, tmp_path))
    all_replayed = [replay(log) for log in tmp_path.glob("*.steer-log")]
    outcomes = {decision.outcome for replayed in all_replayed for decision in replayed.decisions}
    assert sum(replayed.swaps for replayed in all_replayed) == 0 and "not done" in outcomes
    # After the other rank has ended, the leader can't judge its last decision.
    assert outcomes <= {"not done", "no answer when the log ended"}


def test_where_no_page_may_be_moved_no_swap_leaves_its_numa_domain(family, compiled, tmp_path):
    """The two cores are declared as two NUMA domains, and memory can't follow a rank to the other domain."""
    out = refused("pages", family, compiled, tmp_path, apart=True)
    log, replayed = log_of(tmp_path)
    assert "memory_pages=0" in log and replayed.decisions == []
    first, second = first_two()
    assert masks(out) == {0: [first], 1: [second]}


def test_where_the_cpuset_shrinks_every_rank_ends_inside_it(compiled, tmp_path):
    mpi_jobs.tool("mpich", "mpicc")
    if cpuset_mount() is None:
        pytest.skip("no cpuset may be made here")
    settings(tmp_path)
    first, second = first_two()
    program = compiled("mpich", "steered.c")
    with made_cpuset(frozenset({first, second})) as cgroup:
        before = tuple(entering(cgroup))
        job = start("mpich", [str(program), "1.5", "pair"], tmp_path, tmp_path, before=before)
        wait_for_leader(tmp_path, wait_for_ranks(job, program.name))
        time.sleep(0.4)
        (cgroup / "cpuset.cpus").write_text(str(first))
        out = ended(job)
    assert masks(out) == {0: [first], 1: [first]}


def test_a_process_that_got_a_killed_rank_s_pid_keeps_its_mask(compiled, tmp_path):
    last_pid = Path("/proc/sys/kernel/ns_last_pid")
    if os.geteuid() != 0 or not os.access(last_pid, os.W_OK):
        pytest.skip("only root can choose the next pid")
    both = set(first_two())
    with job_without_clean_up(compiled, tmp_path, 3, *WAITED_FOR) as (ranks, leader):
        time.sleep(0.5)
        victim = next(pid for pid in ranks if pid != leader)
        os.kill(victim, signal.SIGKILL)
        heir = heir_of(victim, last_pid)
        try:
            if heir is None or heir.pid != victim:
                pytest.skip(f"pid {victim} could not be had again")
            os.sched_setaffinity(heir.pid, both)
            time.sleep(0.8)  # long enough for about forty windows and for every lease to expire
            assert os.sched_getaffinity(heir.pid) == both
            assert len(os.sched_getaffinity(leader)) == 1
        finally:
            if heir is not None:
                heir.kill()
                heir.wait()


def heir_of(pid: int, last_pid: Path) -> subprocess.Popen | None:
    """Starts a process with the pid of a killed process after its parent has waited for it;

    None if another process got the pid.
    """
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists():
            last_pid.write_text(str(pid - 1))
            # In its own session, because a process that takes this pid for the rank's may kill its group.
            heir = subprocess.Popen(["sleep", "60"], start_new_session=True)
            if heir.pid == pid:
                return heir
            heir.kill()
            heir.wait()
        time.sleep(0.005)
    return None


def in_full(folder: Path, size: str) -> tuple[str, ...]:
    """Words that run a command with a file system of this size mounted on `folder`.

    Skips the test if mounting is impossible.
    """
    words = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size={size} none {folder} && "$@"', "sh")
    if subprocess.run([*words, "true"], capture_output=True, timeout=20).returncode != 0:
        pytest.skip("no file system may be mounted here")
    return words


@pytest.mark.parametrize("why", ["No space left on device", "No such file or directory"])
def test_without_shared_memory_the_job_goes_on_and_says_so_once(why, family, compiled, tmp_path):
    settings(tmp_path)
    shared = tmp_path / "shared"
    before: tuple[str, ...] = ()
    if "space" in why:
        shared.mkdir()
        before = in_full(shared, "256k")
    program = [str(compiled(family, "steered.c")), "0.3", "pair"]
    job = start(family, program, tmp_path, shared, before=before)
    out, err = job.communicate(timeout=60)
    assert job.returncode == 0
    assert_valid(out)
    (line,) = err.splitlines()
    assert line.startswith("corewise: steering is off on this node: ") and line.endswith(f"{why}.")
    assert not list(tmp_path.glob("*.steer-log"))


def test_where_the_log_s_disk_is_full_the_job_goes_on_and_says_so_once(family, compiled, tmp_path):
    logs, shared = tmp_path / "logs", tmp_path / "shared"
    shared.mkdir()
    settings(tmp_path)
    logs.mkdir()
    fill = in_full(logs, "16k")  # room for the settings and a few intervals
    script = f'cp {tmp_path}/settings {logs}; "$@"'
    program = [str(compiled(family, "steered.c")), "1", "pair"]
    job = start(family, program, logs, shared, before=(*fill, "sh", "-c", script, "sh"))
    out, err = job.communicate(timeout=60)
    assert job.returncode == 0
    assert_valid(out)
    (line,) = err.splitlines()
    assert line == (
        "corewise: steering is off on this node: the log of steering could not be written "
        "(No space left on device)."
    )


def test_where_the_log_s_place_is_full_the_log_stays_where_it_is_and_that_is_said(
    compiled, tmp_path, monkeypatch
):
    mpi_jobs.tool("openmpi", "mpicc")
    monkeypatch.chdir(tmp_path)
    full = tmp_path / "full"
    full.mkdir()
    corewise = str(Path(sys.executable).with_name("corewise"))
    launcher = ["mpirun.openmpi", "--oversubscribe", "-n", "2"]
    program = ["bash", "-c", f"{compiled('openmpi', 'steered.c')} 0.5 pair; exit 7"]
    # An empty file can be created in the file system, but nothing can be written to it. It is unmounted after
    # the command.
    fill = f'head -c 100000 /dev/zero > {full}/fill 2> {tmp_path}/said; "$@"'
    words = [*in_full(full, "16k"), "sh", "-c", fill, "sh"]
    words += [corewise, "steer", "--json", "-o", "full/app.steer-log", "--", *launcher, *program]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"]) == (7, 7)
    (log,), (sentence,) = document["logs"], document["trouble"]
    assert sentence.startswith("full/app.steer-log: could not be written (No space left on device); ")
    assert log in sentence and f"corewise: {sentence}\n" in done.stderr
    assert replay(Path(log)).differs is None
