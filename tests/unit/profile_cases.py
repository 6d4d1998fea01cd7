"""Profiles of version 2, built byte by byte as formats/include/corewise_formats/profile.h describes them."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

PAGE = 4096
HEADER = 1824  # size of the header in bytes
P2P, COLL, IO = 0, 1, 3  # layers
CALL, TO_PEER, COLLECTIVE = 1, 2, 8  # flags of rows
RANK, ROWS, GROUP, WINDOWS, COMMS, EVENTS, CLOCKS, DEVICES = 1, 2, 3, 7, 8, 9, 10, 13  # kinds of chunks
SENDS, RECEIVES, COLLECTIVE_EVENT, STARTS, COMPLETES, PART = 1, 2, 4, 8, 16, 32  # flags of events
WAITED = 16  # flag of a row: messages that were waited for
SECOND_NS = 10**9
TICKS_PER_S = 1000

# name, layer, flow
CALLS = (
    ("MPI_Send", P2P, 0),
    ("MPI_Recv", P2P, 0),
    ("MPI_Irecv", P2P, 0),
    ("MPI_Wait", P2P, 0),
    ("MPI_Allgather", COLL, 3),
    ("MPI_Alltoall", COLL, 3),
    ("MPI_Alltoallv", COLL, 0),
    ("MPI_Bcast", COLL, 1),
    ("MPI_Isend", P2P, 0),
    ("MPI_Allreduce", COLL, 4),
    ("MPI_Iallreduce", COLL, 4),
    ("MPI_Scan", COLL, 5),
    ("MPI_Gather", COLL, 2),
    ("MPI_File_write_at_all", IO, 0),
)
CALL_NUMBER = {name: number for number, (name, _, _) in enumerate(CALLS)}


def varint(value: int) -> bytes:
    """An unsigned number as LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def zigzag(value: int) -> int:
    """Zigzag encoding of a signed number."""
    return value << 1 if value >= 0 else (-value << 1) - 1


def varints(*values: int) -> bytes:
    """The numbers one after the other, as LEB128."""
    return b"".join(map(varint, values))


def event_shape(call: str, flags: int, peer: int = -1, tag: int = 0, size: int = 0, comm: int = 7) -> bytes:
    """The record that describes events of one kind. The first shape of a chunk has number 0, the next 1."""
    return varints(0, CALL_NUMBER[call], flags, zigzag(peer), zigzag(tag), comm, size)


class ProfileFile:
    """One node's file in memory: header, table of calls and chunks."""

    def __init__(self, n_ranks: int, job: str = "job", host: str = "n0", world: str = "") -> None:
        self.n_ranks, self.job, self.host, self.world = n_ranks, job, host, world
        self.chunks: list[bytes] = []

    def chunk(self, kind: int, rank: int, content: bytes, **fields: int) -> ProfileFile:
        """Appends a chunk; `fields` are thread, last_ticks, n_items and first_row."""
        size = -(-(64 + len(content)) // PAGE) * PAGE
        thread, last_ticks = fields.get("thread", 0), fields.get("last_ticks", 0)
        n_items, first_row = fields.get("n_items", 0), fields.get("first_row", 0)
        head = struct.pack("<IIiIQII32x", kind, size, rank, thread, last_ticks, n_items, first_row)
        self.chunks.append((head + content).ljust(size, b"\0"))
        return self

    def rank(self, rank: int, seconds: int = 4, mpi_library: int = 0) -> ProfileFile:
        """A rank that ran from second 0 of 1970; its clock had 1000 ticks at the start."""
        begin, end = TICKS_PER_S, TICKS_PER_S * (1 + seconds)
        times = struct.pack("<IIdQQq", 100 + rank, 1, float(TICKS_PER_S), begin, end, 0)
        rest = struct.pack("<8QII512sQIIQQ", *[0] * 8, 1, 0, b"", 0, 0, mpi_library, 0, 0)
        return self.chunk(RANK, rank, times + rest)

    def rows(self, rank: int, rows: Iterable[tuple], last_second: float = 4) -> ProfileFile:
        """Rows of (call, peer, flags, group, count, bytes per call), half a second each."""
        content = b"".join(
            struct.pack(
                *("<iHBBQQQQQ", peer, CALL_NUMBER[call], size.bit_length(), flags, group, 0),
                *(count, count * size, TICKS_PER_S // 2),
            )
            for call, peer, flags, group, count, size in rows
        )
        return self.chunk(ROWS, rank, content, last_ticks=int(TICKS_PER_S * (1 + last_second)))

    def windows(self, rank: int, *numbers: int, level: int = 0, open_region: int = 1) -> ProfileFile:
        """Windows of one second; `numbers` are the numbers of the records."""
        records = varints(*numbers)
        head = struct.pack("<QQQIi", SECOND_NS, 0, len(records), level, open_region)
        return self.chunk(WINDOWS, rank, head + records)

    def group(self, number: int, n_members: int) -> ProfileFile:
        """A group of the first ranks of the job, in order."""
        return self.chunk(GROUP, 0, struct.pack("<QIIiiI", number, n_members, 0, 0, 1, n_members), n_items=1)

    def reversed_group(self, number: int, n_members: int) -> ProfileFile:
        """A group of the first ranks of the job, the last one first."""
        content = struct.pack("<QIIiiI", number, n_members, 0, n_members - 1, -1, n_members)
        return self.chunk(GROUP, 0, content, n_items=1)

    def comm(self, number: int, group: int, name: str, parent: int = 0) -> ProfileFile:
        """A communicator of a group."""
        content = struct.pack("<QQQQ32s", number, group, 0, parent, name.encode())
        return self.chunk(COMMS, 0, content, n_items=1)

    def devices(self, rank: int, variables: dict[str, str], files: str = "") -> ProfileFile:
        """The variables that choose the rank's GPUs, and the device files below /dev that it has open."""
        entries = [*variables.items(), *([("", files)] if files else [])]
        content = b"".join(struct.pack("<32s960s", name.encode(), value.encode()) for name, value in entries)
        return self.chunk(DEVICES, rank, content, n_items=len(entries))

    def events(
        self, rank: int, records: bytes, first_event: int = 0, shift: int = 0, n_events: int = 0
    ) -> ProfileFile:
        """Events of thread 0; gaps count from the rank's start. `n_events` goes into the chunk's header."""
        head = struct.pack("<QQQII", first_event, TICKS_PER_S, len(records), shift, 0)
        return self.chunk(EVENTS, rank, head + records, n_items=n_events)

    def content(self) -> bytes:
        """The whole file."""
        calls = b"".join(struct.pack("<40sBB6x", name.encode(), layer, flow) for name, layer, flow in CALLS)
        first = -(-(HEADER + len(calls)) // PAGE) * PAGE
        chunks = b"".join(self.chunks)
        header = struct.pack(
            *("<8sIIIIQQQqII128s1600s32s", b"CWPROF\r\n", 2, 0x01020304, self.n_ranks, len(CALLS)),
            *(HEADER, first, first + len(chunks), 0, 0, 0, self.job.encode(), self.host.encode()),
            self.world.encode(),
        )
        return (header + calls).ljust(first, b"\0") + chunks

    def write(self, folder: Path) -> Path:
        """Writes the file into the folder of a profile."""
        folder.mkdir(exist_ok=True)
        (folder / f"{self.host}{self.world}.cwprof").write_bytes(self.content())
        return folder


def two_phase_profile() -> ProfileFile:
    """Four ranks: for 2 s messages 0 -> 1 and 2 -> 3, then for 2 s 0 -> 2 and 1 -> 3;

    800 bytes per second.
    """
    file = ProfileFile(4).group(5, 4).comm(7, 5, "MPI_COMM_WORLD").comm(8, 5, "copy", parent=7)
    for rank in range(4):
        file.rank(rank)
    # rank -> its peers in the first and the second phase; they become rows 0 and 1 of the rank
    for rank, peers in {0: (1, 2), 1: (None, 3), 2: (3, None)}.items():
        comm_of = {0: 7, 1: 8}
        rows = [
            ("MPI_Send", peer, CALL | TO_PEER, comm_of[phase], 200, 8)
            for phase, peer in enumerate(peers)
            if peer is not None
        ]
        file.rows(rank, rows)
        row_of_phase = [sum(p is not None for p in peers[:phase]) for phase in range(2)]
        numbers = []
        for second in range(4):
            if peers[second // 2] is not None:
                step = second if not numbers else 1
                row = row_of_phase[second // 2]
                numbers += [step, zigzag(1 + second // 2), 1, row, 100, 800, 0]
        file.windows(rank, *numbers)
    return file


def send_and_wait(path: Path) -> Path:
    """Rank 0 sends 8 bytes from 1.0 to 1.5 s; rank 1 has posted a receive and waits from 0.5 to 2.0 s."""
    file = ProfileFile(2).rank(0).rank(1)
    file.events(0, event_shape("MPI_Send", SENDS, 1, 5, 8) + varints(1, 1000, 500))
    file.events(
        1,
        event_shape("MPI_Irecv", RECEIVES | STARTS, 0, 5, 8)
        + varints(1, 250, 0, zigzag(1))
        + event_shape("MPI_Wait", COMPLETES)
        + varints(5, 250, 1500, 1, 4 * zigzag(0)),
    )
    return file.write(path)
