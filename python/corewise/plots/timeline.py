"""Draws a timeline: what each rank does in MPI, and messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.nouns.timeline import KINDS, Timeline
from corewise.plots.picture_file import Picture
from corewise.plots.style import COLOURS
from corewise.plots.trace_events import trace_events_json

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
