"""Draws a timeline of events: what each rank does in MPI, messages, who waits for whom."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.plots.event_densities import (
    Columns,
    busy_share,
    last_s,
    matched_sends,
    message_counts,
    message_lines,
    waited_s,
)
from corewise.plots.picture_file import Picture
from corewise.plots.style import blues
from corewise.plots.trace_events import trace_events_json
from corewise.text.quantities import seconds_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from corewise.model import EventLog

# Kind of event -> colour, in the order of the legend; Okabe and Ito's colours.
COLOURS = {
    "send": "#0072b2",
    "receive": "#009e73",
    "wait": "#e69f00",
    "collective": "#cc79a7",
    "other": "#5b646d",
}
ENDINGS = (".html", ".json", ".pdf", ".png", ".svg")
MOST_BARS = 20_000
MOST_LINES = 2_000
DENSITY_COLUMNS = 800
MOST_WAIT_CELLS = 256
INCH = 100  # dots


def write_timeline(path: Path, log: EventLog, title: str) -> None:
    """Draws the events to a .png, .svg, .pdf or .html file, or writes a .json for Perfetto and Chrome.

    Raises what check_timeline_target() and refuse_no_events() raise.
    """
    check_timeline_target(path)
    refuse_no_events(path, log)
    if path.suffix.lower() == ".json":
        write_whole(path, trace_events_json(log))
    else:
        Picture.by_ending(path).write_figure(lambda: _picture(log, title), title)


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


def kinds_of(log: EventLog, columns: Columns) -> np.ndarray:
    """The kind of each event: index into COLOURS."""
    waits = np.array([call.name[4:].startswith(("Wait", "Test")) for call in log.calls], dtype=bool)
    names = list(COLOURS)
    chosen = np.full(log.n_events, names.index("other"), np.int8)
    chosen[waits[columns["call"]]] = names.index("wait")
    chosen[columns["receives"] != 0] = names.index("receive")
    chosen[columns["sends"] != 0] = names.index("send")
    chosen[columns["collective"] != 0] = names.index("collective")
    return chosen


@dataclass(frozen=True)
class _Panels:
    """The parts of the figure; `messages` is None if there are few enough to draw them as lines."""

    figure: Figure
    calls: Axes
    waits: Axes
    messages: Axes | None


def _picture(log: EventLog, title: str) -> Figure:
    from matplotlib.ticker import MaxNLocator

    columns = log.columns()
    n_ranks = int(columns["rank"].max()) + 1
    lines_fit = len(matched_sends(columns)) <= MOST_LINES
    panels = _panels(n_ranks, lines_fit)
    panels.figure.suptitle(title, parse_math=False)
    if log.n_events <= MOST_BARS:
        _draw_bars(panels.calls, columns, kinds_of(log, columns))
    else:
        _draw_density(panels.calls, busy_share(columns, DENSITY_COLUMNS), columns, "share of time inside MPI")
    if panels.messages is None:
        lines = message_lines(columns)
        panels.calls.plot(lines[:, [1, 3]].T, lines[:, [0, 2]].T, color="#24292f", linewidth=0.5, alpha=0.6)
    else:
        _draw_density(panels.messages, message_counts(columns, DENSITY_COLUMNS), columns, "messages sent")
    (panels.messages or panels.calls).set_xlabel("s from MPI_Init")
    for axes in filter(None, (panels.calls, panels.messages)):
        axes.set(ylabel="rank", ylim=(n_ranks - 0.5, -0.5), xlim=(0, last_s(columns)))
        locator = axes.yaxis.get_major_locator()
        assert isinstance(locator, MaxNLocator)
        locator.set_params(integer=True)
    _draw_waits(panels.waits, waited_s(columns, MOST_WAIT_CELLS), n_ranks)
    return panels.figure


def _panels(n_ranks: int, lines_fit: bool) -> _Panels:
    from matplotlib.figure import Figure

    height = min(max(4.5, 1.5 + 0.25 * n_ranks), 20)
    figure = Figure(figsize=(16, height if lines_fit else 1.6 * height), dpi=INCH, layout="constrained")
    grid = figure.add_gridspec(1 if lines_fit else 2, 2, width_ratios=[3, 1])
    calls = figure.add_subplot(grid[0, 0])
    messages = None if lines_fit else figure.add_subplot(grid[1, 0], sharex=calls)
    return _Panels(figure, calls, figure.add_subplot(grid[:, 1]), messages)


def _draw_bars(axes: Axes, columns: Columns, kinds: np.ndarray) -> None:
    from matplotlib.collections import PolyCollection

    for kind, (name, colour) in enumerate(COLOURS.items()):
        chosen = np.flatnonzero((kinds == kind) & (columns["part"] == 0))
        if not len(chosen):
            continue
        begin, end, rank = (columns[column][chosen] for column in ("begin_s", "end_s", "rank"))
        top, bottom = rank - 0.35, rank + 0.35
        corners = np.stack([[begin, top], [begin, bottom], [end, bottom], [end, top]]).transpose(2, 0, 1)
        # The edge makes very short calls visible.
        axes.add_collection(
            PolyCollection(list(corners), facecolor=colour, edgecolor=colour, linewidth=0.4, label=name)
        )
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(COLOURS), frameon=False)


def _draw_density(axes: Axes, cells: np.ndarray, columns: Columns, label: str) -> None:
    extent = (0, last_s(columns), len(cells) - 0.5, -0.5)
    shown = np.ma.masked_equal(cells, 0)
    image = axes.imshow(shown, aspect="auto", extent=extent, interpolation="nearest", cmap=blues(), vmin=0)
    axes.figure.colorbar(image, ax=axes, label=label)


def _draw_waits(axes: Axes, cells: np.ndarray, n_ranks: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    edge = n_ranks - 0.5
    image = axes.imshow(
        np.ma.masked_equal(cells, 0),
        cmap=blues(),
        vmin=0,
        extent=(-0.5, edge, edge, -0.5),
        interpolation="nearest",
    )
    axes.set(title="Who waits for whom", xlabel="awaited rank", ylabel="waiting rank")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(9, integer=True))
    seconds = FuncFormatter(lambda value, _: seconds_text(value))
    axes.figure.colorbar(image, ax=axes, label="time in receives and waits", format=seconds, shrink=0.6)
