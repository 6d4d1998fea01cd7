"""A program for a Python with OTF2's bindings: writes an archive from standard input.

    python3 otf2_write.py FOLDER NAME

Standard input has a line of JSON (Definitions of otf2_archive.py), then blocks of records. A block is
location, number of records, and the records. A record is kind (index into RECORDS), time, and the kind's
arguments. All numbers are unsigned with 64 bits, little-endian. Prints {"error": sentence}, or {} on success.
"""

from __future__ import annotations

import ctypes
import json
import struct
import sys
from typing import Any, BinaryIO

del sys.path[0]  # don't import modules from this folder

import _otf2  # noqa: E402
from _otf2.Config import conf  # noqa: E402

HEAD = struct.Struct("<2Q")
RECORD = struct.Struct("<8Q")
CHUNK_EVENTS, CHUNK_DEFINITIONS = 2**20, 2**22  # bytes, as recommended in the library's documentation

U32, U64 = ctypes.c_uint32, ctypes.c_uint64
COLLECTIVE = (ctypes.c_uint8, U32, U32, U64, U64)  # operation, communicator, root, bytes sent and received

# Function of the library, and its arguments after writer, attributes and time
RECORDS = (
    ("Enter", (U32,)),  # region
    ("Leave", (U32,)),  # region
    ("MpiSend", (U32, U32, U32, U64)),  # receiver, communicator, tag, bytes
    ("MpiIsend", (U32, U32, U32, U64, U64)),  # and request
    ("MpiIsendComplete", (U64,)),  # request
    ("MpiIrecvRequest", (U64,)),  # request
    ("MpiRecv", (U32, U32, U32, U64)),  # sender, communicator, tag, bytes
    ("MpiIrecv", (U32, U32, U32, U64, U64)),  # and request
    ("MpiCollectiveBegin", ()),
    ("MpiCollectiveEnd", COLLECTIVE),
    ("NonBlockingCollectiveRequest", (U64,)),  # request
    ("NonBlockingCollectiveComplete", (*COLLECTIVE, U64)),  # and request
)


def functions() -> list[tuple[Any, ...]]:
    """For each kind of record, the library's function and its number of arguments.

    Used instead of the bindings' functions, whose overhead is longer than the call itself.
    """
    found = []
    for name, arguments in RECORDS:
        function = getattr(conf.lib, f"OTF2_EvtWriter_{name}")
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, U64, *arguments]
        function.restype = ctypes.c_int
        found.append((function, 2 + len(arguments)))
    return found


def write_events(archive: Any, source: BinaryIO) -> dict[int, int]:
    """Writes all blocks; returns the number of events of each location.

    The library keeps up to 128 MiB of events per open writer. Blocks of a location are consecutive, so only
    one writer is open at a time.
    """
    known = functions()
    counts: dict[int, int] = {}
    open_location, writer = -1, None
    while head := source.read(HEAD.size):
        location, n_records = HEAD.unpack(head)
        if location != open_location:
            if writer is not None:
                counts[open_location] = close_writer(archive, writer)
            open_location, writer = location, _otf2.Archive_GetEvtWriter(archive, location)
            pointer = ctypes.cast(writer, ctypes.c_void_p)
        for record in RECORD.iter_unpack(source.read(n_records * RECORD.size)):
            function, n_numbers = known[record[0]]
            if function(pointer, None, *record[1:n_numbers]):
                raise OSError(f"the OTF2 library could not write an event of location {location}")
    if writer is not None:
        counts[open_location] = close_writer(archive, writer)
    return counts


def close_writer(archive: Any, writer: Any) -> int:
    """Closes the writer of a location; returns its number of events."""
    count: int = _otf2.EvtWriter_GetNumberOfEvents(writer)
    _otf2.Archive_CloseEvtWriter(archive, writer)
    return count


class Strings:
    """Writes each string of an archive once, and maps it to its number."""

    def __init__(self, writer: Any) -> None:
        self.writer = writer
        self.numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        if text not in self.numbers:
            self.numbers[text] = len(self.numbers)
            _otf2.GlobalDefWriter_WriteString(self.writer, self.numbers[text], text)
        return self.numbers[text]


def write_definitions(archive: Any, wanted: dict[str, Any], counts: dict[int, int]) -> None:
    """Writes the global definitions."""
    writer = _otf2.Archive_GetGlobalDefWriter(archive)
    strings = Strings(writer)
    nothing = strings[""]
    _otf2.GlobalDefWriter_WriteClockProperties(
        writer, wanted["ticks_per_s"], 0, wanted["length"], _otf2.UNDEFINED_TIMESTAMP.value
    )
    _otf2.GlobalDefWriter_WriteParadigm(
        writer, _otf2.PARADIGM_MPI, strings["MPI"], _otf2.PARADIGM_CLASS_PROCESS
    )
    write_places(writer, strings, wanted, counts)
    for number, (name, role) in enumerate(wanted["regions"]):
        role = getattr(_otf2, f"REGION_ROLE_{role}")
        _otf2.GlobalDefWriter_WriteRegion(
            *(writer, number, strings[name], strings[name], nothing, role, _otf2.PARADIGM_MPI),
            *(_otf2.REGION_FLAG_NONE, strings["MPI"], 0, 0),
        )
    write_comms(writer, strings, wanted)
    _otf2.Archive_CloseGlobalDefWriter(archive, writer)


def write_places(writer: Any, strings: Strings, wanted: dict[str, Any], counts: dict[int, int]) -> None:
    """Hosts, ranks and their threads."""
    root = _otf2.UNDEFINED_SYSTEM_TREE_NODE
    _otf2.GlobalDefWriter_WriteSystemTreeNode(writer, 0, strings[wanted["machine"]], strings["machine"], root)
    for number, host in enumerate(wanted["hosts"], 1):
        _otf2.GlobalDefWriter_WriteSystemTreeNode(writer, number, strings[host], strings["node"], 0)
        _otf2.GlobalDefWriter_WriteSystemTreeNodeDomain(
            writer, number, _otf2.SYSTEM_TREE_DOMAIN_SHARED_MEMORY
        )
        error = _otf2.AttributeValue()
        error.stringRef = strings[wanted["clock_errors"][number - 1]]
        _otf2.GlobalDefWriter_WriteSystemTreeNodeProperty(
            writer, number, strings["corewise::clock_error_s"], _otf2.TYPE_STRING, error
        )
    for rank, host in enumerate(wanted["host_of_rank"]):
        _otf2.GlobalDefWriter_WriteLocationGroup(
            *(writer, rank, strings[f"MPI Rank {rank}"], _otf2.LOCATION_GROUP_TYPE_PROCESS, host + 1),
            _otf2.UNDEFINED_LOCATION_GROUP,
        )
    for location, (rank, thread) in enumerate(wanted["locations"]):
        name = strings["Master thread" if thread == 0 else f"thread {thread}"]
        _otf2.GlobalDefWriter_WriteLocation(
            writer, location, name, _otf2.LOCATION_TYPE_CPU_THREAD, counts.get(location, 0), rank
        )


def write_comms(writer: Any, strings: Strings, wanted: dict[str, Any]) -> None:
    """The ranks' locations as group 0, then a group and a communicator for each list of members."""
    mpi, no_flags = _otf2.PARADIGM_MPI, _otf2.GROUP_FLAG_NONE
    first = {rank: location for location, (rank, thread) in reversed(list(enumerate(wanted["locations"])))}
    _otf2.GlobalDefWriter_WriteGroup(
        *(writer, 0, strings[""], _otf2.GROUP_TYPE_COMM_LOCATIONS, mpi, no_flags),
        [first[rank] for rank in range(len(wanted["host_of_rank"]))],
    )
    for number, (name, members, parent) in enumerate(wanted["comms"]):
        kind = _otf2.GROUP_TYPE_COMM_GROUP
        _otf2.GlobalDefWriter_WriteGroup(writer, number + 1, strings[""], kind, mpi, no_flags, members)
        above = _otf2.UNDEFINED_COMM if parent is None else parent
        _otf2.GlobalDefWriter_WriteComm(
            writer, number, strings[name], number + 1, above, _otf2.COMM_FLAG_NONE
        )


def flush(*_event: Any) -> Any:
    """A callback that makes the library write full buffers to disk."""
    return _otf2.FLUSH


def main(folder: str, name: str, source: BinaryIO) -> None:
    """Writes the archive NAME.otf2 into a folder."""
    if not hasattr(_otf2, "EvtWriter_NonBlockingCollectiveRequest"):
        raise OSError("OTF2 3.0 or newer is needed to write; an older one is here")
    wanted = json.loads(source.readline())
    archive = _otf2.Archive_Open(
        *(folder, name, _otf2.FILEMODE_WRITE, CHUNK_EVENTS, CHUNK_DEFINITIONS),
        *(_otf2.SUBSTRATE_POSIX, _otf2.COMPRESSION_NONE),
    )
    callbacks = _otf2.FlushCallbacks(pre_flush=flush, post_flush=None)
    _otf2.Archive_SetFlushCallbacks(archive, callbacks, None)
    _otf2.Archive_SetSerialCollectiveCallbacks(archive)
    _otf2.Archive_SetCreator(archive, wanted["creator"])
    _otf2.Archive_OpenEvtFiles(archive)
    counts = write_events(archive, source)
    _otf2.Archive_CloseEvtFiles(archive)
    _otf2.Archive_OpenDefFiles(archive)
    for location in range(len(wanted["locations"])):
        _otf2.Archive_CloseDefWriter(archive, _otf2.Archive_GetDefWriter(archive, location))
    _otf2.Archive_CloseDefFiles(archive)
    write_definitions(archive, wanted, counts)
    _otf2.Archive_Close(archive)


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], sys.stdin.buffer)
        print(json.dumps({}))
    except _otf2.Error as error:
        print(json.dumps({"error": f"the OTF2 library says '{error.description}'"}))
    except OSError as error:
        print(json.dumps({"error": str(error)}))
