"""Tables of a profile with four rows."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from corewise.model import Layer, RowFlow
from corewise.nouns.input_summary import CallTotals, InputSummary, SizeClass
from corewise.profile import patterns, text
from corewise.profile.tables import call_table, size_histogram, top_pairs
from corewise.text.table import text_table


@pytest.fixture
def profile():
    """Rank 0 sends 3 x 100 and 1 x 5000 bytes to rank 1; both do an allreduce of 8 bytes.

    A persistent send of 100 bytes was started by a call that another row counts (own_call is false).
    """
    calls = [("MPI_Send", Layer.p2p), ("MPI_Recv", Layer.p2p), ("MPI_Allreduce", Layer.coll)]
    rows = [  # rank, call, size class, flow, own call, count, bytes, time
        (0, 0, 7, RowFlow.sent, True, 3, 300, 0.5),
        (0, 0, 13, RowFlow.sent, True, 1, 5000, 0.25),
        (0, 0, 7, RowFlow.sent, False, 1, 100, 0.0),
        (1, 1, 0, RowFlow.none, True, 4, 0, 2.0),
        (0, 2, 4, RowFlow.collective, True, 1, 8, 0.125),
        (1, 2, 4, RowFlow.collective, True, 1, 8, 0.125),
    ]
    names = ("rank", "call", "size_class", "flow", "own_call", "count", "bytes", "time_s")
    kinds = (np.int32, np.int32, np.int32, np.int32, bool, np.uint64, np.uint64, float)
    columns = {
        name: np.array([int(row[i]) if name == "flow" else row[i] for row in rows], dtype=kind)
        for i, (name, kind) in enumerate(zip(names, kinds, strict=True))
    }
    # In an allreduce of two ranks each sends one message, so every row has sent its own bytes.
    columns["messages"] = np.where(columns["flow"] == int(RowFlow.none), 0, columns["count"])
    columns["sent_bytes"] = columns["bytes"]
    return SimpleNamespace(
        calls=[SimpleNamespace(name=name, layer=layer) for name, layer in calls], columns=lambda: columns
    )


def test_message_sizes_count_what_is_sent_in_the_layer(profile):
    assert size_histogram(profile, "p2p") == [
        SizeClass(64, 127, 4, 400),
        SizeClass(4096, 8191, 1, 5000),
    ]
    assert size_histogram(profile, "coll") == [SizeClass(8, 15, 2, 16)]
    assert size_histogram(profile, "rma") == []


def test_calls_are_sorted_by_time_and_counted_once(profile):
    assert call_table(profile) == [
        CallTotals(call="MPI_Recv", layer="p2p", count=4, bytes=0, time_s=2.0),
        CallTotals(call="MPI_Send", layer="p2p", count=4, bytes=5400, time_s=0.75),
        CallTotals(call="MPI_Allreduce", layer="coll", count=2, bytes=16, time_s=0.25),
    ]


def test_tables_as_text_are_aligned_with_units(profile):
    found = InputSummary(
        name="app.prof",
        kind="profile",
        layer="p2p",
        n_ranks=2,
        bytes=5400,
        messages=5,
        self_bytes=0,
        ratio=None,
        phases=[],
        complete=True,
        top_pairs=[],
        sizes=size_histogram(profile, "p2p"),
        calls=call_table(profile),
        faults=[],
    )
    sizes, calls = (text_table(title, table.heads, table.rows) for title, table in text.tables(found).items())
    assert calls == [
        "",
        "Calls, all ranks together",
        "  call           count     bytes    time  time a call",
        "  MPI_Recv           4            2.00 s       500 ms",
        "  MPI_Send           4  5.27 KiB  750 ms       188 ms",
        "  MPI_Allreduce      2      16 B  250 ms       125 ms",
    ]
    assert sizes == [
        "",
        "Message sizes",
        "  size                 messages     bytes",
        "  64 B - 127 B                4     400 B  ##",
        "  4.00 KiB - 8.00 KiB         1  4.88 KiB  ##############################",
    ]


def test_the_pairs_with_most_bytes_come_first_and_ties_in_rank_order():
    pairs = top_pairs(patterns.recursive_doubling(4, 8), 3)
    assert [(row.src, row.dst, row.bytes) for row in pairs] == [(0, 2, 16), (1, 3, 16), (2, 0, 16)]
    assert pairs[0].share == pytest.approx(16 / 96)
