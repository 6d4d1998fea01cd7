"""corewise show --timeline: pictures, the JSON for Perfetto, and messages about the events."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.model import read_events
from corewise.nouns import timeline
from corewise.nouns.timeline import KINDS, Timeline
from corewise.plots.timeline import timeline_figure, trace_events_json
from profile_cases import (
    RECEIVES,
    SENDS,
    ProfileFile,
    event_shape,
    send_and_wait,
    varints,
)


@pytest.fixture
def events(tmp_path) -> str:
    return str(send_and_wait(tmp_path / "events.profile"))


def show(*words: str):
    return CliRunner().invoke(cli, ["show", *words], catch_exceptions=False)


@pytest.fixture
def trace_events(events, tmp_path) -> list[dict]:
    target = tmp_path / "t.json"
    show("--timeline", str(target), events)
    document = json.loads(target.read_text())
    assert document["displayTimeUnit"] in ("ms", "ns")
    return document["traceEvents"]


def test_perfettos_json_has_slices_and_a_flow(trace_events):
    slices = {(row["pid"], row["name"]): (row["ts"], row["dur"]) for row in trace_events if row["ph"] == "X"}
    assert slices == {
        (0, "MPI_Send"): (1e6, 5e5),
        (1, "MPI_Irecv"): (2.5e5, 0),
        (1, "MPI_Wait"): (5e5, 1.5e6),
    }
    # The message is on its way between the start of the send and the end of the wait.
    flow = [(row["ph"], row["pid"], row["ts"]) for row in trace_events if row["ph"] in "sf"]
    assert flow == [("s", 0, 1e6), ("f", 1, 1.5e6)]


def test_every_trace_event_has_what_the_format_asks_of_its_phase(trace_events):
    # Trace Event Format, "Event Descriptions": the fields of all events, and further fields of each phase.
    needed = {
        "M": {"args": dict},
        "X": {"ts": float, "dur": float},
        "s": {"ts": float, "id": int, "cat": str},
        "f": {"ts": float, "id": int, "cat": str, "bp": str},
    }
    for event in trace_events:
        for key, kind in ({"name": str, "ph": str, "pid": int, "tid": int} | needed[event["ph"]]).items():
            assert isinstance(event[key], kind), event
    named = [event["args"]["name"] for event in trace_events if event["name"] == "process_name"]
    assert named == ["rank 0", "rank 1"]


def test_a_flow_begins_and_ends_within_slices_of_its_threads(trace_events):
    # Viewers attach each end of an arrow to the slice around it ("bp": "e"), so that slice must exist.
    slices = [event for event in trace_events if event["ph"] == "X"]
    ends = [event for event in trace_events if event["ph"] in "sf"]
    assert [event["bp"] for event in ends if event["ph"] == "f"] == ["e"]
    for end in ends:
        assert any(
            (slice_["pid"], slice_["tid"]) == (end["pid"], end["tid"])
            and slice_["ts"] <= end["ts"] < slice_["ts"] + slice_["dur"]
            for slice_ in slices
        )


def test_calls_that_follow_at_once_do_not_overlap_by_a_rounding_error():
    # 1,000 consecutive calls of a third of a microsecond.
    begin_s = np.arange(1000) / 3e6
    nothing = np.zeros(1000, int)
    names = (
        "rank",
        "thread",
        "call",
        "peer",
        "tag",
        "comm",
        "bytes",
        "part",
        "sends",
        "matches",
        "completed_by",
    )
    columns = dict.fromkeys(names, nothing) | {"begin_s": begin_s, "end_s": (np.arange(1000) + 1) / 3e6}
    calls = [SimpleNamespace(name="MPI_Send")]
    log = SimpleNamespace(columns=lambda: columns, calls=calls, n_events=len(begin_s))
    slices = [row for row in json.loads("".join(trace_events_json(log)))["traceEvents"] if row["ph"] == "X"]
    ends_ns = [round(1000 * row["ts"]) + round(1000 * row["dur"]) for row in slices]
    assert ends_ns[:3] == [333, 667, 1000]
    assert all(end <= round(1000 * row["ts"]) for end, row in zip(ends_ns, slices[1:], strict=False))


def test_a_timeline_has_each_call_by_kind_and_each_message(events):
    found = Timeline.of(read_events(events))
    calls = [found.calls[call] for call in found.call]
    kinds = [KINDS[kind] for kind in found.kind]
    assert list(zip(found.rank, calls, found.begins_s, found.ends_s, kinds, strict=True)) == [
        (0, "MPI_Send", 1.0, 1.5, "send"),
        (1, "MPI_Irecv", 0.25, 0.25, "receive"),
        (1, "MPI_Wait", 0.5, 2.0, "wait"),
    ]
    # From the start of the send to the end of the wait.
    columns = (found.src, found.dst, found.sent_s, found.received_s, found.message_bytes)
    assert list(zip(*columns, strict=True)) == [(0, 1, 1.0, 2.0, 8)]
    assert (found.end_s, found.left_out) == (2.0, 0)


def test_of_too_many_calls_the_longest_are_drawn_and_the_others_counted(events, monkeypatch):
    monkeypatch.setattr(timeline, "MOST_CALLS", 2)
    found = Timeline.of(read_events(events))
    assert [found.calls[call] for call in found.call] == ["MPI_Send", "MPI_Wait"]
    figure = timeline_figure(found, "app")
    assert figure.get_suptitle() == "app, 1 short calls and small messages left out"
    bars = [len(of_kind.get_paths()) for of_kind in figure.axes[0].collections]
    assert bars == [1, 0, 1, 0, 0] and len(figure.axes[0].lines) == 1


def test_times_of_two_nodes_are_by_their_own_clocks_and_that_is_said(tmp_path):
    # Rank 0 sends to rank 1 on another node, whose clock is 10 s ahead.
    there = event_shape("MPI_Send", SENDS, 1, 5, 8) + varints(1, 1000, 10)
    had = event_shape("MPI_Recv", RECEIVES, 0, 5, 8) + varints(1, 11000, 400)
    ProfileFile(2, host="n1").rank(1).events(1, had).write(tmp_path / "nodes.profile")
    profile = ProfileFile(2, host="n0").rank(0).events(0, there).write(tmp_path / "nodes.profile")
    target = tmp_path / "app.json"
    shown = show("--timeline", str(target), str(profile))
    assert "times of 2 nodes are by their own clocks" in shown.stderr
    begins = [event["ts"] for event in json.loads(target.read_text())["traceEvents"] if event["ph"] == "X"]
    assert begins == pytest.approx([1e6, 11e6], abs=1e4)
