"""The PGAS runtime on real MPIs: exact totals; after a fault every process ends in limited time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import corewise_laboratory
import mpi_jobs
import pytest

NATIVE = Path(corewise_laboratory.__file__).parent / "native"
LIMIT_S = 60
# Without this the launcher ends the job before the runtime can print the reason.
LET_THE_OTHERS_LIVE = {
    "openmpi": ["--mca", "orte_enable_recovery", "1"],
    "mpich": ["-disable-auto-cleanup"],
}


def program(family: str, name: str) -> str:
    path = NATIVE / f"pgas-{family}" / name
    if not path.is_file():
        pytest.skip(f"{name} was not built for {family}: libboost-context-dev is missing")
    return str(path)


def start(family: str, *arguments: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [mpi_jobs.tool(family, "mpirun"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | mpi_jobs.ENVIRONMENT | environment,
        start_new_session=True,
    )


def finish(job: subprocess.Popen) -> tuple[str, str]:
    """The output of a job. A job that exceeds the limit is ended, and fails the test."""
    try:
        return job.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        raise


def parents_and_names() -> dict[int, tuple[int, str]]:
    """Parent and program of every process.

    Launchers start sessions, so only the parents show which job a process is of.
    """
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = stat.read_text().rpartition(")")
        except OSError:  # the process has ended
            continue
        found[int(stat.parent.name)] = int(tail.split()[1]), head.partition("(")[2]
    return found


def ranks_of(job: subprocess.Popen, name: str) -> list[int]:
    """The ids of the job's processes that run a program of this name."""
    processes = parents_and_names()

    def belongs(pid: int) -> bool:
        while pid in processes and pid != job.pid:
            pid = processes[pid][0]
        return pid == job.pid

    return sorted(pid for pid, (_, program) in processes.items() if program == name and belongs(pid))


@pytest.mark.parametrize("n_processes", [1, 2, 4])
def test_totals_are_exact(family, n_processes):
    job = start(family, "-n", str(n_processes), program(family, "pgas-check"))
    out, err = finish(job)
    assert job.returncode == 0, err
    assert f"all totals are exact on {n_processes} nodes" in out


def test_the_death_of_a_process_ends_the_others(family):
    check = program(family, "pgas-check")
    job = start(family, *LET_THE_OTHERS_LIVE[family], "-n", "3", check, "hold")
    while "holding" not in job.stdout.readline():
        assert job.poll() is None
    processes = ranks_of(job, "pgas-check")
    assert processes
    os.kill(processes[-1], signal.SIGKILL)
    finish(job)
    deadline_s = time.monotonic() + LIMIT_S  # a launcher may end before its processes
    while parents_and_names().keys() & set(processes):
        assert time.monotonic() < deadline_s
        time.sleep(0.1)


def test_processes_of_different_programs_refuse_each_other(family):
    one, other = program(family, "pgas-check"), program(family, "corewise-workload")
    job = start(family, "-n", "1", one, ":", "-n", "1", other, "pi")
    _, err = finish(job)
    assert job.returncode != 0
    assert "start the same executable everywhere" in err


OVER_TCP = {"UCX_TLS": "tcp,self"}


def mpich_over_ucx() -> tuple[int, ...]:
    """The version of MPICH. Skips the test if it is missing or has no UCX."""
    program = [mpi_jobs.tool("mpich", "mpirun"), "-info"]
    found = subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=True).stdout
    if "--with-device=ch4:ucx" not in found:
        pytest.skip("this MPICH does not use UCX")
    return tuple(int(part) for part in re.search(r"Version:\s+([0-9.]+)", found)[1].split(".")[:2])


def test_mpich_before_4_2_hangs_in_finalize_where_a_rank_makes_progress_meanwhile(compiled):
    hangs = mpich_over_ucx() < (4, 2)
    job = start("mpich", "-n", "2", str(compiled("mpich", "late_progress.c")), **OVER_TCP)
    try:
        assert job.wait(timeout=10) == 0
        assert not hangs, "the runtime need not avoid it any more"
    except subprocess.TimeoutExpired:
        assert hangs
        os.killpg(job.pid, signal.SIGTERM)
        job.communicate(timeout=LIMIT_S)


def test_the_runtime_ends_where_a_rank_of_mpich_comes_late_to_finalize(compiled):
    mpich_over_ucx()
    late = compiled("mpich", "late_progress.c", "-DONLY_LATE", "-shared", "-fPIC")
    words = ["-genv", "LD_PRELOAD", str(late), "-n", "2", program("mpich", "pgas-check")]
    job = start("mpich", *words, **OVER_TCP)
    out, err = finish(job)
    assert job.returncode == 0, err
    assert "all totals are exact on 2 nodes" in out
