"""A steered run as a picture: which rank was on which core, how much each waited, what was decided."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corewise.errors import InputError
from corewise.nouns.steered_run import Decision, SeenInterval
from corewise.plots.picture_file import Picture
from corewise.plots.png import SERIES_COLOURS
from corewise.plots.style import blues, fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# How each kind of decision is drawn: marker and colour, Okabe and Ito's. In the legend's order.
MARKS = {
    "swapped and kept": ("v", "#009e73"),
    "swapped, taken back later": ("v", "#d55e00"),
    "swapped, no verdict": ("v", "#0072b2"),
    "not done": ("s", "#5b646d"),
    "taken back": ("X", "#d55e00"),
    "advice": ("P", "#cc79a7"),
}
MOST_COLUMNS = 800
MOST_NAMED = 32  # ranks whose bars have their number in them
INCH = 100  # dots


def write_steered_run(
    picture: Picture, title: str, node: int, seen: Sequence[SeenInterval], decisions: Sequence[Decision]
) -> None:
    """Draws a log's intervals and decisions (as replay() has them).

    Only ranks of `node` are drawn. Raises InputError as Picture.check() does, and without intervals.
    """
    picture.check()
    if not _has_ranks(node, seen):
        raise InputError(
            f"{picture.path}: the log has no interval with ranks of its node, so there is nothing to draw"
        )
    picture.write_figure(lambda: _picture(title, node, seen, decisions), title)


def steered_run_png(
    title: str, node: int, seen: Sequence[SeenInterval], decisions: Sequence[Decision]
) -> bytes | None:
    """The same picture as a PNG file's content; None without intervals."""
    if not _has_ranks(node, seen):
        return None
    file = io.BytesIO()
    with fitted(lambda: _picture(title, node, seen, decisions), "page") as figure:
        figure.savefig(file, format="png")
    return file.getvalue()


def _has_ranks(node: int, seen: Sequence[SeenInterval]) -> bool:
    return any(rank.node == node for interval in seen for rank in interval.ranks)


def wait_shares(node: int, seen: Sequence[SeenInterval], most_columns: int) -> tuple[list[int], np.ndarray]:
    """Ranks, ascending, and [rank, column] the share of their time that they waited; nan where not seen.

    Columns are equal parts of the time from the first interval's begin to the last one's end.
    """
    ranks = sorted({rank.id for interval in seen for rank in interval.ranks if rank.node == node})
    row = {rank: index for index, rank in enumerate(ranks)}
    begin_s, end_s = span_s(seen)
    n_columns = max(1, min(most_columns, len(seen)))
    waited, whole = np.zeros((2, len(ranks), n_columns))
    for interval in seen:
        middle = (interval.time_s - interval.length_s / 2 - begin_s) / (end_s - begin_s)
        column = min(n_columns - 1, max(0, int(middle * n_columns)))
        for rank in interval.ranks:
            if rank.node == node:
                waited[row[rank.id], column] += rank.wait_s
                whole[row[rank.id], column] += rank.wait_s + rank.compute_s + rank.transfer_s
    return ranks, np.where(whole > 0, waited / np.where(whole > 0, whole, 1), np.nan)


def stays(node: int, seen: Sequence[SeenInterval]) -> list[tuple[int, int, float, float]]:
    """(rank, core, begin, end), s: each stay of a rank on one core, in order of begin."""
    found: list[tuple[int, int, float, float]] = []
    last: dict[int, int] = {}  # rank -> its last entry of `found`
    for interval in seen:
        for rank in interval.ranks:
            if rank.node != node:
                continue
            at = last.get(rank.id)
            if at is not None and found[at][1] == rank.core:
                found[at] = (*found[at][:3], interval.time_s)
                continue
            last[rank.id] = len(found)
            found.append((rank.id, rank.core, interval.time_s - interval.length_s, interval.time_s))
    return found


def span_s(seen: Sequence[SeenInterval]) -> tuple[float, float]:
    """Begin of the first interval and end of the last."""
    return seen[0].time_s - seen[0].length_s, max(seen[-1].time_s, seen[0].time_s - seen[0].length_s + 1e-9)


def mark_of(decision: Decision) -> str:
    """Which of MARKS a decision of a log is, by its action and its outcome (preload/steer/history.c)."""
    if decision.action != "swap":
        return "taken back" if decision.action == "undo" else "advice"
    outcome = decision.outcome
    if outcome.startswith("not done"):
        return "not done"
    if outcome.endswith("taken back"):
        return "swapped, taken back later"
    return "swapped and kept" if outcome.startswith("kept") else "swapped, no verdict"


def _picture(title: str, node: int, seen: Sequence[SeenInterval], decisions: Sequence[Decision]) -> Figure:
    from matplotlib.figure import Figure

    ranks, shares = wait_shares(node, seen, MOST_COLUMNS)
    bars = stays(node, seen)
    n_cores = len({core for _, core, _, _ in bars})
    height = min(3.5 + 0.3 * (n_cores + len(ranks)), 24)
    figure = Figure(figsize=(14, height), dpi=INCH, layout="constrained")
    figure.suptitle(title, parse_math=False)
    where, waits = figure.subplots(2, 1, sharex=True, height_ratios=[n_cores, len(ranks)])
    _draw_stays(where, bars, ranks, span_s(seen))
    _draw_waits(waits, ranks, shares, span_s(seen))
    _draw_decisions(where, waits, decisions)
    return figure


def _colours(ranks: Sequence[int]) -> dict[int, Any]:
    """A colour for each rank: all different up to seven, then along a colour map."""
    if len(ranks) <= len(SERIES_COLOURS):
        return dict(zip(ranks, SERIES_COLOURS, strict=False))
    from matplotlib import colormaps

    return dict(zip(ranks, colormaps["viridis"](np.linspace(0, 1, len(ranks))), strict=True))


def _draw_stays(
    axes: Axes, bars: list[tuple[int, int, float, float]], ranks: list[int], span: tuple[float, float]
) -> None:
    cores = sorted({core for _, core, _, _ in bars})
    row = {core: index for index, core in enumerate(cores)}
    colours = _colours(ranks)
    for rank, core, begin, end in bars:
        axes.barh(row[core], end - begin, left=begin, height=0.8, color=colours[rank], linewidth=0)
        if len(ranks) <= MOST_NAMED and end - begin > 0.05 * (span[1] - span[0]):
            style = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
            axes.text(
                begin + 0.01 * (span[1] - span[0]), row[core], f"rank {rank}", va="center", bbox=style, size=9
            )
    axes.set(ylabel="core", ylim=(len(cores) - 0.5, -0.5), xlim=span)
    shown = range(0, len(cores), max(1, len(cores) // 16))
    axes.set_yticks(list(shown), [str(cores[index]) for index in shown])


def _draw_waits(axes: Axes, ranks: list[int], shares: np.ndarray, span: tuple[float, float]) -> None:
    image = axes.imshow(
        np.ma.masked_invalid(shares),
        aspect="auto",
        extent=(*span, len(ranks) - 0.5, -0.5),
        interpolation="nearest",
        cmap=blues(),
        vmin=0,
        vmax=1,
    )
    axes.figure.colorbar(image, ax=axes, label="share of the time waited", pad=0.01)
    axes.set(ylabel="rank", xlabel="s from the start of the job")
    shown = range(0, len(ranks), max(1, len(ranks) // 16))
    axes.set_yticks(list(shown), [str(ranks[index]) for index in shown])


def _draw_decisions(where: Axes, waits: Axes, decisions: Sequence[Decision]) -> None:
    """A line through both panels and a mark on top at each decision."""
    for mark, (marker, colour) in MARKS.items():
        times = [decision.time_s for decision in decisions if mark_of(decision) == mark]
        for time_s in times:
            for axes in (where, waits):
                axes.axvline(time_s, color=colour, linewidth=1, alpha=0.8)
        if times:
            where.plot(
                times,
                [1.0] * len(times),
                marker,
                color=colour,
                label=mark,
                transform=where.get_xaxis_transform(),
                clip_on=False,
                markersize=8,
            )
    if decisions:
        where.legend(loc="lower right", bbox_to_anchor=(1, 1.01), ncols=len(MARKS), frameon=False)
