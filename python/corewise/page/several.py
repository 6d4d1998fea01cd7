"""Section: results side by side: programs, sizes or machines, with the gain of each and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from corewise.nouns.gain import Gain
from corewise.nouns.tune_result import TuneResult
from corewise.page import times
from corewise.plots.bars import grouped_bars_svg
from corewise.plots.gain_rows import WIDTH, gain_rows_svg
from corewise.plots.matrix import matrix_svg
from corewise.text.quantities import seconds_text

TITLE = "Side by side"


@dataclass(frozen=True)
class Panel:
    """The small pictures of a result: its matrix, None if an earlier panel shows it, and its times."""

    name: str
    matrix: Markup | None
    times: Markup
    times_are: str


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    answer: str
    gains: Markup
    results: list[tuple[str, TuneResult]]  # with their names
    panels: list[Panel]


def context(results: Sequence[TuneResult]) -> Context:
    """One row and one panel for each result, in the order given."""
    names = names_of(results)
    panels = [_panel(names[at], result, results[:at]) for at, result in enumerate(results)]
    named = list(zip(names, results, strict=True))
    return Context(_answer(named), Markup(picture(results)), named, panels)


def _answer(results: list[tuple[str, TuneResult]]) -> str:
    """In how many results the gain is above 0, and the greatest gain; measured gains take precedence."""
    gains = {name: result.gain or result.advice.gain for name, result in results}
    n_above = sum(gain.low > 0 for gain in gains.values())
    if not n_above:
        return f"In none of the {len(results)} results the interval of the gain lies above 0."
    name, greatest = max(gains.items(), key=lambda named: named[1].expected)
    kind = "measured" if any(one == name and result.gain for one, result in results) else "predicted"
    known = {"measured" if result.gain else "predicted" for _, result in results}
    faster = "is faster" if known == {"measured"} else "is predicted to be faster"
    if len(known) > 1:
        faster = "is, or is predicted to be, faster"
    return (
        f"The best placement {faster} than the default in {n_above} of {len(results)} results, by "
        f"{greatest.text()} at most: {name}, {kind}."
    )


def picture(results: Sequence[TuneResult], width: int = WIDTH) -> str:
    """The gains with their intervals as an SVG."""
    gains: dict[str, dict[str, Gain]] = {}
    for name, result in zip(names_of(results), results, strict=True):
        gains[name] = {"predicted": result.advice.gain} | ({"measured": result.gain} if result.gain else {})
    return gain_rows_svg(gains, width)


def names_of(results: Sequence[TuneResult]) -> list[str]:
    """The titles of the results; equal ones are numbered."""
    titles = [result.title for result in results]
    names: list[str] = []
    for title in titles:
        earlier = sum(name == title or name.startswith(f"{title} (") for name in names)
        names.append(f"{title} ({earlier + 1})" if titles.count(title) > 1 else title)
    return names


def _panel(name: str, result: TuneResult, earlier: Sequence[TuneResult]) -> Panel:
    is_shown = result.read_from and result.command[2] in [one.command[2] for one in earlier if one.read_from]
    matrix = None if is_shown else Markup(matrix_svg(result.traffic.folded()))
    found = times.context(result)
    if found and found.rows:
        return Panel(name, matrix, found.figure, found.title)
    by = result.advice.compared_by
    bars = {candidate.label: candidate.scores[by][0] for candidate in result.candidates}
    if by == "time":
        svg = grouped_bars_svg({"communication": bars}, seconds_text, "Estimated time of each placement")
        return Panel(name, matrix, Markup(svg), "Estimated time of transfer alone")
    svg = grouped_bars_svg({by: bars}, lambda value: f"{value:.4g}", f"{by} of each placement")
    return Panel(name, matrix, Markup(svg), f"{by}, computed")
