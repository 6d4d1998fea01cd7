"""Converts an events profile to SimGrid's time-independent trace: what each rank sends, receives, computes.

The format is that of SimGrid 3.32 and 4 (src/smpi/internals/smpi_replay.cpp). A line has the rank, an action
and its numbers. `wait` identifies a request by sender, receiver and tag. Sizes are in bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from corewise.model import Layer
from corewise.simulation.smpi_collectives import collective_actions
from corewise.simulation.smpi_platform import HOST_FLOPS
from corewise.simulation.smpi_recording import RecordedEvents, check_replayable


@dataclass(frozen=True)
class Trace:
    """The lines of each rank, and the computing time of each rank, s."""

    lines: list[list[str]]
    compute_s: list[float]

    @property
    def n_actions(self) -> int:
        return sum(map(len, self.lines))


def trace_of(recording: RecordedEvents, compute_factor: float = 1.0) -> Trace:
    """The trace of a recording; computing takes `compute_factor` times as long as recorded.

    Time inside MPI calls is left out, because the replay determines it. Time of I/O counts as computing.
    Raises InputError if a trace can't express the recording.
    """
    check_replayable(recording)
    writer = _Writer(recording, compute_factor, collective_actions(recording))
    ranks = [writer.rank(rank) for rank in range(recording.n_ranks)]
    return Trace([lines for lines, _ in ranks], [compute_s for _, compute_s in ranks])


@dataclass
class _Writer:
    """Writes the lines of a rank; `collectives` are those of collective_actions()."""

    recording: RecordedEvents
    compute_factor: float
    collectives: dict[int, str]
    _tag_of: dict[int, int] = field(init=False)
    _completed_in: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._columns = {name: column.tolist() for name, column in self.recording.columns.items()}
        self._tag_of = self._tags()
        self._completed_in = {}
        for event, by in enumerate(self._columns["completed_by"]):
            if by >= 0:
                self._completed_in.setdefault(by, []).append(event)

    def _tags(self) -> dict[int, int]:
        """A unique tag for each message between two ranks, so that the replay matches messages as recorded.

        This replaces the program's tags and communicators, because both ends of each message are known.
        """
        tags: dict[int, int] = {}
        n_before: Counter[tuple[int, int]] = Counter()
        columns = self._columns
        for event, match in enumerate(columns["matches"]):
            if match >= 0 and columns["sends"][event]:
                pair = (columns["rank"][event], columns["peer"][event])
                tags[event] = tags[match] = n_before[pair]
                n_before[pair] += 1
        return tags

    def rank(self, rank: int) -> tuple[list[str], float]:
        """All lines of a rank, and its computing time, s."""
        lines, compute_s = [f"{rank} init"], 0.0
        now_s = self.recording.begin_s[rank]
        for events in self.recording.calls_of(rank):
            if self.recording.layer(events[0]) == Layer.io:
                continue
            compute_s += self._compute(lines, rank, self._columns["begin_s"][events[0]] - now_s)
            now_s = max(now_s, self._columns["end_s"][events[0]])
            lines += self._call(rank, events)
        compute_s += self._compute(lines, rank, self.recording.end_s[rank] - now_s)
        return [*lines, f"{rank} finalize"], compute_s

    def _compute(self, lines: list[str], rank: int, gap_s: float) -> float:
        """Adds the computing between two calls; returns its duration, s."""
        seconds = max(0.0, gap_s) * self.compute_factor
        flops = round(seconds * HOST_FLOPS)
        if flops:
            lines.append(f"{rank} compute {flops}")
        return flops / HOST_FLOPS

    def _call(self, rank: int, events: range) -> list[str]:
        """A call's collective, or its messages, followed by waits for the requests that it completed."""
        if events[0] in self.collectives:
            return [self.collectives[events[0]]]
        own = [event for event in events if event in self._tag_of]
        starts = [event for event in own if self._columns["starts"][event]]
        if len(own) == 1 and not starts:
            lines = [self._message(rank, own[0], "")]
        else:  # a call with several messages, such as MPI_Sendrecv, waits for all of them
            lines = [self._message(rank, event, "i") for event in own]
            lines += [self._wait(rank, event) for event in own if event not in starts]
        done = [event for by in events for event in self._completed_in.get(by, [])]
        return lines + [self._wait(rank, event) for event in done if event in self._tag_of]

    def _message(self, rank: int, event: int, i: str) -> str:
        action = "send" if self._columns["sends"][event] else "recv"
        peer, size = self._columns["peer"][event], self._columns["bytes"][event]
        return f"{rank} {i}{action} {peer} {self._tag_of[event]} {size}"

    def _wait(self, rank: int, event: int) -> str:
        peer = self._columns["peer"][event]
        src, dst = (rank, peer) if self._columns["sends"][event] else (peer, rank)
        return f"{rank} wait {src} {dst} {self._tag_of[event]}"
