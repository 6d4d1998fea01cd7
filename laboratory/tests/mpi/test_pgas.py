"""The PGAS runtime on real MPIs: after a fault every process ends in limited time, with a sentence."""

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
WORKLOAD = ("triangles", "--scale", "0.001")


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


def test_the_death_of_a_process_ends_the_others_and_is_named(family):
    words = [program(family, "corewise-workload"), *WORKLOAD, "--repeats", "1000000"]
    own = str(os.getpid())
    job = start(family, "-n", "3", *words, PGAS_TEST=own)
    assert "result" in job.stdout.readline() and "triangles" in job.stdout.readline()  # it runs
    ranks = [path.parent for path in Path("/proc").glob("[0-9]*/environ") if is_rank(path, own)]
    assert len(ranks) == 3
    os.kill(int(ranks[-1].name), signal.SIGKILL)
    said = "".join(finish(job))
    assert job.returncode != 0
    assert re.search(r"signal 9|KILLED BY SIGNAL: 9|EXIT CODE: 9", said), said
    deadline_s = time.monotonic() + LIMIT_S  # a launcher may end before its processes
    while any(rank.exists() for rank in ranks):
        assert time.monotonic() < deadline_s
        time.sleep(0.1)


def is_rank(environ: Path, own: str) -> bool:
    """Whether it is the environment of a workload that the test `own` started."""
    try:
        name = (environ.parent / "comm").read_text().strip()
        return name == "corewise-worklo" and f"PGAS_TEST={own}".encode() in environ.read_bytes()
    except OSError:  # the process has ended
        return False


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
    words = ["-genv", "LD_PRELOAD", str(late), "-n", "2", program("mpich", "corewise-workload"), *WORKLOAD]
    job = start("mpich", *words, **OVER_TCP)
    out, err = finish(job)
    assert job.returncode == 0, err
    assert "triangles,topology,2," in out
