"""The tracer in difficult conditions: killed ranks, full disks, second programs, foreign folders."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import mpi_jobs
import pytest
from conftest import mounted
from corewise.model import Layer, Profile

N = 4
RING_OF_50 = {(rank, (rank + 1) % N): (200, 50) for rank in range(N)}


def start_and_wait_for(family, program, directory, word):
    """Starts a job and returns it after rank 0 has printed `word`."""
    given = mpi_jobs.observed(family, directory)
    job = subprocess.Popen(
        mpi_jobs.command(family, N, program, given),
        env=os.environ | mpi_jobs.ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert job.stdout.readline().strip() == word
    return job


def end(job):
    """Kills the launcher and its children."""
    os.killpg(job.pid, signal.SIGKILL)
    job.wait(30)
    job.stdout.close()


def test_a_killed_job_leaves_everything_that_it_did(family, compiled, tmp_path):
    program = compiled(family, "patterns.c")
    directory = tmp_path / "profile"
    job = start_and_wait_for(family, [str(program), "hang"], directory, "waiting")
    try:
        alive = Profile.read(str(directory))
        assert all(rank.pid > 0 for rank in alive.ranks)
        for rank in alive.ranks:
            with contextlib.suppress(ProcessLookupError):  # launchers kill the other ranks after the first
                os.kill(rank.pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while (
            any(Path(f"/proc/{rank.pid}/cmdline").exists() for rank in alive.ranks)
            and time.monotonic() < deadline
        ):
            time.sleep(0.05)
    finally:
        end(job)
    profile = Profile.read(str(directory))
    assert not profile.complete
    assert mpi_jobs.pairs(profile, Layer.p2p) == RING_OF_50
    assert [rank.finished for rank in profile.ranks] == [False] * N
    assert all(0 < rank.mpi_s <= rank.wall_s for rank in profile.ranks)


@pytest.mark.parametrize("word", ["give_up", "leave"])
def test_a_job_that_does_not_reach_mpi_finalize_leaves_everything_that_it_did(trace, word):
    profile = trace("patterns.c", word, quiet=False).profile
    assert not profile.complete
    assert mpi_jobs.pairs(profile, Layer.p2p) == RING_OF_50
    assert [rank.finished for rank in profile.ranks] == [False] * N


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 48 KiB."""
    yield from mounted(tmp_path / "disk", "size=48k")


def test_a_read_only_folder_is_told_once_and_the_job_goes_on(trace, read_only):
    job = trace("patterns.c", "isend", folder=read_only / "profile", quiet=False)
    assert job.returncode == 0
    told = [line for line in job.stderr.splitlines() if "corewise" in line]
    assert len(told) == 1
    assert told[0].startswith("corewise: nothing recorded in ")


def test_a_full_disk_is_told_once_and_costs_rows_only(trace, small_disk):
    # 48 KiB have room for the header, the call table and a few chunks; four ranks need more.
    job = trace("patterns.c", "many_rows", folder=small_disk / "profile", quiet=False)
    assert job.returncode == 0
    told = [line for line in job.stderr.splitlines() if "corewise" in line]
    assert len(told) == 1
    profile = job.profile
    assert not profile.complete
    assert profile.faults


def test_on_a_full_disk_each_lost_call_is_counted_once(trace, small_disk):
    given = {"folder": small_disk / "profile", "COREWISE_MODE": "count", "COREWISE_OBSERVE": "trace"}
    profile = trace("patterns.c", "many_rows", quiet=False, **given).profile
    n_recorded = sum(rank.pid > 0 for rank in profile.ranks)  # there may be no room for any rank
    n_lost = sum(int(fault.split()[0]) for fault in profile.faults if "calls were not counted" in fault)
    # Each rank sends 20 sizes in four ways, with a receive, a send and two waits each time. Rank 0 also
    # describes MPI_COMM_WORLD and its members, or counts them as lost.
    n_all = sum(mpi_jobs.call_counts(profile).values()) + n_lost
    assert 0 <= n_all - n_recorded * 20 * 4 * 4 <= 2


@pytest.mark.parametrize("kib", [0, 4, 16])
def test_a_file_size_limit_that_leaves_no_room_for_a_header_ends_no_program(kib, compiled, tmp_path):
    """A single rank of Open MPI writes no file by itself."""
    program = compiled("openmpi", "first_cpu.c")
    limited = ["bash", "-c", f"ulimit -f {kib}; exec {program}"]
    job = mpi_jobs.run("openmpi", 1, limited, tmp_path / "profile")
    assert job.returncode == 0
    assert job.stderr.count("\n") == 1
    assert re.match("corewise: (nothing recorded in .*: no room for|rank 0 lost)", job.stderr)


def test_the_first_of_two_programs_in_a_job_is_kept(trace):
    # Hydra runs a process only once, so the second program is a separate start with the same job name.
    expected = mpi_jobs.pairs(trace("patterns.c", "isend").profile, Layer.p2p)
    second = trace("patterns.c", "derived", quiet=False)
    assert second.returncode == 0
    assert "only the first is recorded" in second.stderr
    assert mpi_jobs.pairs(second.profile, Layer.p2p) == expected
    assert any("second program" in fault for fault in second.profile.faults)


def test_a_directory_that_cannot_be_made_is_told_once(trace, tmp_path):
    job = trace("patterns.c", "isend", folder=tmp_path / "no" / "such" / "parent", quiet=False)
    assert job.returncode == 0
    assert job.stderr.count("corewise") == 1 and "COREWISE_DIR" in job.stderr


def test_programs_without_mpi_are_not_disturbed(family, tmp_path):
    mpi_jobs.tool(family, "mpicc")
    eager = {"LD_BIND_NOW": "1"} | mpi_jobs.observed(family, tmp_path / "profile")
    done = subprocess.run(["echo", "fine"], env=os.environ | eager, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")
    assert not (tmp_path / "profile").exists()


def test_ranks_in_pid_namespaces_of_their_own_are_all_recorded(family, compiled, tmp_path):
    """As in containers: each rank has the same process id."""
    apart = ["unshare", "-pf", "--mount-proc", "--kill-child"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
        pytest.skip("no PID namespace may be made here")
    program = compiled(family, "patterns.c")
    # Open MPI's shared memory needs process ids that are valid in both ranks' namespaces.
    program = [*apart, str(program), "isend"]
    job = mpi_jobs.run(family, N, program, tmp_path / "profile", OMPI_MCA_btl="self,tcp")
    assert (job.returncode, job.stderr) == (0, "")
    assert len({rank.pid for rank in job.profile.ranks}) < N
    assert job.profile.complete and all(rank.finished for rank in job.profile.ranks)


def test_a_directory_behind_another_user_s_link_is_left_alone(trace, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can give a link to another user")
    (tmp_path / "victim").mkdir()
    (tmp_path / "swapped").symlink_to("victim")
    os.lchown(tmp_path / "swapped", 4242, 4242)
    for folder in ("swapped", "swapped/profile"):
        job = trace("patterns.c", "isend", folder=tmp_path / folder, quiet=False)
        assert job.returncode == 0
        assert job.stderr.count("another user's link leads to COREWISE_DIR") == 1
    assert all(path.is_dir() and not list(path.iterdir()) for path in (tmp_path / "victim").iterdir())


def test_a_directory_behind_a_link_of_one_s_own_is_used(trace, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/../there")
    profile = trace("patterns.c", "isend", folder=tmp_path / "link" / "profile").profile
    assert profile.complete and (tmp_path / "there" / "profile").is_dir()
