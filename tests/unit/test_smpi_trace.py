"""Time-independent traces from recordings: the actions of each call, and recordings that are refused."""

from __future__ import annotations

from collections import Counter

import pytest
from corewise.errors import InputError
from corewise.model import Layer
from corewise.simulation.smpi_trace import span_around, trace_of
from hypothesis import given
from hypothesis import strategies as st
from smpi_cases import WORLD, Job, actions, check_trace


def lines_of(job: Job, compute_factor: float = 1.0) -> list[list[str]]:
    return actions(trace_of(job.recording(), compute_factor).lines)


def refused(job: Job) -> str:
    with pytest.raises(InputError) as error:
        trace_of(job.recording())
    return str(error.value)


def test_a_message_is_sent_and_received_with_a_number_of_its_own():
    job = Job(2)
    job.message(0, 1, 8)
    job.message(0, 1, 9)
    job.message(1, 0, 7)
    assert lines_of(job) == [
        ["init", "send 1 0 8", "send 1 1 9", "recv 1 0 7", "finalize"],
        ["init", "recv 0 0 8", "recv 0 1 9", "send 0 0 7", "finalize"],
    ]


def test_computing_between_calls_counts_a_flop_a_nanosecond():
    job = Job(2)
    job.compute(0, 2e-6)
    job.message(0, 1, 8)
    job.compute(1, 3e-6)
    trace = trace_of(job.recording(), 2.0)
    assert actions(trace.lines) == [
        ["init", "compute 4000", "send 1 0 8", "finalize"],
        ["init", "recv 0 0 8", "compute 6000", "finalize"],
    ]
    assert trace.compute_s == [pytest.approx(4e-6), pytest.approx(6e-6)]
    assert lines_of(job, 0.0)[0] == ["init", "send 1 0 8", "finalize"]


def test_requests_are_waited_for_where_the_program_did():
    job = Job(2)
    job.message(0, 1, 8, blocking=False)
    assert lines_of(job) == [
        ["init", "isend 1 0 8", "wait 0 1 0", "finalize"],
        ["init", "irecv 0 0 8", "wait 0 1 0", "finalize"],
    ]


def test_a_call_with_two_messages_waits_for_both():
    job = Job(2)
    sends = [job.call(rank, "MPI_Sendrecv", peer=1 - rank, bytes=8, sends=1) for rank in (0, 1)]
    for rank in (0, 1):  # the part comes after its call
        part = job.call(rank, "MPI_Sendrecv", peer=1 - rank, bytes=8, receives=1, part=1)
        job.rows[part]["matches"], job.rows[sends[1 - rank]]["matches"] = sends[1 - rank], part
    assert lines_of(job)[0] == ["init", "isend 1 0 8", "irecv 1 0 8", "wait 0 1 0", "wait 1 0 0", "finalize"]


def test_a_receive_that_never_got_a_message_is_left_out():
    job = Job(1)
    job.call(0, "MPI_Irecv", receives=1, starts=1)
    assert lines_of(job) == [["init", "finalize"]]


def test_the_time_of_io_counts_as_computing():
    job = Job(1)
    job.call(0, "MPI_File_write", Layer.io)
    job.compute(0, 1e-6)
    assert lines_of(job) == [["init", "compute 1000", "finalize"]]


def test_roots_are_world_ranks_and_a_gathers_size_is_not_its_roots():
    # The communicator's members are 3, 2, 1, 0, so its root 1 is world rank 2.
    job = Job(4, {2: [3, 2, 1, 0]})
    job.collective("MPI_Bcast", 8, root=1, comm=2)
    for rank in range(4):
        job.call(rank, "MPI_Gather", Layer.coll, collective=1, bytes=0 if rank == 3 else 5, peer=3)
    assert [of_rank[1:-1] for of_rank in lines_of(job)] == [["bcast 8 2", "gather 5 5 3"]] * 4


def test_collectives_whose_sizes_differ_have_all_of_them():
    job = Job(3)
    for rank in range(3):
        job.call(rank, "MPI_Allgatherv", Layer.coll, collective=1, bytes=10 + rank)
    for rank in range(3):  # each rank sends 10 * rank + peer bytes to every other rank
        job.call(rank, "MPI_Alltoallv", Layer.coll, collective=1)
        for peer in {0, 1, 2} - {rank}:
            job.call(rank, "MPI_Alltoallv", Layer.coll, part=1, sends=1, peer=peer, bytes=10 * rank + peer)
    for rank in range(3):
        job.call(rank, "MPI_Scatterv", Layer.coll, collective=1)
    for peer in (0, 2):
        job.call(1, "MPI_Scatterv", Layer.coll, part=1, sends=1, peer=peer, bytes=5 + peer)
    assert lines_of(job)[1][1:-1] == [
        "allgatherv 11 10 11 12",
        "alltoallv 22 10 0 12 22 1 0 21",
        "scatterv 5 0 7 0 1",
    ]


def test_each_rank_of_a_reduce_scatter_gets_its_own_share():
    job = Job(3)
    for rank in range(3):
        job.call(rank, "MPI_Reduce_scatter", Layer.coll, collective=1)
        for peer in {0, 1, 2} - {rank}:
            job.call(rank, "MPI_Reduce_scatter", Layer.coll, part=1, sends=1, peer=peer, bytes=5 + peer)
    assert lines_of(job)[0][1:-1] == ["reducescatter 5 6 7 0 6"]


def test_reductions_are_of_doubles_or_ints_where_their_size_allows_it():
    # Type 0 is MPI_DOUBLE, 1 MPI_INT, 6 MPI_BYTE. The number before it is the work of the operation.
    job = Job(2)
    for size in (16, 12, 3):
        job.collective("MPI_Allreduce", size)
    job.collective("MPI_Reduce", 8, root=1)
    job.collective("MPI_Reduce_scatter_block", 4)
    assert lines_of(job)[0][1:-1] == [
        "allreduce 2 0 0",
        "allreduce 3 0 1",
        "allreduce 3 0 6",
        "reduce 1 0 1 0",
        "reducescatter 1 1 0 1",
    ]


def test_what_a_rank_does_alone_is_no_action():
    job = Job(2, {2: [0]})
    job.collective("MPI_Barrier", comm=2)
    job.collective("MPI_Comm_dup")
    assert lines_of(job) == [["init", "finalize"]] * 2


def test_collectives_of_some_ranks_are_refused():
    job = Job(3, {2: [0, 2]})
    job.collective("MPI_Allreduce", 8, comm=2)
    assert "p can't be replayed: MPI_Allreduce of rank 0 of 2 of 3 ranks" in refused(job)


def test_other_collectives_are_refused():
    job = Job(2)
    job.collective("MPI_Neighbor_alltoall", 8)
    assert "MPI_Neighbor_alltoall of rank 0 has no action there" in refused(job)


def test_ranks_that_disagree_on_a_collective_are_refused():
    job = Job(2)
    job.call(0, "MPI_Barrier", Layer.coll, collective=1)
    assert "rank 1 made 0 collective calls on a communicator and rank 0 made 1" in refused(job)
    job.call(1, "MPI_Bcast", Layer.coll, collective=1)
    assert "ranks call MPI_Barrier and MPI_Bcast in one place" in refused(job)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"peer": 1, "sends": 1}, "has a message whose other end was not found"),
        ({"peer": -1, "sends": 1}, "has a partner outside MPI_COMM_WORLD"),
        ({"failed": 1}, "returned an error"),
        ({"layer": Layer.rma}, "is one-sided"),
        ({"layer": Layer.coll, "collective": 1, "starts": 1}, "is a non-blocking collective"),
        ({"layer": Layer.coll, "collective": 1, "bytes": 2**31}, "has more than 2^31 - 1 bytes"),
    ],
)
def test_what_a_trace_cannot_say_is_refused_with_the_call(columns, why):
    job = Job(2)
    job.call(1, "MPI_X", columns.pop("layer", Layer.p2p), **columns)
    assert f"MPI_X of rank 1 {why}" in refused(job)


def test_calls_of_a_second_thread_are_refused():
    job = Job(1)
    job.call(0, "MPI_Wait")
    job.call(0, "MPI_Test", thread=1)
    assert "MPI_Test of rank 0 is on a second thread" in refused(job)


@pytest.mark.parametrize(
    ("begin_s", "expected"),
    [
        (9.5, (9.5, 14.5)),  # the same clock: half a second before the calls, half a second after them
        (3.0, (9.0, 14.0)),  # by a clock that is behind: it ends with the last call
        (90.0, (10.0, 15.0)),  # ahead: it starts with the first call
    ],
)
def test_a_rank_runs_as_long_as_it_ran_whatever_clock_its_begin_is_on(begin_s, expected):
    # Calls from 10 to 14 s, in a run of 5 s.
    assert span_around(10.0, 14.0, begin_s, 5.0) == pytest.approx(expected)


STEPS = st.one_of(
    st.tuples(
        st.just("message"), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2**31 - 1), st.booleans()
    ),
    st.tuples(
        st.sampled_from(["MPI_Barrier", "MPI_Bcast", "MPI_Allreduce", "MPI_Alltoall", "MPI_Gather"]),
        st.integers(0, 3),
        st.integers(0, 1000),
    ),
    st.tuples(st.just("compute"), st.integers(0, 3), st.floats(1e-9, 1.0)),
)


@given(st.lists(STEPS, max_size=40))
def test_any_job_becomes_a_trace_that_smpi_can_replay(steps):
    job, expected, computed_s = Job(4), Counter(), [0.0] * 4
    for what, *numbers in steps:
        if what == "compute":
            rank, seconds = numbers
            job.compute(rank, seconds)
            computed_s[rank] += seconds
        elif what == "message":
            src, dst, size, blocking = numbers
            job.message(src, dst, size, blocking)
            i = "" if blocking else "i"
            expected.update({f"{i}send": 1, f"{i}recv": 1} | ({} if blocking else {"wait": 2}))
        else:
            root, size = numbers
            job.collective(what, size, root, WORLD)
            expected[what.removeprefix("MPI_").lower()] += 4
    trace = trace_of(job.recording())
    counts = check_trace(trace.lines)
    del counts["compute"]
    assert counts == expected
    assert trace.compute_s == pytest.approx(computed_s, abs=1e-9 * (len(steps) + 1))
