"""The generator of MPI wrappers: its output for rows of calls.toml."""

from __future__ import annotations

import importlib.util
import re
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


def test_strings_of_fortran_have_their_lengths_behind_all_other_arguments(generator):
    row = {"args": "MPI_Comm comm, const char *comm_name", "record": "comm_named(comm)"}
    (call,) = ROWS.parse_row("MPI_Comm_set_name", "coll", row)
    text = generator.fortran_wrappers(call, "openmpi")
    assert (
        "void mpi_comm_set_name_(void *comm, void *comm_name, void *ierror, size_t comm_name_length)" in text
    )
    assert "pmpi_comm_set_name_(comm, comm_name, ierror, comm_name_length);" in text


def test_the_entry_points_of_a_fortran_call_share_its_watched_form(generator):
    text = generator.fortran_wrappers(send(generator), "openmpi")
    assert text.count("static CW_OTHER_FORM void watched_mpi_send(") == 1
    assert "  if (entry == 0) pmpi_send_(buf, count, " in text
    for number, entry in enumerate(("mpi_send_", "mpi_send_f08_")):
        (body,) = re.findall(rf"CW_WRAPPER void {entry}\(.*?\n}}\n", text, re.DOTALL)
        assert f"datatype, dest, tag, comm, ierror, span.gate, {number});\n    return;\n" in body


def test_reads_and_writes_have_no_message_for_observers(generator):
    args = "MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status"
    for name, blocks in (("MPI_File_read", False), ("MPI_File_read_all", True)):
        (call,) = ROWS.parse_row(name, "io", {"args": args, "record": "file(count, datatype)"})
        assert (call.completes, call.watched, call.blocks) == (None, [], blocks)


def test_a_c_wrapper_forwards_first_and_records_success_only(generator):
    assert (
        "static CW_OTHER_FORM int long_MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, "
        "int tag, MPI_Comm comm) {\n"
        "  struct cw_span span;\n"
        "  if (!cw_enter(&span)) return PMPI_Send(buf, count, datatype, dest, tag, comm);\n"
        "  if (cw_is_watched(&span)) "
        "return watched_MPI_Send(buf, count, datatype, dest, tag, comm, span.gate);\n"
        "  const int result = PMPI_Send(buf, count, datatype, dest, tag, comm);\n"
        "  if (cw_succeeded(&span, result)) {\n"
        "    cw_record_send(CW_MPI_SEND, &span, count, datatype, dest, comm);\n"
        "    cw_repeat_note_send(CW_MPI_SEND, &span, count, datatype, dest, comm);\n"
        "  }\n"
        "  cw_leave(&span);\n"
        "  return result;\n"
        "}\n"
    ) in generator.c_wrapper(send(generator), "openmpi")


def test_a_call_like_one_before_is_counted_without_a_look_up(generator):
    assert generator.c_wrapper(send(generator), "openmpi").endswith(
        "CW_WRAPPER int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, "
        "MPI_Comm comm) {\n"
        "  if (cw_is_counted()) {\n"
        "    const struct cw_repeat* known = "
        "cw_repeat_of_send(CW_MPI_SEND, count, datatype, dest, comm);\n"
        "    if (known != NULL) {\n"
        "      const uint64_t begin = cw_begin_counted();\n"
        "      const int result = PMPI_Send(buf, count, datatype, dest, tag, comm);\n"
        "      cw_end_counted(known->row, known->bytes, begin, result);\n"
        "      return result;\n"
        "    }\n"
        "  }\n"
        "  return timed_MPI_Send(buf, count, datatype, dest, tag, comm);\n"
        "}\n"
        'CW_NAME(MPI_Send, "MPI_Send")\n'
    )


def test_of_a_watched_call_nothing_is_asked_before_it_succeeded(generator):
    assert generator.c_wrapper(send(generator), "openmpi").startswith(
        "#pragma weak PMPI_Send\n"
        "static CW_OTHER_FORM int watched_MPI_Send(const void *buf, int count, MPI_Datatype datatype, "
        "int dest, int tag, MPI_Comm comm, uintptr_t gate) {\n"
        "  struct cw_watch watch;\n"
        "  cw_watch_begin(&watch, gate, CW_MPI_SEND);\n"
        "  cw_watch_blocks(&watch);\n"
        "  cw_watch_before(&watch);\n"
        "  const int result = PMPI_Send(buf, count, datatype, dest, tag, comm);\n"
        "  if (cw_watch_end(&watch, result)) {\n"
        "    cw_watch_comm(&watch, comm);\n"
        "    cw_watch_sends(&watch, dest, tag, count, datatype);\n"
        "    if (cw_watch_is_counted(&watch))\n"
        "    cw_record_send(CW_MPI_SEND, &watch.span, count, datatype, dest, comm);\n"
        "  }\n"
        "  cw_watch_after(&watch);\n"
        "  return result;\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("name", "watched"),
    [
        ("MPI_Sendrecv", ["comm", "sends", "receives"]),
        ("MPI_Sendrecv_replace", ["comm", "sends", "receives"]),
        ("MPI_Psend_init", ["comm", "sends"]),
        ("MPI_Iprobe", ["comm", "probes"]),
        ("MPI_Intercomm_create", ["comm"]),
        ("MPI_Wait", []),
    ],
)
def test_what_observers_see_follows_from_the_names_of_the_arguments(generator, table, name, watched):
    everything = {name for rows in table.values() for name in rows}
    (call,) = (call for call in ROWS.read_calls(table, everything) if call.name == name)
    assert [function for function, _ in call.watched] == watched


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


def test_handles_of_mpich_pass_whole_to_an_mpi_whose_handles_are_pointers(generator):
    text = generator.c_wrapper(send(generator), "mpich")
    assert (
        "extern int cw_next_MPI_Send(const void *buf, int count, intptr_t datatype, int dest, int tag, "
        "intptr_t comm)" in text
    )
    assert "return cw_next_MPI_Send(buf, count, datatype, dest, tag, comm);" in text


def test_fortran_wrappers_pass_addresses_on_and_convert_what_they_record(generator):
    text = generator.fortran_wrappers(send(generator), "openmpi")
    parameters = "void *buf, void *count, void *datatype, void *dest, void *tag, void *comm, void *ierror"
    f08 = "(pmpi_send_f08_ != 0 ? pmpi_send_f08_ : pmpir_send_f08_)"
    for suffix, target in (("_", "pmpi_send_"), ("_f08_", f08)):
        assert f"CW_WRAPPER void mpi_send{suffix}({parameters}) {{" in text
        assert f"  {target}(buf, count, datatype, dest, tag, comm, ierror);\n" in text
    assert (
        "cw_record_send(CW_MPI_SEND, &span, *(const MPI_Fint *)count, "
        "PMPI_Type_f2c(*(const MPI_Fint *)datatype), *(const MPI_Fint *)dest, "
        "PMPI_Comm_f2c(*(const MPI_Fint *)comm));"
    ) in text


def test_mpich_needs_fortran_wrappers_only_for_calls_without_a_buffer(generator):
    wait = {"args": "MPI_Request *request, MPI_Status *status", "record": "time()"}
    (call,) = ROWS.parse_row("MPI_Wait", "p2p", wait)
    assert generator.fortran_wrappers(send(generator), "mpich") == ""
    text = generator.fortran_wrappers(call, "mpich")
    assert "mpi_wait_f08_(" in text and "pmpir_wait_f08_ : pmpi_wait_f08_)(request, status, ierror);" in text
    assert "mpi_wait_(" not in text


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


def test_a_call_that_mpi_h_lacks_is_wrapped_for_programs_of_a_newer_mpi(generator):
    (call,) = ROWS.read_calls({"p2p": {"MPI_Isendrecv": SEND}}, set())
    text = generator.c_wrapper(call, "openmpi")
    assert text.startswith("extern int PMPI_Isendrecv(const void *buf, int count, ")
    names = "(buf, count, datatype, dest, tag, comm)"
    assert f"  const int result = PMPI_Isendrecv{names};\n" in text


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
