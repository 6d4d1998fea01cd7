"""Events as JSON that Perfetto and Chrome's about:tracing open: the Trace Event Format (Google, 2016)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corewise.model import EventLog

MICROSECONDS = 1e6


def trace_events_json(log: EventLog) -> str:
    """One document: a process for each rank, a slice for each event, a flow for each matched message."""
    columns = {name: column.tolist() for name, column in log.columns().items()}
    names = [call.name for call in log.calls]
    ranks = np.unique(log.columns()["rank"]).tolist()
    found = [
        {"ph": "M", "name": "process_name", "pid": rank, "args": {"name": f"rank {rank}"}} for rank in ranks
    ]
    for i in range(log.n_events):
        if not columns["part"][i]:
            found.append(_slice(columns, names, i))
        if columns["sends"][i] and columns["matches"][i] >= 0:
            found += _flow(columns, i)
    return json.dumps({"displayTimeUnit": "ns", "traceEvents": found}, separators=(",", ":"))


def _slice(columns: dict[str, list], names: list[str], i: int) -> dict:
    begin_s, end_s = columns["begin_s"][i], columns["end_s"][i]
    arguments = {name: columns[name][i] for name in ("peer", "tag", "bytes")}
    arguments["comm"] = f"{columns['comm'][i]:x}"  # JSON's numbers have 53 bits
    return {
        "ph": "X",
        "name": names[columns["call"][i]],
        "pid": columns["rank"][i],
        "tid": columns["thread"][i],
        "ts": begin_s * MICROSECONDS,
        "dur": (end_s - begin_s) * MICROSECONDS,
        "args": arguments,
    }


def _flow(columns: dict[str, list], send: int) -> list[dict]:
    """From the send to where the message was there: the receive, or the call that completed it."""
    receive = columns["matches"][send]
    done = columns["completed_by"][receive] if columns["completed_by"][receive] >= 0 else receive
    common = {"name": "message", "cat": "message", "id": send}
    ends = (("s", send, "begin_s"), ("f", done, "end_s"))
    return [
        common
        | {
            "ph": phase,
            "pid": columns["rank"][at],
            "tid": columns["thread"][at],
            "ts": columns[time][at] * MICROSECONDS,
        }
        | ({"bp": "e"} if phase == "f" else {})
        for phase, at, time in ends
    ]
