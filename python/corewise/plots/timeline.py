"""Draws a timeline: what each rank does in MPI, and messages; writes all events as a trace file, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.nouns.timeline import KINDS, Timeline, arrivals
from corewise.plots.picture_file import Picture
from corewise.plots.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.model import EventLog


ENDINGS = (".json", ".pdf", ".png", ".svg")


def write_timeline(path: Path, log: EventLog, title: str) -> None:
    """Draws the events to a .png, .svg or .pdf file, or writes a .json for Perfetto and Chrome.

    Raises what check_timeline_target() and refuse_no_events() raise.
    """
    check_timeline_target(path)
    refuse_no_events(path, log)
    found = Timeline.of(log)
    if path.suffix.lower() == ".json":
        write_whole(path, trace_events_json(log))
    elif found:
        Picture.by_ending(path).write_figure(lambda: timeline_figure(found, title))


def check_timeline_target(path: Path) -> None:
    """Raises InputError for another suffix, and if the file exists, unless it is a picture."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"ends in '{path.suffix}'; expected one of {', '.join(ENDINGS)}", path=path)
    if path.suffix.lower() != ".json":
        Picture.by_ending(path).check()
    elif path.exists() or path.is_symlink():
        raise InputError("is there already and stays unchanged; give another name", path=path)


def refuse_no_events(path: Path, log: EventLog) -> None:
    """Raises InputError, which names `path`, if the log has no events."""
    if log.n_events == 0:
        raise InputError("the profile has no events; expected one of corewise trace --mode events", path=path)


def timeline_figure(found: Timeline, title: str) -> Figure:
    """Bars for calls, coloured by kind as on the page, and lines for messages."""
    from matplotlib.collections import PolyCollection
    from matplotlib.ticker import MaxNLocator

    from corewise.plots.drawing import Drawing

    n_ranks = max(found.rank, default=0) + 1
    figure = Drawing(figsize=(12, min(max(4.5, 1.5 + 0.25 * n_ranks), 20)), dpi=100, layout="constrained")
    left_out = f", {found.left_out:,} short calls and small messages left out" if found.left_out else ""
    figure.suptitle(title + left_out, parse_math=False)
    axes = figure.subplots()
    rank, begin, end, kinds = map(np.array, (found.rank, found.begins_s, found.ends_s, found.kind))
    corners = np.array([[begin, rank - 0.35], [begin, rank + 0.35], [end, rank + 0.35], [end, rank - 0.35]])
    for kind, name in enumerate(KINDS):
        bars, colour = list(corners[:, :, kinds == kind].transpose(2, 0, 1)), COLOURS[f"kind-{name}"]
        # The edge makes very short calls visible.
        axes.add_collection(PolyCollection(bars, label=name, color=colour, linewidth=0.4))
    times, ranks = [found.sent_s, found.received_s], [found.src, found.dst]
    axes.plot(times, ranks, color=COLOURS["text"], linewidth=0.5, alpha=0.6)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(KINDS), frameon=False)
    axes.set(xlabel="s from MPI_Init", ylabel="rank", xlim=(0, found.end_s), ylim=(n_ranks - 0.5, -0.5))
    axes.yaxis.set_major_locator(MaxNLocator(9, integer=True))
    return figure


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
