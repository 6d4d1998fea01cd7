"""Section: what each rank did when, if events were recorded; the script draws it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corewise.model import EventLog
from corewise.nouns.input_summary import InputSummary
from corewise.nouns.page_data import PagePhase, PageTimeline
from corewise.plots.event_densities import arrivals, last_s, matched_sends

TITLE = "Timeline"
TIMELINE = "page-timeline.json"  # in the folder of a tune: the timeline of its page
MOST_ACTIVITIES, MOST_MESSAGES = 20_000, 5_000


@dataclass(frozen=True)
class Context:
    """What the template shows; `calls` are (call, time of all ranks, s), most time first.

    `trace` is the name of a file next to the page with all events, "" without one.
    """

    timeline: PageTimeline
    trace: str
    n_ranks: int
    calls: list[tuple[str, float]]


def context(timeline: PageTimeline | None, trace: str = "") -> Context | None:
    """The times of the calls; None if no events were recorded."""
    if timeline is None:
        return None
    times_s = np.subtract(timeline.ends_s, timeline.begins_s)
    of_call = np.bincount(timeline.call, times_s, len(timeline.calls)).tolist()
    calls = sorted(zip(timeline.calls, of_call, strict=True), key=lambda call: -call[1])
    return Context(timeline, trace, len(set(timeline.rank)), calls)


def page_timeline(log: EventLog, summary: InputSummary | None) -> PageTimeline | None:
    """The longest MOST_ACTIVITIES calls by rank and time, and the largest MOST_MESSAGES messages.

    None without events.
    """
    if not log.n_events:
        return None
    columns = log.columns()
    whole = np.flatnonzero(columns["part"] == 0)
    lasted = columns["end_s"][whole] - columns["begin_s"][whole]
    kept = whole[np.argsort(-lasted, kind="stable")[:MOST_ACTIVITIES]]
    kept = kept[np.lexsort((columns["begin_s"][kept], columns["rank"][kept]))]
    sends = matched_sends(columns)
    largest = np.sort(sends[np.argsort(-columns["bytes"][sends], kind="stable")[:MOST_MESSAGES]])
    arrived = arrivals(columns, largest)
    waits = np.array([call.name[4:].startswith("Wait") for call in log.calls], dtype=bool)
    blocking = (columns["receives"] != 0) & (columns["starts"] == 0)
    return PageTimeline(
        begin_s=0.0,
        end_s=last_s(columns),
        phases=[
            PagePhase(phase.begin_s, phase.end_s, phase.pattern or 0)
            for phase in (summary.phases if summary else [])
            if phase.begin_s is not None and phase.end_s is not None
        ],
        calls=[call.name for call in log.calls],
        rank=columns["rank"][kept].tolist(),
        call=columns["call"][kept].tolist(),
        begins_s=columns["begin_s"][kept].tolist(),
        ends_s=columns["end_s"][kept].tolist(),
        waits=(waits[columns["call"]] | blocking)[kept].tolist(),
        src=columns["rank"][largest].tolist(),
        dst=columns["rank"][arrived].tolist(),
        sent_s=columns["begin_s"][largest].tolist(),
        received_s=columns["end_s"][arrived].tolist(),
        message_bytes=columns["bytes"][largest].tolist(),
        left_out=len(whole) - len(kept) + len(sends) - len(largest),
    )
