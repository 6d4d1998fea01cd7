"""Section: results side by side: programs, sizes or machines, with the gain of each and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from corewise.nouns.advice import Gain
from corewise.nouns.tune_result import TuneResult
from corewise.page import times
from corewise.page.picture import picture
from corewise.plots.heatmap import heatmap
from corewise.text.quantities import seconds_text
from corewise.text.table import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def shown(results: Sequence[TuneResult]) -> dict[str, Any]:
    """The gains, and small pictures of each result, in the order given.

    A panel is (name, matrix, what its times are, times); the matrix is empty if an earlier panel has it.
    """
    names = names_of(results)
    return {
        "answer": _answer(list(zip(names, results, strict=True))),
        "gains": picture(lambda: figure(results), f"Gains of {len(results)} results with their intervals"),
        "table": results_table(results),
        "panels": [_panel(names[at], result, results[:at]) for at, result in enumerate(results)],
    }


def results_table(results: Sequence[TuneResult]) -> TextTable:
    """A row for each result: its gains and its answer."""
    rows = [
        [
            name,
            result.machine.name,
            str(result.traffic.n_ranks),
            result.advice.gain.text(),
            result.advice.gain_of,
            result.gain.text() if result.gain else "not run",
            result.headline.answer,
        ]
        for name, result in zip(names_of(results), results, strict=True)
    ]
    heads = ["<result", "<machine", ">ranks", ">predicted gain", "<of", ">measured gain", "<answer"]
    return TextTable(heads, rows)


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


def figure(results: Sequence[TuneResult]) -> Figure:
    """The gains with their intervals."""
    from corewise.plots.gain_curves import gain_rows

    gains: dict[str, dict[str, Gain]] = {}
    for name, result in zip(names_of(results), results, strict=True):
        gains[name] = {"predicted": result.advice.gain} | ({"measured": result.gain} if result.gain else {})
    return gain_rows(gains)


def names_of(results: Sequence[TuneResult]) -> list[str]:
    """The titles of the results; equal ones are numbered."""
    titles = [result.title for result in results]
    names: list[str] = []
    for title in titles:
        earlier = sum(name == title or name.startswith(f"{title} (") for name in names)
        names.append(f"{title} ({earlier + 1})" if titles.count(title) > 1 else title)
    return names


def _panel(name: str, result: TuneResult, earlier: Sequence[TuneResult]) -> tuple[str, Markup, str, Markup]:
    from corewise.plots.drawing import grouped_bars

    is_shown = result.read_from and result.command[2] in [one.command[2] for one in earlier if one.read_from]
    matrix = result.traffic.folded()
    drawn = Markup("") if is_shown else picture(lambda: heatmap(matrix, ""), f"Traffic of {name}")
    if any(run.time_s for run in result.runs):
        found = times.shown(result)
        return name, drawn, found["title"] if found else "", found["figure"] if found else Markup("")
    by = result.advice.compared_by
    bars = {candidate.label: candidate.scores[by][0] for candidate in result.candidates}
    of_time = by == "time"
    what = "Estimated time of transfer alone" if of_time else f"{by}, computed"
    groups = {"communication" if of_time else by: bars}
    value_text = seconds_text if of_time else "{:.4g}".format
    return name, drawn, what, picture(lambda: grouped_bars(groups, value_text), what)
