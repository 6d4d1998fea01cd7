"""Timeline: what each rank did when, from recorded events; a file next to the page of a tune."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from corewise.model import EventLog
from corewise.nouns.codec import FieldError, Index, Noun, Number
from corewise.nouns.input_summary import InputSummary

TIMELINE = "page-timeline.json"  # in the folder of a tune: the timeline of its page
MOST_CALLS, MOST_MESSAGES = 20_000, 5_000
KINDS = ("send", "receive", "wait", "collective", "other")

Columns = dict[str, np.ndarray]  # the result of EventLog.columns()


class TimelinePhase(Noun, frozen=True):
    """A part of the recorded run; phases of one `pattern` have the same communication pattern."""

    begin_s: Number
    end_s: Number
    pattern: Index


class Timeline(Noun, frozen=True, kw_only=True):
    """What each rank did when: `rank[i]` was in `calls[call[i]]` from `begins_s[i]` to `ends_s[i]`.

    `kind[i]` is the index of the call's kind in KINDS. A message is one entry of `src` to `message_bytes`.
    `left_out` counts the calls and messages that are not shown.
    """

    FORMAT: ClassVar[str] = "corewise-timeline"
    WRITTEN_BY: ClassVar[str] = "corewise tune --from"

    end_s: Number
    phases: list[TimelinePhase]
    calls: list[str]
    rank: list[Index]
    call: list[Index]
    kind: list[Index]
    begins_s: list[Number]
    ends_s: list[Number]
    src: list[Index]
    dst: list[Index]
    sent_s: list[Number]
    received_s: list[Number]
    message_bytes: list[int]
    left_out: Index = 0

    def __post_init__(self) -> None:
        """Raises FieldError if columns differ in length, or if a call or its kind is unknown."""
        of_calls = ("call", "kind", "begins_s", "ends_s")
        of_messages = ("dst", "sent_s", "received_s", "message_bytes")
        for names, n in ((of_calls, len(self.rank)), (of_messages, len(self.src))):
            for name in names:
                if len(getattr(self, name)) != n:
                    raise FieldError(name, len(getattr(self, name)), f"{n} values")
        for name, n in (("call", len(self.calls)), ("kind", len(KINDS))):
            if max(getattr(self, name), default=0) >= max(n, 1):
                raise FieldError(name, max(getattr(self, name)), f"numbers below {n}")

    @classmethod
    def of(cls, log: EventLog, summary: InputSummary | None = None) -> Timeline | None:
        """The longest MOST_CALLS calls by rank and time, and the largest MOST_MESSAGES messages.

        `summary` has the phases. None without events.
        """
        if not log.n_events:
            return None
        columns = log.columns()
        whole = np.flatnonzero(columns["part"] == 0)
        lasted = columns["end_s"][whole] - columns["begin_s"][whole]
        kept = whole[np.argsort(-lasted, kind="stable")[:MOST_CALLS]]
        kept = kept[np.lexsort((columns["begin_s"][kept], columns["rank"][kept]))]
        sends = np.flatnonzero((columns["sends"] != 0) & (columns["matches"] >= 0))
        largest = np.sort(sends[np.argsort(-columns["bytes"][sends], kind="stable")[:MOST_MESSAGES]])
        arrived = arrivals(columns, largest)
        return cls(
            end_s=max(float(columns["end_s"].max(initial=0)), 1e-9),
            phases=[
                TimelinePhase(phase.begin_s, phase.end_s, phase.pattern or 0)
                for phase in (summary.phases if summary else [])
                if phase.begin_s is not None and phase.end_s is not None
            ],
            calls=[call.name for call in log.calls],
            rank=columns["rank"][kept].tolist(),
            call=columns["call"][kept].tolist(),
            kind=_kinds(log, columns)[kept].tolist(),
            begins_s=columns["begin_s"][kept].tolist(),
            ends_s=columns["end_s"][kept].tolist(),
            src=columns["rank"][largest].tolist(),
            dst=columns["rank"][arrived].tolist(),
            sent_s=columns["begin_s"][largest].tolist(),
            received_s=columns["end_s"][arrived].tolist(),
            message_bytes=columns["bytes"][largest].tolist(),
            left_out=len(whole) - len(kept) + len(sends) - len(largest),
        )


def arrivals(columns: Columns, sends: np.ndarray) -> np.ndarray:
    """Indices of the events at whose end messages arrive: receives, or the calls that complete these."""
    receives = columns["matches"][sends]
    completed = columns["completed_by"][receives]
    found: np.ndarray = np.where(completed >= 0, completed, receives)
    return found


def _kinds(log: EventLog, columns: Columns) -> np.ndarray:
    """The kind of each event: index into KINDS."""
    waits = np.array([call.name[4:].startswith(("Wait", "Test")) for call in log.calls], dtype=bool)
    chosen = np.full(log.n_events, KINDS.index("other"), np.int8)
    chosen[waits[columns["call"]]] = KINDS.index("wait")
    chosen[columns["receives"] != 0] = KINDS.index("receive")
    chosen[columns["sends"] != 0] = KINDS.index("send")
    chosen[columns["collective"] != 0] = KINDS.index("collective")
    return chosen
