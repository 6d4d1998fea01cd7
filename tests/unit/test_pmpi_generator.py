"""The generator of MPI wrappers: its output for rows of calls.toml."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

PMPI = Path(__file__).parents[2] / "preload" / "pmpi" / "calls"


def load(name: str):
    """A module of the generator, which is a script and no package."""
    spec = importlib.util.spec_from_file_location(name, PMPI / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


ROWS = load("calls")


@pytest.fixture(scope="module")
def generator():
    return load("generate")


@pytest.fixture(scope="module")
def table(generator):
    return generator.tomllib.loads((PMPI / "calls.toml").read_text())


SEND = {
    "args": "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm",
    "record": "send(count, datatype, dest, comm)",
}


def send(generator, **changes):
    return ROWS.parse_row("MPI_Send", "p2p", SEND | changes)[0]


@pytest.mark.parametrize(
    ("name", "status", "requests", "n", "posts", "waits", "completes"),
    [
        ("MPI_Recv", "status", "", "1", False, True, ("got", ("true",))),
        ("MPI_Iprobe", "status", "", "1", False, False, ("got", ("flag",))),
        ("MPI_Irecv", "", "", "1", True, False, None),
        ("MPI_Mrecv", "status", "", "1", False, True, ("all_done", ("true",))),
        ("MPI_Imrecv", "", "", "1", False, False, None),
        ("MPI_Improbe", "status", "", "1", False, False, ("got", ("flag",))),
        ("MPI_Ibarrier", "", "", "1", True, False, None),
        ("MPI_Recv_init", "", "", "1", False, False, None),
        ("MPI_Start", "", "", "1", False, False, None),
        ("MPI_Cancel", "", "", "1", False, False, None),
        ("MPI_Wait", "status", "request", "1", False, True, ("all_done", ("true",))),
        (
            "MPI_Testall",
            "array_of_statuses",
            "array_of_requests",
            "count",
            False,
            False,
            ("all_done", ("flag",)),
        ),
        ("MPI_Waitany", "status", "array_of_requests", "count", False, True, ("any_done", ("true", "index"))),
        (
            "MPI_Testsome",
            "array_of_statuses",
            "array_of_requests",
            "incount",
            False,
            False,
            ("some_done", ("outcount", "array_of_indices")),
        ),
        ("MPI_Request_free", "", "request", "1", False, False, None),
        ("MPI_Request_get_status", "status", "", "1", False, False, None),
    ],
)
def test_requests_and_statuses_follow_from_the_names_of_the_arguments(
    generator, table, name, status, requests, n, posts, waits, completes
):
    everything = {form for row in table for form in table[row]} | {"MPI_Ibarrier"}
    (call,) = (call for call in ROWS.read_calls(table, everything) if call.name == name)
    assert (call.status, call.takes_requests, call.n_requests) == (status, requests, n)
    assert (call.posts, call.waits, call.completes) == (posts, waits, completes)


def test_calls_block_that_may_take_until_others_have_done_their_part(generator, table):
    calls = {
        call.name: call
        for layer, rows in table.items()
        for name, row in rows.items()
        for call in ROWS.parse_row(name, layer, row)
    }
    blocking = "Send Recv Mrecv Sendrecv Probe Wait Waitsome Barrier Allreduce Comm_dup Win_fence Win_unlock"
    others = "Isend Irecv Iprobe Test Testall Start Send_init Ibarrier Barrier_init Comm_idup Put Win_test"
    assert [name for name in blocking.split() if not calls[f"MPI_{name}"].blocks] == []
    assert [name for name in others.split() if calls[f"MPI_{name}"].blocks] == []


def test_the_large_count_form_widens_counts_and_displacements(generator):
    row = {
        "args": "const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Comm comm",
        "record": "time()",
    }
    (call,) = ROWS.parse_row("MPI_Alltoallv", "coll", row)
    large = call.large_count_form()
    assert large.name == "MPI_Alltoallv_c"
    assert [arg.declaration for arg in large.args] == [
        "const void *sendbuf",
        "const MPI_Count sendcounts[]",
        "const MPI_Aint sdispls[]",
        "MPI_Comm comm",
    ]
    assert large.args[1].in_c() == "(struct cw_counts){sendcounts, true}"


def test_a_collective_has_its_nonblocking_and_persistent_forms(generator):
    row = {"args": "MPI_Comm comm", "record": "time()", "forms": "all"}
    names = [call.name for call in ROWS.parse_row("MPI_Barrier", "coll", row)]
    assert names == ["MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init"]


def test_of_large_count_forms_the_declared_ones_are_wrapped(generator):
    declared = ROWS.declared_functions(
        "extern int MPI_Send(const void *buf, int n);\n int MPI_Send_c (const void *b);"
    )
    calls = ROWS.read_calls({"p2p": {"MPI_Send": SEND, "MPI_Ssend": SEND}}, declared)
    assert [(call.name, call.is_declared) for call in calls] == [
        ("MPI_Send", True),
        ("MPI_Send_c", True),
        ("MPI_Ssend", False),
    ]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"record": "send(count, dest_rank)"}, "'dest_rank', which is no argument"),
        ({"record": "send count"}, "no recorder"),
        ({"flow": "sideways"}, "flow 'sideways'"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"args": "int"}, "no C parameter"),
    ],
)
def test_a_wrong_row_is_refused_with_a_sentence(generator, changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        send(generator, **changes)


def test_every_recorder_of_the_table_is_declared(generator, table):
    headers = "".join(path.read_text() for path in (PMPI.parent / "record").glob("*.h"))
    everything = {name for rows in table.values() for name in rows}
    for call in ROWS.read_calls(table, everything):
        assert f"void cw_record_{call.record[0]}(" in headers
        if call.before:
            assert f"void cw_record_{call.before[0]}(" in headers


def test_the_same_table_gives_the_same_bytes(generator, table):
    declared = {name for rows in table.values() for name in rows}
    once, again = (ROWS.read_calls(table, declared) for _ in range(2))
    assert generator.c_source(once, "mpich") == generator.c_source(again, "mpich")
    assert generator.table_header(once) == generator.table_header(again)
    assert len({call.number for call in once}) == len(once)
