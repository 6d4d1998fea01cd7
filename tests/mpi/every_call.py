"""Generates a C program in which two ranks make each wrapped MPI call, from calls.toml.

All that a call needs before and after it is done by PMPI_ functions, which no tool sees. So each rank makes a
call as often as its name occurs in the program's text. Fortran entry points are called from C too, by their
symbols, with the addresses that a Fortran compiler passes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PMPI = Path(__file__).parents[2] / "preload" / "pmpi" / "calls"
sys.path.insert(0, str(PMPI))
from calls import Argument, Call, read_calls  # noqa: E402 (of a script, in no package)
from generate import tomllib  # noqa: E402

TABLE = tomllib.loads((PMPI / "calls.toml").read_text())


class Everything:
    """The functions that a complete mpi.h declares."""

    def __contains__(self, name: str) -> bool:
        return True


CALLS = {call.name: call for call in read_calls(TABLE, Everything())}


def each(names: str, value: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), value)


# The value of an argument by its name, else by its type.
OF_NAME = {
    **each("dest source target_rank rank remote_leader", "peer"),
    **each("tag sendtag recvtag", "7"),
    **each("count sendcount recvcount incount origin_count target_count result_count partitions", "1"),
    **each("ndims n indegree outdegree", "1"),
    **each("root color key local_leader high reorder assert target_disp", "0"),
    **each("partition partition_low partition_high", "0"),
    **each("sendcounts recvcounts degrees weights sourceweights destweights periods remain_dims", "{1, 1}"),
    **each("destinations sources", "{peer}"),
    **each("displs sdispls rdispls", "{0, sizeof(int)}"),
    **each("sendtypes recvtypes", "{MPI_INT, MPI_INT}"),
    **each("size", "sizeof in"),
    **each("disp_unit", "sizeof(int)"),
    **each("offset disp", "0"),
    "amode": "MPI_MODE_CREATE | MPI_MODE_RDWR",
    "comm_name": '"named"',
    "datarep": '"native"',
    "filename": "file_name",
    "whence": "MPI_SEEK_SET",
    "dims": "{2}",
    "nnodes": "2",
    "index": "{1, 2}",
    "edges": "{1, 0}",
    "split_type": "MPI_COMM_TYPE_SHARED",
    "lock_type": "MPI_LOCK_SHARED",
    "baseptr": "&base_of_window",
    "local_comm": "MPI_COMM_SELF",
    "intercomm": "joined",
    "stringtag": '"tag"',
    "local_group": "own",
    "remote_group": "others",
}
OF_TYPE = {
    "const void *": "out",
    "void *": "in",
    "int *": "&result",
    "MPI_Comm": "world",
    "MPI_Datatype": "MPI_INT",
    "MPI_Errhandler": "MPI_ERRORS_ARE_FATAL",
    "MPI_File": "file",
    "MPI_Group": "group",
    "MPI_Info": "MPI_INFO_NULL",
    "MPI_Op": "MPI_SUM",
    "MPI_Request": "request",
    "MPI_Win": "window",
    "MPI_Comm *": "&made",
    "MPI_File *": "&made_file",
    "MPI_Message *": "&message",
    "MPI_Offset *": "&offset",
    "MPI_Request *": "&request",
    "MPI_Status *": "&status",
    "MPI_Win *": "&made_window",
}
# Arguments whose values are needed after the call.
OUTPUT_ARRAYS = {
    "array_of_requests": "&request",
    "array_of_statuses": "&status",
    "array_of_indices": "&place",
}
# Exceptions: the argument of that name in that call.
OF_CALL = {
    ("MPI_Dist_graph_create", "sources"): "{rank}",
    ("MPI_Cart_sub", "comm"): "grid",
    ("MPI_File_delete", "filename"): "own_name",
    ("MPI_File_get_size", "size"): "&offset",
    ("MPI_Win_start", "group"): "peers",
    ("MPI_Win_post", "group"): "peers",
    ("MPI_Comm_create_from_group", "group"): "everybody",
    ("MPI_Intercomm_create_from_groups", "remote_leader"): "0",
}

HEAD = """/* Written by every_call.py. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char file_name[] = "every_call.data", own_name[32];
static int in[64], out[64], memory[64], buffered[1024], result, place, error, rank, peer;
static void* base_of_window;
static MPI_Comm world, neighbors, grid, made, joined;
static MPI_File file, made_file;
static MPI_Group group, peers;
static MPI_Message message = MPI_MESSAGE_NULL;
static MPI_Request request = MPI_REQUEST_NULL, other = MPI_REQUEST_NULL;
static MPI_Offset offset;
static MPI_Status status;
static MPI_Win window, made_window;

static void until_complete(MPI_Request r) {
  for (int done = 0; !done;) PMPI_Request_get_status(r, &done, MPI_STATUS_IGNORE);
}
"""
BEGIN = """
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  made = joined = MPI_COMM_NULL;
  made_window = MPI_WIN_NULL;
  PMPI_Comm_rank(world, &rank);
  peer = 1 - rank;
  PMPI_Comm_group(world, &group);
  PMPI_Group_incl(group, 1, &peer, &peers);
  PMPI_Buffer_attach(buffered, sizeof buffered);
  PMPI_Dist_graph_create_adjacent(world, 1, &peer, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                  &neighbors);
  PMPI_Cart_create(world, 1, (int[]){2}, (int[]){1}, 0, &grid);
  PMPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, world, &window);
  PMPI_File_open(world, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  snprintf(own_name, sizeof own_name, "every_call.%d", rank);
"""

END = """  PMPI_File_close(&file);
  PMPI_Win_free(&window);
  PMPI_Comm_free(&grid);
  PMPI_Comm_free(&neighbors);
  PMPI_Buffer_detach(&base_of_window, &result);
  MPI_Finalize();
  return 0;
}
"""

# Code before and after calls. `request` is the call's own request, `other` the request of the other end.
SEND = "PMPI_Isend(out, 1, MPI_INT, peer, 7, world, &other);"
RECEIVE = "PMPI_Irecv(in, 1, MPI_INT, peer, 7, world, &other); PMPI_Barrier(world);"
POST = "PMPI_Irecv(in, 1, MPI_INT, peer, 7, world, &request);"
POST_DONE = f"{SEND} {POST} until_complete(request);"
PROBED = f"{SEND} PMPI_Probe(peer, 7, world, &status);"
MATCHED = f"{SEND} PMPI_Mprobe(peer, 7, world, &message, &status);"
WAIT = "PMPI_Wait(&request, MPI_STATUS_IGNORE);"
WAIT_OTHER = "PMPI_Wait(&other, MPI_STATUS_IGNORE);"
WAIT_BOTH = f"{WAIT} {WAIT_OTHER}"
START = f"MPI_Start(&request); {WAIT} PMPI_Request_free(&request);"
PARTS_OUT = "PMPI_Psend_init(out, 1, 1, MPI_INT, peer, 7, world, MPI_INFO_NULL, &{});".format
PARTS_IN = "PMPI_Precv_init(in, 1, 1, MPI_INT, peer, 7, world, MPI_INFO_NULL, &{});".format
START_BOTH = "{}MPI_Start(&request); PMPI_Start(&other);".format
END_BOTH = f"{WAIT_BOTH} PMPI_Request_free(&request); PMPI_Request_free(&other);"
EXPOSED = "PMPI_Win_post(peers, 0, window);"
ACCESSED = "PMPI_Win_start(peers, 0, window);"
END_ACCESS = "PMPI_Win_complete(window);"
END_EXPOSED = "PMPI_Win_wait(window);"
LOCK = "PMPI_Win_lock_all(0, window);"
UNLOCK = "PMPI_Win_unlock_all(window);"
FREE = "PMPI_Comm_free(&made);"
OPEN_OWN = (
    "PMPI_File_open(MPI_COMM_SELF, own_name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &made_file);"
)
SESSION = (
    "MPI_Session session; MPI_Group everybody, own, others; "
    "PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session); "
    'PMPI_Group_from_session_pset(session, "mpi://WORLD", &everybody); '
    "PMPI_Group_incl(everybody, 1, &rank, &own); PMPI_Group_incl(everybody, 1, &peer, &others);"
)
END_SESSION = (
    "PMPI_Group_free(&own); PMPI_Group_free(&others); PMPI_Group_free(&everybody); "
    "PMPI_Session_finalize(&session);"
)
JOIN = "PMPI_Intercomm_create(MPI_COMM_SELF, 0, world, peer, 9, &joined);"

# (expression, before, after): the first expression that matches the name of the call gives the code before
# and after it. "\1" is the match of its first group.
AROUND = [
    ("MPI_Psend_init", "", f"{PARTS_IN('other')} {START_BOTH('')} PMPI_Pready(0, request); {END_BOTH}"),
    ("MPI_Precv_init", "", f"{PARTS_OUT('other')} {START_BOTH('')} PMPI_Pready(0, other); {END_BOTH}"),
    ("MPI_Pready.*", f"{PARTS_OUT('request')} {PARTS_IN('other')} {START_BOTH('P')}", END_BOTH),
    (
        "MPI_Parrived",
        f"{PARTS_IN('request')} {PARTS_OUT('other')} {START_BOTH('P')} PMPI_Pready(0, other);",
        END_BOTH,
    ),
    ("MPI_Recv_init", "", f"{SEND} {START} {WAIT_OTHER}"),
    ("MPI_.?[Ss]end_init", RECEIVE, f"{START} {WAIT_OTHER}"),
    (".*_init", "", START),
    (
        "MPI_Start(all)?",
        f"{RECEIVE} MPI_Send_init(out, 1, MPI_INT, peer, 7, world, &request);",
        f"{WAIT_BOTH} PMPI_Request_free(&request);",
    ),
    ("MPI_Request_free", "PMPI_Recv_init(in, 1, MPI_INT, peer, 7, world, &request);", ""),
    ("MPI_Cancel", "PMPI_Irecv(in, 1, MPI_INT, peer, 99, world, &request);", WAIT),
    ("MPI_Isendrecv.*|MPI_Comm_idup", "", f"{WAIT} if (made != MPI_COMM_NULL) {FREE}"),
    ("MPI_Sendrecv.*", "", ""),
    ("MPI_I.?send", RECEIVE, WAIT_BOTH),
    ("MPI_.?[Ss]end", RECEIVE, WAIT_OTHER),
    ("MPI_Recv", SEND, WAIT_OTHER),
    ("MPI_Irecv", SEND, WAIT_BOTH),
    ("MPI_Mrecv", MATCHED, WAIT_OTHER),
    ("MPI_Imrecv", MATCHED, WAIT_BOTH),
    ("MPI_Mprobe|MPI_Improbe", PROBED, f"PMPI_Mrecv(in, 1, MPI_INT, &message, &status); {WAIT_OTHER}"),
    ("MPI_I?[Pp]robe", PROBED, f"PMPI_Recv(in, 1, MPI_INT, peer, 7, world, &status); {WAIT_OTHER}"),
    ("MPI_(Wait|Test|Request_get_status).*", POST_DONE, WAIT_BOTH),
    ("MPI_Comm_(free|disconnect)", "PMPI_Comm_dup(world, &made);", ""),
    ("MPI_Intercomm_merge", JOIN, f"{FREE} PMPI_Comm_free(&joined);"),
    ("MPI_(Comm|Intercomm)_create_from_groups?", SESSION, f"{FREE} {END_SESSION}"),
    ("MPI_Comm_set_name", "", ""),
    ("MPI_(Comm|Intercomm|Cart|Graph|Dist_graph)_.*", "", FREE),
    ("MPI_Win_free", "PMPI_Win_create_dynamic(MPI_INFO_NULL, world, &made_window);", ""),
    ("MPI_Win_(allocate|create).*", "", "PMPI_Win_free(&made_window);"),
    ("MPI_Win_fence", "", "PMPI_Win_fence(MPI_MODE_NOSUCCEED, window);"),
    ("MPI_Win_post", "", f"{ACCESSED} {END_ACCESS} {END_EXPOSED}"),
    ("MPI_Win_start", EXPOSED, f"{END_ACCESS} {END_EXPOSED}"),
    ("MPI_Win_complete", f"{EXPOSED} {ACCESSED}", END_EXPOSED),
    ("MPI_Win_wait", f"{EXPOSED} {ACCESSED} {END_ACCESS}", ""),
    ("MPI_Win_test", f"{EXPOSED} {ACCESSED} {END_ACCESS}", f"if (!result) {END_EXPOSED}"),
    ("MPI_Win_lock", "", "PMPI_Win_unlock(peer, window);"),
    ("MPI_Win_unlock", "PMPI_Win_lock(MPI_LOCK_SHARED, peer, 0, window);", ""),
    ("MPI_Win_lock_all", "", UNLOCK),
    ("MPI_Win_unlock_all", LOCK, ""),
    ("MPI_Win_flush.*", LOCK, UNLOCK),
    ("MPI_R(put|get|accumulate)", LOCK, f"{WAIT} {UNLOCK}"),
    ("MPI_(Put|Get|Accumulate|Get_accumulate|Fetch_and_op|Compare_and_swap)", LOCK, UNLOCK),
    ("MPI_File_open", "", "PMPI_File_close(&made_file);"),
    ("MPI_File_close", OPEN_OWN, ""),
    ("MPI_File_delete", f"{OPEN_OWN} PMPI_File_close(&made_file);", ""),
    ("MPI_File_read(.*)_begin", "", r"PMPI_File_read\1_end(file, in, &status);"),
    ("MPI_File_write(.*)_begin", "", r"PMPI_File_write\1_end(file, out, &status);"),
    ("MPI_File_read_at_all_end", "PMPI_File_read_at_all_begin(file, 0, in, 1, MPI_INT);", ""),
    ("MPI_File_write_at_all_end", "PMPI_File_write_at_all_begin(file, 0, out, 1, MPI_INT);", ""),
    ("MPI_File_read(.*)_end", r"PMPI_File_read\1_begin(file, in, 1, MPI_INT);", ""),
    ("MPI_File_write(.*)_end", r"PMPI_File_write\1_begin(file, out, 1, MPI_INT);", ""),
    ("MPI_File_i.*|MPI_I.*", "", WAIT),
    ("MPI_.*", "", ""),
]


def value_of(call: Call, argument: Argument) -> str:
    """The argument's value. Raises KeyError for an unknown argument: add it to OF_NAME or OF_TYPE."""
    name = call.name.removesuffix("_c")
    if argument.type == "MPI_Comm" and argument.name == "comm" and "eighbor_" in name:
        return "neighbors"
    special = OF_CALL.get((name, argument.name)) or OUTPUT_ARRAYS.get(argument.name)
    if special:
        return special
    if argument.type == "int *":
        return "&place" if argument.name == "index" else OF_TYPE["int *"]
    return OF_NAME[argument.name] if argument.name in OF_NAME else OF_TYPE[argument.type]


def call_in_c(call: Call) -> str:
    """The statements that make the call from C. Arrays are variables of the declared types."""
    lines, names = [], []
    for argument in call.args:
        value = value_of(call, argument)
        if argument.is_array and argument.name not in OUTPUT_ARRAYS:
            lines.append(f"{argument.type} {argument.name}[] = {value};")
            value = argument.name
        names.append(value)
    return " ".join([*lines, f"{call.name}({', '.join(names)});"])


KIND = {
    "MPI_Datatype": "Type",
    **{f"MPI_{k}": k for k in ("Comm", "Errhandler", "File", "Group", "Info")},
    **{f"MPI_{k}": k for k in ("Message", "Op", "Request", "Win")},
}


def _handle_in_fortran(argument: Argument, value: str) -> tuple[str, str]:
    """Code that declares the Fortran number of a handle, and code that converts a changed number back."""
    kind = KIND[argument.type.removesuffix(" *")]
    plain = value.removeprefix("&")
    number = f"f_{argument.name}"
    back = f"{plain} = PMPI_{kind}_f2c({number});" if value.startswith("&") else ""
    return f"MPI_Fint {number} = PMPI_{kind}_c2f({plain});", back


def call_in_fortran(call: Call, entry: str) -> str:
    """The call by a Fortran entry point: arguments are addresses, handles are numbers.

    The lengths of strings are the last arguments.
    """
    before, names, after, lengths = [], [], [], []
    for argument in call.args:
        value, name = value_of(call, argument), argument.name
        if argument.type.removesuffix(" *") in KIND and (not argument.is_array or name in OUTPUT_ARRAYS):
            declared, back = _handle_in_fortran(argument, value)
            before.append(declared)
            after.append(back)
            names.append(f"&f_{name}")
        elif argument.is_array and name not in OUTPUT_ARRAYS:
            is_types = argument.type.endswith("MPI_Datatype")
            numbers = "{PMPI_Type_c2f(MPI_INT), PMPI_Type_c2f(MPI_INT)}" if is_types else value
            before.append(f"{'MPI_Fint' if is_types else argument.type} {name}[] = {numbers};")
            names.append(name)
        elif argument.is_text:
            names.append(value)
            lengths.append(f"strlen({value})")
        elif value.startswith("&") or argument.is_buffer:
            names.append(value)
        else:
            before.append(f"{argument.type} f_{name} = {value};")
            names.append(f"&f_{name}")
    return " ".join([*before, f"{entry}({', '.join([*names, '&error', *lengths])});", *after])


def around(name: str) -> tuple[str, str]:
    matches = ((re.fullmatch(row[0], name.removesuffix("_c")), row) for row in AROUND)
    return next((match.expand(before), match.expand(after)) for match, (_, before, after) in matches if match)


@dataclass(frozen=True)
class Program:
    """`n_calls`: how often each rank makes each call."""

    text: str
    n_calls: Counter[str]


def program(names: list[str], entry: str = "") -> Program:
    """The program that makes these calls. `entry`, for example "mpi_{}_", selects entry points of Fortran."""
    functions, declared, n_calls = [], [], Counter()
    for name in names:
        call, (before, after) = CALLS[name], around(name)
        symbol = entry.format(name.removeprefix("MPI_").lower())
        made = call_in_fortran(call, symbol) if entry else call_in_c(call)
        if entry:
            declared.append(f"extern void {symbol}(void*, ...);\n")
            n_calls[name] += 1
        body = f"{before} {made} {after}".strip()
        functions.append(f"static void call_{len(functions)}(void) {{ /* {name} */\n  {body}\n}}\n")
        n_calls.update(re.findall(r"\bMPI_\w+(?=\()", body))
    calls = "".join(f"  call_{i}();\n" for i in range(len(functions)))
    text = [HEAD, *declared, "\n", "\n".join(functions), BEGIN, calls, END]
    return Program("".join(text), Counter({name: n for name, n in n_calls.items() if name in CALLS}))
