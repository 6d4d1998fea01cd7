"""A picture of a steered run: which rank was on which core, how long ranks waited, and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corewise.errors import InputError
from corewise.nouns.steered_run import Decision, IntervalSample
from corewise.plots.matrix import N_SHADES, cells_svg
from corewise.plots.picture_file import Picture
from corewise.plots.style import COLUMN_PIXELS, PAGE_PIXELS
from corewise.plots.svg import element, figure, round_steps, text

# Kind of decision -> CSS class of its line, in the order of the legend.
MARKS = {
    "swapped and kept": "decision-kept",
    "swapped, undone later": "decision-undone",
    "swapped, no verdict": "decision-open",
    "not done": "decision-open",
    "undone": "decision-undone",
    "advice": "decision-advice",
}
MOST_COLUMNS = 400
MOST_HEIGHT = 360  # of each panel
ROW, LEFT, MARGIN, HEAD, FOOT = 22, 52, 10, 22, 34


class Stay(NamedTuple):
    """A stay of a rank on one core, s; the rank waited for `waited_s` of `all_s`."""

    rank: int
    core: int
    begin_s: float
    end_s: float
    waited_s: float
    all_s: float


def write_steered_run(
    picture: Picture, title: str, seen: Sequence[IntervalSample], decisions: Sequence[Decision]
) -> None:
    """Draws a log's intervals and decisions.

    Raises InputError as Picture.check() does, and without intervals.
    """
    picture.check()
    svg = steered_run_svg(seen, decisions, COLUMN_PIXELS if picture.style == "paper" else PAGE_PIXELS)
    if not svg:
        raise InputError(f"{picture.path}: the log has no interval, so there is nothing to draw")
    picture.write_svg(svg, title)


def steered_run_svg(seen: Sequence[IntervalSample], decisions: Sequence[Decision], width: int) -> str:
    """Cores over time with their ranks, then ranks over time with their fraction of waiting.

    Each decision is a numbered line. "" without intervals.
    """
    if not seen:
        return ""
    ranks, shares = wait_shares(seen, MOST_COLUMNS)
    bars = stays(seen)
    cores = sorted({stay.core for stay in bars})
    begin_s, end_s = span_s(seen)
    scale = (width - LEFT - MARGIN) / (end_s - begin_s)
    heights = [min(MOST_HEIGHT, ROW * len(rows)) for rows in (cores, ranks)]
    tops = [HEAD, HEAD + heights[0] + HEAD]
    bottom = tops[1] + heights[1]
    shapes = [
        *_stays(bars, cores, ranks, begin_s, scale, heights[0]),
        *_names(cores, tops[0], heights[0], "core"),
        *_waits(shares, width, tops[1], heights[1]),
        *_names(ranks, tops[1], heights[1], "rank"),
        *_decisions(decisions, begin_s, scale, bottom),
        *_axis(begin_s, end_s, scale, bottom, width),
    ]
    span = f"{end_s - begin_s:.3g} s"
    description = f"{len(ranks)} ranks on {len(cores)} cores in {span}, with {len(decisions)} decisions"
    return figure(width, bottom + FOOT, description, *shapes)


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


def _stays(
    bars: list[Stay], cores: list[int], ranks: list[int], begin_s: float, scale: float, height: float
) -> list[str]:
    """Bars with the rank's number; neighbouring ranks have different shades."""
    shade = {rank: 1 + index % 4 for index, rank in enumerate(ranks)}
    row = {core: index for index, core in enumerate(cores)}
    pitch = height / len(cores)
    shapes = []
    for stay in bars:
        x, y = LEFT + (stay.begin_s - begin_s) * scale, HEAD + row[stay.core] * pitch
        length = (stay.end_s - stay.begin_s) * scale
        title = f"rank {stay.rank} on core {stay.core} from {stay.begin_s:.3f} s to {stay.end_s:.3f} s"
        shapes.append(
            element("rect", element("title", title), class_=f"shade-{shade[stay.rank]} stay", x=x, y=y,
                    width=length, height=pitch)
        )  # fmt: skip
        words = f"rank {stay.rank}" if length > 60 else str(stay.rank)
        if pitch >= 12 and length > 24:
            shapes.append(text(x + 5, y + pitch / 2 + 4, words))
    return shapes


def _names(numbers: list[int], top: float, height: float, what: str) -> list[str]:
    """The numbers on the left of a panel's rows; if rows are too narrow, only some of them."""
    pitch = height / len(numbers)
    step = max(1, round(14 / pitch))
    shapes = [
        text(LEFT - 6, top + (index + 0.5) * pitch + 4, str(numbers[index]), class_="tick", text_anchor="end")
        for index in range(0, len(numbers), step)
    ]
    return [*shapes, text(LEFT - 6, top - 8, what, class_="name", text_anchor="end")]


def _waits(shares: np.ndarray, width: float, top: float, height: float) -> list[str]:
    inside = width - LEFT - MARGIN
    shades = np.where(np.isnan(shares), 0, 1 + np.minimum(N_SHADES - 1, np.nan_to_num(shares) * N_SHADES))
    n_rows, n_columns = shares.shape
    to_cells = f"translate({LEFT} {top:g}) scale({inside / n_columns:g} {height / n_rows:g})"
    return [
        element("rect", x=LEFT, y=top, width=inside, height=height, class_="frame"),
        cells_svg(shades.astype(int), to_cells),
    ]


def _decisions(decisions: Sequence[Decision], begin_s: float, scale: float, bottom: float) -> list[str]:
    """A line through both panels for each decision, with its number if there is room."""
    shapes = []
    last = float(-LEFT)
    for number, decision in enumerate(decisions, start=1):
        x = LEFT + (decision.time_s - begin_s) * scale
        mark = mark_of(decision)
        title = element("title", f"decision {number}: {mark}")
        shapes.append(element("line", title, x1=x, x2=x, y1=HEAD - 4, y2=bottom, class_=MARKS[mark]))
        if x - last >= 8 * len(str(number)) + 4:
            shapes.append(text(x, HEAD - 8, str(number), class_="name", text_anchor="middle"))
            last = x
    return shapes


def _axis(begin_s: float, end_s: float, scale: float, bottom: float, width: float) -> list[str]:
    shapes = [
        text(LEFT + (step - begin_s) * scale, bottom + 14, f"{step:g}", class_="tick", text_anchor="middle")
        for step in round_steps(begin_s, end_s, 8 if width >= PAGE_PIXELS else 4)
    ]
    label = text(width - MARGIN, bottom + 29, "s from the start of the job", class_="tick", text_anchor="end")
    return [*shapes, label]
