"""The traced matrix of each pattern of programs/patterns.c equals the one written here by hand; 4 ranks."""

from __future__ import annotations

import struct

import mpi_jobs
import pytest
from corewise.model import Layer

N = 4
RING = [(rank, (rank + 1) % N) for rank in range(N)]
EVERYONE = range(N)


def everybody_to_everybody(bytes_and_messages):
    return {(s, d): bytes_and_messages for s in EVERYONE for d in EVERYONE if s != d}


def add(*matrices):
    total = {}
    for matrix in matrices:
        for pair, (n_bytes, messages) in matrix.items():
            before = total.get(pair, (0, 0))
            total[pair] = (before[0] + n_bytes, before[1] + messages)
    return total


STAR_FROM_1 = {(1, d): (8, 1) for d in (0, 2, 3)}
STAR_TO_1 = {(s, 1): (8, 1) for s in (0, 2, 3)}
THROUGH_0 = {(0, d): (8, 1) for d in (1, 2, 3)} | {(s, 0): (8, 1) for s in (1, 2, 3)}

POINT_TO_POINT = {
    # Send, Bsend and Ssend of (rank + 1) * 10 bytes.
    "p2p": {(s, d): (3 * (s + 1) * 10, 3) for s, d in RING},
    "isend": {(0, d): (400, 1) for d in (1, 2, 3)} | {(s, 0): (8, 1) for s in (1, 2, 3)},
    # 3 starts and 2 startalls of 64 bytes, 2 startalls of 32.
    "persistent": {pair: (5 * 64 + 2 * 32, 7) for pair in RING},
    "buffered": {pair: (8 * 65536, 8) for pair in RING},
    # MPI_PROC_NULL at the ends; 5 bytes to the rank itself.
    "sendrecv": {(s, s + 1): (24, 1) for s in range(N - 1)} | {(s, s): (5, 1) for s in EVERYONE},
    "regions": {pair: (6 + 7, 2) for pair in RING},
    # Rank 0 of the reversed even ranks is world rank 2; of the even ranks in order, world rank 0.
    "split": {(2, 0): (7, 1), (0, 2): (7, 1)},
    # 10 doubles with gaps; the gaps are not sent.
    "derived": {(0, 1): (80, 1)},
    "intercomm": {(0, 2): (9, 1), (1, 3): (9, 1)},
    # 2 rounds x 4 threads x 100 messages x 10 bytes.
    "threads": {pair: (8000, 800) for pair in RING},
    # Sizes 1, 2, ... 2^19 by four calls: 4 x (2^20 - 1) bytes in 80 messages.
    "many_rows": {pair: (4 * (2**20 - 1), 80) for pair in RING},
}
COLLECTIVE = {
    # The root of both broadcasts of 11 bytes is the rank that also sends 7 bytes.
    "split": {(2, 0): (11, 1), (0, 2): (11, 1)},
    # Rank 0 of the lower half broadcasts 3 bytes to the upper half.
    "intercomm": {(0, 2): (3, 1), (0, 3): (3, 1)},
    # Bcast and Scatter from rank 1, Reduce and Gather to it, Allreduce through rank 0; no Barrier.
    "collectives": add(STAR_FROM_1, STAR_FROM_1, STAR_TO_1, STAR_TO_1, THROUGH_0),
    # Iallgather of 4 bytes and Ialltoall of 1 byte between all ranks, Iscan of 2 bytes along the chain.
    "all_pairs": add(everybody_to_everybody((5, 2)), {(s, s + 1): (2, 1) for s in range(N - 1)}),
    # Alltoallv and alltoallw of 10 s + d bytes (no message for 0 bytes), and scatterv of the same from rank
    # 1.
    "irregular": add(
        {(s, d): (2 * (10 * s + d), 2) for s in EVERYONE for d in EVERYONE if s != d},
        {(1, d): (10 + d, 1) for d in (0, 2, 3)},
    ),
    "neighbors": add({pair: (16, 1) for pair in RING}, {(d, s): (16, 1) for s, d in RING}),
}
# A get flows from the target to the caller.
ONE_SIDED = {"one_sided": {(0, 1): (40, 1), (1, 0): (24, 1)}}


@pytest.mark.parametrize("pattern", sorted(POINT_TO_POINT | COLLECTIVE | ONE_SIDED))
def test_the_traced_matrix_is_the_one_worked_out_by_hand(trace, pattern):
    job = trace("patterns.c", pattern)
    profile = job.profile
    assert profile.faults == [] and profile.complete
    assert mpi_jobs.pairs(profile, Layer.p2p) == POINT_TO_POINT.get(pattern, {})
    assert mpi_jobs.pairs(profile, Layer.coll) == COLLECTIVE.get(pattern, {})
    assert mpi_jobs.pairs(profile, Layer.rma) == ONE_SIDED.get(pattern, {})


THREADS = pytest.param("threads", marks=pytest.mark.sanitized)


@pytest.mark.sanitized("asan")
@pytest.mark.parametrize("pattern", ["collectives", "irregular", "p2p", "persistent", "split", THREADS])
def test_counting_without_a_clock_gives_the_same_matrix_and_no_times(trace, pattern):
    job = trace("patterns.c", pattern, COREWISE_MODE="count")
    assert job.profile.faults == [] and job.profile.complete
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == POINT_TO_POINT.get(pattern, {})
    assert mpi_jobs.pairs(job.profile, Layer.coll) == COLLECTIVE.get(pattern, {})
    assert all(rank.mpi_s == 0 and rank.wall_s > 0 for rank in job.profile.ranks)


@pytest.mark.sanitized("asan")
@pytest.mark.parametrize("mode", ["count", "time"])
def test_calls_that_differ_in_one_thing_are_told_apart(trace, mode):
    job = trace("repeats.c", n_ranks=3, COREWISE_MODE=mode)
    # A round: 1 int, 2 ints, 1 byte and round + 1 ints, each three times, and one int in the other direction.
    to_first = [3 * (4 + 8 + 1 + 4 * (n + 1)) for n in range(4)]
    even, odd = to_first[0] + to_first[2], to_first[1] + to_first[3]
    # After the 24 sends of two rounds in each direction, 6 in the other direction. In MPI_COMM_WORLD: 12
    # messages of one int, then 4 ints in 3 messages, one of which is too long for its receive.
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {
        (1, 0): (even + 6 * 4 + 12 * 4 + 16, 24 + 6 + 12 + 3),
        (1, 2): (odd + 6 * 4, 24 + 6),
    }
    # 15 receives per round in its communicator, then 12; of the last three one fails.
    assert mpi_jobs.call_counts(job.profile)["MPI_Recv"] == 4 * 15 + 12 + 2


def test_a_mode_that_there_is_not_records_nothing_and_says_so(trace):
    job = trace("patterns.c", "nothing", n_ranks=2, quiet=False, COREWISE_MODE="fast")
    assert job.returncode == 0
    assert job.stderr.count("COREWISE_MODE is none of count, time and events") == 1


def test_sizes_are_kept_apart_exactly_at_powers_of_two(trace):
    # many_rows sends 4 messages each of 1, 2, 4, ... 2^19 bytes. Those of 2^17, 2^18 and 2^19 bytes count as
    # large.
    profile = trace("patterns.c", "many_rows", n_ranks=2, quiet=False).profile
    large = profile.traffic(Layer.p2p, 2**17).large
    assert large.threshold_bytes == 2**17
    assert (large.matrix.bytes, large.matrix.messages) == (2 * 4 * (2**17 + 2**18 + 2**19), 2 * 12)


def test_times_of_calls_lie_within_the_run(trace):
    profile = trace("patterns.c", "isend", quiet=False).profile
    for rank in profile.ranks:
        assert 0 < rank.mpi_s <= rank.wall_s
    assert mpi_jobs.call_counts(profile)["MPI_Isend"] == 3


def test_each_rank_ends_in_the_region_that_mpi_pcontrol_gave_last(trace):
    # The chunks of windows as in formats/FORMATS.md. preload/tests decodes their records.
    job = trace("patterns.c", "regions", quiet=False)
    (file,) = job.directory.iterdir()
    data = file.read_bytes()
    (at, next_free) = struct.unpack_from("=QQ", data, 32)  # chunks_offset and next_free of the header
    open_regions = {}
    while at < next_free:
        kind, n_bytes, rank = struct.unpack_from("=IIi", data, at)
        if kind == 7:
            *_, open_regions[rank] = struct.unpack_from("=QQQIi", data, at + 64)
        at += n_bytes or 4096
    assert open_regions == dict.fromkeys(range(N), 3)
