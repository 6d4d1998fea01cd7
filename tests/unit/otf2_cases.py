"""An OTF2 archive by OTF2's own writer, and an events profile of three ranks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.files.otf2_archive import interpreter
from profile_cases import (
    CALL,
    COLLECTIVE,
    COLLECTIVE_EVENT,
    COMPLETES,
    PART,
    RECEIVES,
    SENDS,
    STARTS,
    TO_PEER,
    ProfileFile,
    event_shape,
    varints,
    zigzag,
)

WORLD, REVERSED = 7, 8  # communicators; REVERSED has the members 2, 1, 0
REVERSED_GROUP = 6


def needs_otf2() -> str:
    """A Python with OTF2's bindings. Skips the test if there is none."""
    try:
        return interpreter()
    except MissingError as missing:
        pytest.skip(str(missing))


def events_profile(mpi_library: int = 0) -> ProfileFile:
    """An events profile of three ranks; times in ms. Rows and events agree.

    Rank 0 sends 8 bytes to rank 1 (tag 5), which has posted a receive and waits. Rank 2 starts a send of 40
    bytes to rank 0 in the reversed communicator (tag 3), where rank 0 receives it. Then, in MPI_COMM_WORLD: a
    broadcast of 100 bytes from rank 1, a gather of 10 bytes to rank 2, an allreduce of 24 bytes with a
    request, a scan of 16 bytes, and an all-to-all-v in which rank 0 sends 1 byte to rank 1 and 2 bytes to
    rank 2.
    """
    file = ProfileFile(3).group(5, 3).comm(WORLD, 5, "MPI_COMM_WORLD")
    file.reversed_group(REVERSED_GROUP, 3).comm(REVERSED, REVERSED_GROUP, "back", parent=WORLD)
    request, done = zigzag(1), 4 * zigzag(0)  # the next request number; the request named last
    first = {
        0: event_shape("MPI_Send", SENDS, 1, 5, 8)
        + varints(1, 100, 50)
        + event_shape("MPI_Recv", RECEIVES, 2, 3, 40, REVERSED)
        + varints(5, 10, 40),
        1: event_shape("MPI_Irecv", RECEIVES | STARTS, 0, 5, 64)
        + varints(1, 20, 0, request)
        + event_shape("MPI_Wait", COMPLETES)
        + varints(5, 10, 120, 1, done + 1, zigzag(0), zigzag(5), 8),
        2: event_shape("MPI_Isend", SENDS | STARTS, 0, 3, 40, REVERSED)
        + varints(1, 110, 5, request)
        + event_shape("MPI_Wait", COMPLETES)
        + varints(5, 10, 75, 1, done),
    }
    for rank in range(3):
        file.rank(rank, seconds=1, mpi_library=mpi_library)
        file.events(rank, first[rank] + _collectives(rank), n_events=8)
        calls = [
            ("MPI_Bcast", 1, CALL | COLLECTIVE, WORLD, 1, 100),
            ("MPI_Gather", 2, CALL | COLLECTIVE, WORLD, 1, 0 if rank == 2 else 10),
            ("MPI_Iallreduce", -1, CALL | COLLECTIVE, WORLD, 1, 24),
            ("MPI_Scan", -1, CALL | COLLECTIVE, WORLD, 1, 16),
        ]
        sends = {
            0: [("MPI_Send", 1, CALL | TO_PEER, WORLD, 1, 8)],
            2: [("MPI_Isend", 0, CALL | TO_PEER, REVERSED, 1, 40)],
        }
        file.rows(rank, calls + sends.get(rank, []))
    return file


def _collectives(rank: int) -> bytes:
    """Event shapes 2 to 9: 10 ms each, 10 ms apart."""
    begin = 0 if rank == 1 else 50
    parts = b""
    if rank == 0:
        for number, peer in enumerate((1, 2), 8):
            parts += event_shape("MPI_Alltoallv", SENDS | PART, peer, 0, peer) + varints(1 + 4 * number)
    return (
        event_shape("MPI_Bcast", COLLECTIVE_EVENT, 1, 0, 100)
        + varints(9, begin, 10)
        + event_shape("MPI_Gather", COLLECTIVE_EVENT, 2, 0, 0 if rank == 2 else 10)
        + varints(13, 10, 10)
        + event_shape("MPI_Iallreduce", COLLECTIVE_EVENT | STARTS, -1, 0, 24)
        + varints(17, 10, 0, zigzag(9))
        + event_shape("MPI_Wait", COMPLETES)
        + varints(21, 10, 10, 1, 4 * zigzag(0))
        + event_shape("MPI_Scan", COLLECTIVE_EVENT, -1, 0, 16)
        + varints(25, 10, 10)
        + event_shape("MPI_Alltoallv", COLLECTIVE_EVENT, -1, 0, 0)
        + varints(29, 10, 10)
        + parts
    )


# Writes an archive of two ranks with a second thread each, a GPU, a communicator of ranks 1 and 0 in this
# order, MPI_COMM_SELF, messages of 5 to 40,000 bytes, a message to a rank that doesn't exist, a broadcast of
# 100 bytes from rank 1 and an all-to-all-v, with sizes as Score-P writes them.
WRITER = """
import sys, otf2
from otf2.enums import CollectiveOp, GroupType, LocationGroupType, LocationType, Paradigm
with otf2.writer.open(sys.argv[1], archive_name="traces", timer_resolution=10**6) as trace:
    known = trace.definitions
    node = known.system_tree_node("node")
    places, gpu = [], None
    for rank in range(2):
        process = known.location_group(f"process {rank}", system_tree_parent=node)
        places.append([known.location(f"thread {t} of {rank}", group=process) for t in range(2)])
    device = known.location_group(
        "device", location_group_type=LocationGroupType.ACCELERATOR, system_tree_parent=node)
    gpu = known.location("stream", type=LocationType.GPU, group=device)
    group = lambda name, kind, members: known.group(
        name, group_type=kind, paradigm=Paradigm.MPI, members=members)
    ranks = group("ranks", GroupType.COMM_LOCATIONS, [place[0] for place in places])
    world = known.comm("world", group("all", GroupType.COMM_GROUP, (0, 1)))
    turned = known.comm("turned", group("turned", GroupType.COMM_GROUP, (1, 0)))
    alone = known.comm("self", group("self", GroupType.COMM_SELF, ()))
    region = known.region("GPU kernel")
    sends = {
        (0, 0): [(1, world, 8), (0, turned, 40000), (1, turned, 8), (0, alone, 5)],
        (0, 1): [(1, world, 8)],
        (1, 0): [(7, world, 8)],
    }
    for (rank, thread), messages in sends.items():
        writer = trace.event_writer_from_location(places[rank][thread])
        for time, (receiver, comm, size) in enumerate(messages):
            writer.mpi_send(time, receiver, comm, 0, size)
    for rank, sizes in ((0, (0, 100)), (1, (200, 100))):
        writer = trace.event_writer_from_location(places[rank][0])
        writer.mpi_collective_begin(10)
        writer.mpi_collective_end(11, CollectiveOp.BCAST, world, 1, *sizes)
        writer.mpi_collective_begin(12)
        writer.mpi_collective_end(13, CollectiveOp.ALLTOALLV, world, 2**32 - 1, 9, 9)
    writer = trace.event_writer_from_location(gpu)
    writer.enter(0, region)
    writer.leave(1, region)
"""


def write_as_others(folder: Path) -> Path:
    """An archive written with OTF2's own Python interface; returns its .otf2 file."""
    ended = subprocess.run(
        [needs_otf2(), "-c", WRITER, str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return folder / "traces.otf2"
