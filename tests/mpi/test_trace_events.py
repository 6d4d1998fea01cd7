"""Events of real jobs: every message is found at both ends, compared with the program's own log."""

from __future__ import annotations

import mpi_jobs
import numpy as np
import pytest
from corewise import machines
from corewise.model import Assignment, Profile, estimate, read_events, schedule_of_events

N = 3
OF_RANK = 4 * 60  # messages per rank in tests/mpi/programs/messages.c


@pytest.fixture
def traced(family, compiled, tmp_path):
    """The events of messages.c, and its log: for each rank (sender, number of the message) by receive."""
    (tmp_path / "log").mkdir()
    program = compiled(family, "messages.c")
    argv = [str(program), str(tmp_path / "log")]
    job = mpi_jobs.run(family, N, argv, tmp_path / "profile", COREWISE_MODE="events")
    assert job.returncode == 0, job.stderr
    logged = [np.loadtxt(tmp_path / "log" / str(rank), dtype=int) for rank in range(N)]
    return Profile.read(str(tmp_path / "profile")), read_events(str(tmp_path / "profile")), logged


@pytest.mark.sanitized("asan")
def test_every_message_is_matched_to_the_receive_that_got_it(traced, family):
    profile, log, logged = traced
    assert profile.complete
    assert {rank.mpi_library for rank in profile.ranks} == {family}
    assert (profile.n_events_dropped, log.n_dropped, log.n_damaged) == (0, 0, 0)
    assert profile.n_events == log.n_events
    table = log.columns()
    p2p = np.array([call.layer.name == "p2p" for call in log.calls])[table["call"]]
    sends = [np.flatnonzero((table["rank"] == rank) & table["sends"] & p2p) for rank in range(N)]
    assert [len(indices) for indices in sends] == [OF_RANK] * N
    for rank in range(N):
        receives = np.flatnonzero((table["rank"] == rank) & table["receives"] & p2p)
        assert len(receives) == len(logged[rank])
        expected = [sends[sender][number] for sender, number in logged[rank]]
        assert table["matches"][receives].tolist() == expected
        assert table["matches"][expected].tolist() == receives.tolist()
        for column in ("tag", "comm", "bytes"):
            assert table[column][receives].tolist() == table[column][expected].tolist()
        by = table["completed_by"][receives]
        ends = np.where(by >= 0, by, receives)
        assert (table["begin_s"][expected] < table["end_s"][ends]).all()


@pytest.mark.sanitized("asan")
def test_messages_that_matched_probes_took_are_matched(trace, tmp_path):
    trace("matched_probes.c", n_ranks=2, COREWISE_MODE="events")
    log = read_events(str(tmp_path / "profile"))
    table = log.columns()
    sends = np.flatnonzero(table["sends"])
    assert table["bytes"][sends].tolist() == [4 * n for n in range(1, 9)]
    ends = table["matches"][sends]
    assert table["bytes"][ends].tolist() == table["bytes"][sends].tolist()
    done = np.where(table["completed_by"][ends] >= 0, table["completed_by"][ends], ends)

    def names(events: np.ndarray) -> list[str]:
        return [log.calls[call].name for call in table["call"][events]]

    assert names(ends) == [
        f"MPI_{name}" for name in ["Mprobe", "Recv", "Improbe", "Irecv", "Mprobe", "Mprobe", "Recv", "Recv"]
    ]
    assert names(done) == [
        f"MPI_{name}" for name in ["Mrecv", "Recv", "Wait", "Wait", "Mrecv", "Mrecv", "Recv", "Recv"]
    ]
    # A send to MPI_PROC_NULL sends nothing.
    assert names(np.flatnonzero(table["rank"] == 1)[-2:]) == ["MPI_Mprobe", "MPI_Mrecv"]
    assert not table["receives"][np.flatnonzero(table["rank"] == 1)[-2:]].any()


def test_what_a_rank_polls_is_told_from_what_it_computes(trace, family, tmp_path):
    # Rank 0 computes for 0.6 s, and rank 1 polls during that time: 0.3 s per message, on average.
    job = trace("polling.c", n_ranks=2, COREWISE_MODE="events")
    log = read_events(str(tmp_path / "profile"))
    names = [log.calls[call].name for call in log.columns()["call"]]
    assert (names.count("MPI_Iprobe"), names.count("MPI_Test")) == (1, 1)  # only successful calls
    schedule = schedule_of_events(job.profile, log, family)
    found = estimate(schedule, machines.load("draco:2"), Assignment.from_cores([0, 1]))
    assert found.comm_s > 0.2
    assert found.makespan_s > 0.6


@pytest.mark.sanitized("asan")
def test_two_communicators_of_the_same_members_are_told_apart(traced):
    profile, log, _ = traced
    assert len(set(log.columns()["comm"].tolist()) - {0}) == 2
    rows = profile.columns()
    messages = [int(rows["messages"][rows["comm"] == i].sum()) for i in range(len(profile.comms))]
    by_name = {comm.name: count for comm, count in zip(profile.comms, messages, strict=True)}
    assert by_name == {"MPI_COMM_WORLD": N * OF_RANK // 2, "": N * OF_RANK // 2}
    duplicate = next(comm for comm in profile.comms if not comm.name)
    assert duplicate.by_identity
    assert list(duplicate.members) == list(range(N))
    assert profile.comms[duplicate.parent].name == "MPI_COMM_WORLD"
