"""Programs that start MPI by sessions: recorded by their ranks in mpi://WORLD; 4 ranks."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import mpi_jobs
import pytest
from conftest import EVERY_MPI, installed, run_of_mpi
from corewise.model import Layer, Profile, read_events

N = 4
COREWISE = str(Path(sys.executable).with_name("corewise"))


# Open MPI 4.1 has no sessions.
@pytest.fixture(params=[name for name in EVERY_MPI if name != "openmpi"])
def traced(request, tmp_path, monkeypatch):
    """`traced(way, tries=1, **environment)`: the profile of programs/sessions.c.

    A run that fails because of MPICH is repeated, up to `tries` runs in all.
    """
    mpi = installed(request.param)
    monkeypatch.setenv("MPIR_CVAR_CH4_NETMOD", "ofi")

    def run(way: str, tries: int = 1, **environment: str) -> Profile:
        folder = tmp_path / "profile"
        program = mpi_jobs.compile_program(mpi.mpicc, "sessions.c", tmp_path / "program")
        given = mpi_jobs.observed(mpi.family, folder) | environment
        limit = ["timeout", "10"] if tries > 1 else []
        for _ in range(tries):
            shutil.rmtree(folder, ignore_errors=True)
            done = run_of_mpi(mpi, N, [str(program), way], given, limit)
            if not limit or not spoiled_by_mpich(done):
                break
        assert done.returncode == 0 and "corewise:" not in done.stderr, done.stderr
        profile = Profile.read(str(folder))
        assert profile.complete and profile.faults == []
        assert [rank.finished for rank in profile.ranks] == [True] * N
        return profile

    return run


def spoiled_by_mpich(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether MPICH 5.0.2, started a second time, hung or mixed up its own messages.

    Without tracing, it hung in 4 of 50 runs over OFI and in 4 of 25 over UCX; over UCX one more run was mixed
    up.
    """
    waited = done.returncode in (124, -signal.SIGTERM)  # mpirun kills its group, which includes timeout
    return waited or "Fatal error in internal_Comm_create_from_group" in done.stderr


def ring(sent_bytes: int, messages: int) -> mpi_jobs.Pairs:
    return {(rank, (rank + 1) % N): (sent_bytes, messages) for rank in range(N)}


def test_messages_have_the_ranks_of_the_process_set_of_all(traced):
    profile = traced("alone")
    # The rings have 5 and 1 bytes; 11 more bytes go from 1 to 2.
    expected = ring(6, 2) | {(1, 2): (17, 3), (3, 2): (7, 1), (0, 2): (3, 1)}
    assert mpi_jobs.pairs(profile, Layer.p2p) == expected
    assert mpi_jobs.pairs(profile, Layer.coll) == {(3, to): (9, 1) for to in (0, 1, 2)}
    assert mpi_jobs.pairs(profile, Layer.rma) == {(3, 0): (16, 1)}
    counts = mpi_jobs.call_counts(profile)
    assert counts["MPI_Comm_create_from_group"] == 3 * N
    assert counts["MPI_Intercomm_create_from_groups"] == N


@pytest.mark.sanitized("asan")
def test_communicators_made_from_groups_are_told_apart(traced):
    profile = traced("alone")
    members = sorted(tuple(comm.members) for comm in profile.comms if comm.by_identity)
    assert members.count((0, 1, 2, 3)) == 2  # both were created with the tag "all", one after the other
    assert [tuple(comm.members) for comm in profile.comms if comm.name == "backwards"] == [(3, 2, 1, 0)]


# At their end MPICH 5.0 hangs without corewise, too.
@pytest.mark.parametrize("traced", ["mpich", "openmpi5"], indirect=True)
def test_ranks_that_speak_to_nobody_are_ranks_of_the_job(traced):
    profile = traced("idle")
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 0): (6, 1), (1, 1): (6, 1)}
    assert all(rank.os_pus and rank.threads for rank in profile.ranks)


# MPICH 4.0.2 and Open MPI 5.0.11 crash at a second start without corewise, too.
@pytest.mark.parametrize("traced", ["mpich5", "abi"], indirect=True)
@pytest.mark.parametrize("way", ["twice", "then_init"])
def test_what_comes_after_the_first_end_of_mpi_is_recorded_too(traced, way):
    profile = traced(way, tries=8)
    assert mpi_jobs.pairs(profile, Layer.p2p) == ring(13, 2)
    assert all(rank.wall_s > 0 for rank in profile.ranks)


@pytest.mark.sanitized("asan")
def test_a_session_around_mpi_init_is_recorded_until_mpi_finalize(traced):
    profile = traced("around_init")
    assert mpi_jobs.pairs(profile, Layer.p2p) == ring(16, 4)
    assert "MPI_COMM_WORLD" in [comm.name for comm in profile.comms]


def test_calls_of_sessions_are_events(traced, tmp_path):
    profile = traced("alone", COREWISE_MODE="events")
    log = read_events(str(tmp_path / "profile"))
    columns = log.columns()
    names = [log.calls[call].name for call in columns["call"][columns["part"] == 0].tolist()]
    assert names.count("MPI_Sendrecv") == mpi_jobs.call_counts(profile)["MPI_Sendrecv"] == 2 * N


def test_sessions_of_fortran_are_recorded(compiled, tmp_path):
    # Open MPI 4.1 has no sessions, and PyPI's Open MPI 5 has no Fortran.
    program = compiled("mpich", "sessions.F90")
    job = mpi_jobs.run("mpich", 3, [str(program)], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    assert job.profile.complete and job.profile.faults == []
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(2, 1): (7, 1)}
    assert mpi_jobs.call_counts(job.profile)["MPI_Comm_create_from_group"] == 3


def test_corewise_trace_takes_a_program_of_sessions(compiled, tmp_path):
    program = compiled("mpich", "sessions.c")
    job = [mpi_jobs.tool("mpich", "mpirun"), "-n", str(N), str(program), "idle"]
    words = [COREWISE, "trace", "-o", "profile", "--", *job]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    profile = Profile.read(str(tmp_path / "profile"))
    assert profile.complete and len(profile.ranks) == N
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 0): (6, 1), (1, 1): (6, 1)}


def test_steering_that_needs_mpi_init_says_so(compiled, tmp_path):
    program = compiled("mpich", "sessions.c")
    given = {"COREWISE_OBSERVE": "steer,trace,verify", "COREWISE_STEER": str(tmp_path)}
    job = mpi_jobs.run("mpich", N, [str(program), "idle"], tmp_path / "profile", **given)
    assert job.returncode == 0
    off = "corewise: steering is off while the program has sessions and no MPI_Init."
    assert job.stderr.splitlines() == [off]
    assert job.profile.complete
