"""Spawned processes: recorded in one profile with their parents, together with the messages between them."""

from __future__ import annotations

import mpi_jobs
import pytest
from conftest import EVERY_MPI, installed, profile_of
from corewise.model import Layer, Profile


# Debian's MPICH 4.0.2 can't spawn processes.
@pytest.fixture(params=[name for name in EVERY_MPI if name != "mpich"])
def traced(request, tmp_path, monkeypatch):
    """`traced(source, n_ranks, *arguments)`: the profile of a program and the processes that it spawned."""
    mpi = installed(request.param)
    # Over UCX, one spawn in eight of MPICH 5.0.2 fails in MPI_Init, also without tracing; over OFI none of 24
    # did.
    monkeypatch.setenv("MPIR_CVAR_CH4_NETMOD", "ofi")

    def run(source: str, n_ranks: int, *arguments: str) -> Profile:
        program = [str(mpi_jobs.compile_program(mpi.mpicc, source, tmp_path / "program")), *arguments]
        return profile_of(mpi, n_ranks, program, tmp_path / "profile", COREWISE_SPAWNED="1")

    return run


@pytest.mark.sanitized("asan")
@pytest.mark.parametrize(
    ("arguments", "call"), [([], "MPI_Comm_spawn"), (["multiple"], "MPI_Comm_spawn_multiple")]
)
def test_spawned_processes_are_recorded_beside_their_parents(traced, arguments, call):
    profile = traced("spawned_ring.c", 2, *arguments)
    assert profile.worlds == [(0, 2), (2, 3)]
    assert profile.complete and profile.faults == []
    ring = {(2, 3): (5, 1), (3, 4): (5, 1), (4, 2): (5, 1)}
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 1): (7, 1)} | ring
    assert mpi_jobs.pairs(profile, Layer.coll) == {(2, 3): (9, 1), (2, 4): (9, 1)}
    assert mpi_jobs.call_counts(profile)[call] == 2


@pytest.mark.sanitized("asan")
def test_messages_between_parents_and_children_are_pairs_of_the_one_profile(traced):
    profile = traced("spawned_pairs.c", 2, "together")
    assert profile.complete and profile.faults == []
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 4): (5, 1), (3, 1): (10, 2), (2, 1): (7, 1)}
    broadcasts = {(0, child): (20, 2) for child in (2, 3, 4)}
    assert mpi_jobs.pairs(profile, Layer.coll) == {(0, 1): (11, 1)} | broadcasts


def test_children_that_are_spawned_at_the_same_time_are_not_mixed_up(traced):
    profile = traced("spawned_pairs.c", 2, "own")
    assert profile.worlds == [(0, 2), (2, 1), (3, 1)]
    pairs = mpi_jobs.pairs(profile, Layer.p2p)
    # MPICH doesn't report which process spawned which. If the times don't decide it, the messages count as
    # lost.
    n_lost = [int(fault.split()[0]) for fault in profile.faults]
    assert len(pairs) + sum(n_lost) == 4
    assert all(messages == (min(pair) + 1, 1) for pair, messages in pairs.items())
    assert all(max(pair) >= 2 > min(pair) for pair in pairs)


# Under MPICH a spawned process can't open a port ("no space for port_name tag").
@pytest.mark.sanitized("asan")
@pytest.mark.parametrize("traced", ["openmpi", "openmpi5"], indirect=True)
def test_children_that_connect_to_each_other_are_found(traced):
    profile = traced("spawned_pairs.c", 1, "meet")
    assert profile.complete and profile.faults == []
    pairs = mpi_jobs.pairs(profile, Layer.p2p)
    assert pairs[1, 2] == (3, 1)
    assert pairs.keys() == {(0, 1), (0, 2), (1, 0), (1, 2)}


@pytest.mark.parametrize(("way", "broadcast"), [("sent", {}), ("merged", {(0, 1): (9, 1)})])
def test_messages_to_children_that_are_not_recorded_are_told(way, broadcast, compiled, tmp_path):
    program = compiled("openmpi", "spawned_pairs.c")
    job = mpi_jobs.run("openmpi", 2, [str(program), way], tmp_path / "profile")
    assert job.returncode == 0, job.stderr
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (7, 1)}
    assert mpi_jobs.pairs(job.profile, Layer.coll) == broadcast
    (fault,) = job.profile.faults
    assert fault.startswith("1 messages went to processes outside MPI_COMM_WORLD that were not traced")
