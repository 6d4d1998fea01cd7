"""Events as JSON that Perfetto and Chrome's about:tracing open: the Trace Event Format (Google, 2016)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from corewise.plots.event_densities import arrivals

if TYPE_CHECKING:
    from corewise.model import EventLog

BLOCK_EVENTS = 2**16
NS_PER_US = 1000  # the format counts in microseconds


def trace_events_json(log: EventLog) -> Iterator[str]:
    """The document in pieces: a process for each rank, a slice for each event, a flow for each message.

    Times are whole nanoseconds, so that slices of a thread don't overlap because of rounding.
    """
    columns = log.columns()
    for name in ("begin", "end"):
        columns[f"{name}_ns"] = np.rint(columns[f"{name}_s"] * 1e9).astype(np.int64)
    names = [call.name for call in log.calls]
    yield '{"displayTimeUnit":"ns","traceEvents":['
    yield ",".join(map(_compact, _names_of(columns)))
    for first in range(0, log.n_events, BLOCK_EVENTS):
        events = np.arange(first, min(first + BLOCK_EVENTS, log.n_events))
        found = [*_slices(columns, names, events), *_flows(columns, events)]
        yield "".join("," + _compact(event) for event in found)
    yield "]}\n"


def _compact(event: dict[str, Any]) -> str:
    return json.dumps(event, separators=(",", ":"))


def _names_of(columns: dict[str, np.ndarray]) -> Iterator[dict[str, Any]]:
    """Metadata: names and order of ranks, and names of threads."""
    keys = columns["rank"].astype(np.int64) * 2**32 + columns["thread"]
    for key in np.unique(keys).tolist():
        rank, thread = key >> 32, key & (2**32 - 1)
        of = {"ph": "M", "pid": rank, "tid": thread}
        yield of | {"name": "process_name", "args": {"name": f"rank {rank}"}}
        yield of | {"name": "process_sort_index", "args": {"sort_index": rank}}
        yield of | {"name": "thread_name", "args": {"name": f"thread {thread}"}}


def _slices(columns: dict[str, np.ndarray], names: list[str], events: np.ndarray) -> Iterator[dict[str, Any]]:
    events = events[columns["part"][events] == 0]
    wanted = ("call", "rank", "thread", "begin_ns", "end_ns", "peer", "tag", "bytes", "comm")
    for call, rank, thread, begin, end, peer, tag, size, comm in _rows(columns, wanted, events):
        yield {
            **{"ph": "X", "name": names[call], "pid": rank, "tid": thread},
            **{"ts": begin / NS_PER_US, "dur": max(0, end - begin) / NS_PER_US},
            # JSON's numbers have 53 bits, communicator ids 64.
            "args": {"peer": peer, "tag": tag, "bytes": size, "comm": f"{comm:x}"},
        }


def _flows(columns: dict[str, np.ndarray], events: np.ndarray) -> Iterator[dict[str, Any]]:
    """Arrows from each send to its receive, or to the call that completed the receive.

    Viewers assign an end of an arrow to the slice that contains its time. The second end is therefore in the
    middle of the part of the receiver's slice after the start of the send.
    """
    sends = events[(columns["sends"][events] != 0) & (columns["matches"][events] >= 0)]
    done = arrivals(columns, sends)
    sent, begin, end = columns["begin_ns"][sends], columns["begin_ns"][done], columns["end_ns"][done]
    there = (np.maximum(begin, np.minimum(sent, end)) + end) // 2
    flow = {"name": "message", "cat": "message"}
    for end, of_end, times in (({"ph": "s"}, sends, sent), ({"ph": "f", "bp": "e"}, done, there)):
        rows = _rows(columns, ("rank", "thread"), of_end)
        for number, (rank, thread), ts in zip(sends.tolist(), rows, times.tolist(), strict=True):
            yield flow | end | {"id": number, "pid": rank, "tid": thread, "ts": ts / NS_PER_US}


def _rows(
    columns: dict[str, np.ndarray], names: tuple[str, ...], events: np.ndarray
) -> Iterator[tuple[Any, ...]]:
    return zip(*(columns[name][events].tolist() for name in names), strict=True)
