"""A timeline of events: what each rank does in MPI, and its messages; a density where they are too many."""

from __future__ import annotations

import io
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.plots.png import write_png
from corewise.plots.trace_events import trace_events_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from corewise.model import EventLog

# What an event is drawn as, in the order of the legend; Okabe and Ito's colours.
COLOURS = {
    "send": "#0072b2",
    "receive": "#009e73",
    "wait": "#e69f00",
    "collective": "#cc79a7",
    "other": "#5b646d",
}
MOST_BARS = 20_000
MOST_LINES = 2_000
DENSITY_COLUMNS = 800
INCH = 100  # dots


def write_timeline(path: Path, log: EventLog, title: str) -> None:
    """Draws the events into a .png, .svg or .html file, or writes a .json that Perfetto and Chrome open.

    Raises InputError for another ending, for a file that is there already (a PNG is replaced), and for a log
    without events.
    """
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(f"{path}: ends in '{path.suffix}'; expected one of {', '.join(_WRITERS)}")
    if log.n_events == 0:
        raise InputError(f"{path}: the profile has no events; expected one of corewise trace --mode events")
    if path.suffix.lower() != ".png" and (path.exists() or path.is_symlink()):
        raise InputError(f"{path}: is there already and stays as it is; give another name")
    writer(path, log, title)


def kinds_of(log: EventLog) -> np.ndarray:
    """The kind of each event: index into COLOURS."""
    columns = log.columns()
    waits = np.array([call.name[4:].startswith(("Wait", "Test")) for call in log.calls], dtype=bool)
    names = list(COLOURS)
    chosen = np.full(log.n_events, names.index("other"))
    chosen[waits[columns["call"]]] = names.index("wait")
    chosen[columns["receives"] != 0] = names.index("receive")
    chosen[columns["sends"] != 0] = names.index("send")
    chosen[columns["collective"] != 0] = names.index("collective")
    return chosen


def message_lines(log: EventLog) -> np.ndarray:
    """[message, 4]: src, time at which it was sent, dst, time at which it was there (s), sorted by src.

    It was there when the receive ended, or the call that completed it.
    """
    columns = log.columns()
    sends = np.flatnonzero((columns["sends"] != 0) & (columns["matches"] >= 0))
    receives = columns["matches"][sends]
    completed = columns["completed_by"][receives]
    ends = columns["end_s"][np.where(completed >= 0, completed, receives)]
    rank = columns["rank"]
    return np.column_stack([rank[sends], columns["begin_s"][sends], rank[receives], ends])


def busy_share(log: EventLog, n_columns: int) -> np.ndarray:
    """[rank, column]: the share of each of `n_columns` equal stretches that a rank spends inside MPI."""
    columns = log.columns()
    whole = columns["part"] == 0
    rank, begin, end = (columns[name][whole] for name in ("rank", "begin_s", "end_s"))
    last = max(float(end.max()), 1e-9)
    scale = n_columns / last
    # Each event adds its whole columns by a difference array and the two at its ends by their share.
    share = np.zeros((int(rank.max()) + 1, n_columns + 2))
    first_column = np.clip((begin * scale).astype(int), 0, n_columns - 1)
    last_column = np.clip((end * scale).astype(int), 0, n_columns - 1)
    inside = first_column == last_column
    np.add.at(share, (rank[inside], first_column[inside]), (end - begin)[inside] * scale)
    np.add.at(share, (rank[inside], first_column[inside] + 1), -(end - begin)[inside] * scale)
    r, a, b = rank[~inside], first_column[~inside], last_column[~inside]
    head, tail = a + 1 - begin[~inside] * scale, end[~inside] * scale - b
    for column, step in ((a, head), (a + 1, 1 - head), (b, tail - 1), (b + 1, -tail)):
        np.add.at(share, (r, column), step)
    return np.clip(np.cumsum(share, axis=1)[:, :n_columns], 0, 1)


def _picture(log: EventLog, title: str, form: str) -> bytes:
    from matplotlib.figure import Figure

    n_ranks = int(log.columns()["rank"].max()) + 1
    figure = Figure(figsize=(12, min(2 + 0.25 * n_ranks, 20)), dpi=INCH, layout="constrained")
    axes = figure.add_subplot()
    if log.n_events <= MOST_BARS:
        _draw_bars(axes, log)
    else:
        _draw_density(axes, log)
    lines = message_lines(log)
    if len(lines) <= MOST_LINES:
        axes.plot(lines[:, [1, 3]].T, lines[:, [0, 2]].T, color="#24292f", linewidth=0.5, alpha=0.6)
    else:
        title += f" ({len(lines):,} messages are too many to draw)"
    axes.set(title=title, xlabel="s from MPI_Init", ylabel="rank")
    axes.set_ylim(n_ranks - 0.5, -0.5)
    file = io.BytesIO()
    figure.savefig(file, format=form)
    return file.getvalue()


def _draw_bars(axes: Axes, log: EventLog) -> None:
    columns, kinds = log.columns(), kinds_of(log)
    for kind, (name, colour) in enumerate(COLOURS.items()):
        chosen = np.flatnonzero((kinds == kind) & (columns["part"] == 0))
        begin, end = columns["begin_s"][chosen], columns["end_s"][chosen]
        if len(chosen):
            rank = columns["rank"][chosen]
            axes.barh(rank, end - begin, left=begin, height=0.7, color=colour, label=name, linewidth=0)
    axes.legend(loc="upper right", ncols=len(COLOURS))


def _draw_density(axes: Axes, log: EventLog) -> None:
    share = busy_share(log, DENSITY_COLUMNS)
    extent = (0, float(log.columns()["end_s"].max()), len(share) - 0.5, -0.5)
    image = axes.imshow(share, aspect="auto", extent=extent, interpolation="nearest", vmin=0, vmax=1)
    axes.figure.colorbar(image, ax=axes, label="share of time inside MPI")


def _write_png(path: Path, log: EventLog, title: str) -> None:
    write_png(path, _picture(log, title, "png"))


def _write_svg(path: Path, log: EventLog, title: str) -> None:
    write_whole(path, _picture(log, title, "svg"))


def _write_html(path: Path, log: EventLog, title: str) -> None:
    svg = _picture(log, title, "svg").decode()
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    body = svg[svg.index("<svg") :]
    write_whole(path, f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n')


def _write_json(path: Path, log: EventLog, title: str) -> None:
    write_whole(path, trace_events_json(log))


_WRITERS: dict[str, Callable[[Path, EventLog, str], None]] = {
    ".html": _write_html,
    ".json": _write_json,
    ".png": _write_png,
    ".svg": _write_svg,
}
