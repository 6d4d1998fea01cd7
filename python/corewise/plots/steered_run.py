"""A picture of a steered run: which rank was on which core, how long ranks waited, and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corewise.errors import InputError
from corewise.nouns.steered_run import Decision, IntervalSample
from corewise.plots.style import BLUES, COLOURS, blues

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Kind of decision -> colour of its line.
MARKS = {
    "swapped and kept": COLOURS["text"],
    "swapped, undone later": COLOURS["worst"],
    "swapped, no verdict": COLOURS["quiet"],
    "not done": COLOURS["quiet"],
    "undone": COLOURS["worst"],
    "advice": COLOURS["marked"],
}
MOST_COLUMNS = 400
WIDTH, ROW_HEIGHT, MOST_HEIGHT = 7.0, 0.23, 3.75  # inches; the height is of each panel


class Stay(NamedTuple):
    """A stay of a rank on one core, s; the rank waited for `waited_s` of `all_s`."""

    rank: int
    core: int
    begin_s: float
    end_s: float
    waited_s: float
    all_s: float


def steered_run_figure(seen: Sequence[IntervalSample], decisions: Sequence[Decision]) -> Figure:
    """Cores over time with their ranks, then ranks over time with their fraction of waiting.

    Each decision is a numbered line. Raises InputError without intervals.
    """
    from corewise.plots.drawing import Drawing

    bars = stays(seen)
    if not bars:
        raise InputError("the log has no interval, so there is nothing to draw")
    ranks, shares = wait_shares(seen, MOST_COLUMNS)
    cores = sorted({stay.core for stay in bars})
    heights = [min(MOST_HEIGHT, ROW_HEIGHT * len(rows)) for rows in (cores, ranks)]
    figure = Drawing(figsize=(WIDTH, sum(heights) + 1.1), dpi=144, layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=heights)
    _draw_stays(above, bars, cores, ranks)
    shape = {"aspect": "auto", "extent": (*span_s(seen), len(ranks) - 0.5, -0.5), "interpolation": "nearest"}
    below.imshow(shares, cmap=blues(), vmin=0, vmax=1, **shape)
    for axes, rows, what in ((above, cores, "core"), (below, ranks, "rank")):
        step = max(1, round(len(rows) * 0.15 / min(MOST_HEIGHT, ROW_HEIGHT * len(rows))))
        axes.set_yticks(range(0, len(rows), step), [str(row) for row in rows[::step]])
        axes.set_ylabel(what)
    for number, decision in enumerate(decisions, start=1):
        for axes in (above, below):
            axes.axvline(decision.time_s, color=MARKS[mark_of(decision)], lw=1.5)
        above.text(decision.time_s, -0.6, str(number), ha="center", va="bottom", clip_on=False)
    below.set_xlabel("s from the start of the job", loc="right")
    return figure


def wait_shares(seen: Sequence[IntervalSample], most_columns: int) -> tuple[list[int], np.ndarray]:
    """Ranks, ascending, and [rank, column] the fraction of time that they waited; nan if not observed.

    Columns are equal parts of the time from the first interval's start to the last one's end.
    """
    ranks = sorted({rank.id for interval in seen for rank in interval.ranks})
    row = {rank: index for index, rank in enumerate(ranks)}
    begin_s, end_s = span_s(seen)
    n_columns = max(1, min(most_columns, len(seen)))
    waited, whole = np.zeros((2, len(ranks), n_columns))
    for interval in seen:
        middle = (interval.time_s - interval.length_s / 2 - begin_s) / (end_s - begin_s)
        column = min(n_columns - 1, max(0, int(middle * n_columns)))
        for rank in interval.ranks:
            waited[row[rank.id], column] += rank.wait_s
            whole[row[rank.id], column] += rank.wait_s + rank.compute_s + rank.transfer_s
    return ranks, np.where(whole > 0, waited / np.where(whole > 0, whole, 1), np.nan)


def stays(seen: Sequence[IntervalSample]) -> list[Stay]:
    """Each stay of a rank on one core, in order of time."""
    found: list[Stay] = []
    last: dict[int, int] = {}  # rank -> its last entry of `found`
    for interval in seen:
        for rank in interval.ranks:
            all_s = rank.wait_s + rank.compute_s + rank.transfer_s
            at = last.get(rank.id)
            if at is not None and found[at].core == rank.core:
                before = found[at]
                found[at] = before._replace(
                    end_s=interval.time_s, waited_s=before.waited_s + rank.wait_s, all_s=before.all_s + all_s
                )
                continue
            last[rank.id] = len(found)
            begin_s = interval.time_s - interval.length_s
            found.append(Stay(rank.id, rank.core, begin_s, interval.time_s, rank.wait_s, all_s))
    return found


def span_s(seen: Sequence[IntervalSample]) -> tuple[float, float]:
    """Start of the first interval and end of the last."""
    return seen[0].time_s - seen[0].length_s, max(seen[-1].time_s, seen[0].time_s - seen[0].length_s + 1e-9)


def mark_of(decision: Decision) -> str:
    """The key in MARKS for a decision, by its action and outcome (preload/steer/history.c)."""
    if decision.action != "swap":
        return "undone" if decision.action == "undo" else "advice"
    outcome = decision.outcome
    if outcome.startswith("not done"):
        return "not done"
    if outcome.endswith("undone"):
        return "swapped, undone later"
    return "swapped and kept" if outcome.startswith("kept") else "swapped, no verdict"


def _draw_stays(axes: Axes, bars: list[Stay], cores: list[int], ranks: list[int]) -> None:
    """Bars with the rank's number; neighbouring ranks have different shades."""
    shade = {rank: BLUES[index % 4] for index, rank in enumerate(ranks)}
    rows = [cores.index(stay.core) for stay in bars]
    lengths = [stay.end_s - stay.begin_s for stay in bars]
    colours = [shade[stay.rank] for stay in bars]
    begins = [stay.begin_s for stay in bars]
    axes.barh(rows, lengths, left=begins, height=1, color=colours, ec=COLOURS["page"])
    span = max(stay.end_s for stay in bars) - min(begins)
    for stay, row, length in zip(bars, rows, lengths, strict=True):
        if length > 0.04 * span and len(cores) * ROW_HEIGHT <= 2 * MOST_HEIGHT:
            words = f" rank {stay.rank}" if length > 0.1 * span else f" {stay.rank}"
            axes.text(stay.begin_s, row, words, va="center", fontsize="small")
    axes.set_ylim(len(cores) - 0.5, -0.5)
