"""`corewise report --text`: the contents of the page as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corewise.nouns.run import by_key
from corewise.page import comparison, moved, program, steering, times
from corewise.page.several import names_of, results_table
from corewise.plots.heatmap import text_heatmap
from corewise.profile import text
from corewise.text.table import text_table

if TYPE_CHECKING:
    from corewise.nouns.tune_result import TuneResult
    from corewise.page import SeenLog
    from corewise.reporting import Report

MATRIX_WIDTH = 56  # characters at most
MOST_NODES = 8  # whose ranks are listed, at most
MOST_GROUPS = 16  # runs of ranks in one line


def print_report(report: Report) -> None:
    """Prints the report on standard output."""
    if len(report.results) == 1:
        _print_result(report.results[0])
    elif report.results:
        _print_lines(_several(report.results))
    else:
        _print_lines(_times(report))
    for log in report.logs:
        _print_lines(_decisions(log))


def _print_lines(lines: list[str]) -> None:
    click.echo("\n".join(lines).lstrip("\n"))


def _print_result(result: TuneResult) -> None:
    said, advice = result.headline, result.advice
    of = "the run" if advice.gain_of == "run" else "communication"
    lines = [result.title, "", *result.failures, said.answer, *said.reasons, ""]
    lines.append(f"predicted gain of {of}: {advice.gain.text()}, {advice.gain_formula}")
    if result.gain:
        lines.append(f"measured gain of the run: {result.gain.text()}")
    placements = comparison.shown(result)["table"]
    lines += text_table("Placements, lower is better", placements.heads, placements.rows)
    difference = moved.shown(result)
    if difference:
        table = difference["table"]
        lines += ["", difference["sentence"]]
        lines += text_table("Bytes by how near the two ranks are", table.heads, table.rows)
    lines += ["", "Matrix: rows send, columns receive"]
    lines += [*text_heatmap(result.traffic.folded(), MATRIX_WIDTH), ""]
    _print_lines(lines)
    lines = ["Ranks on the machine", *_machine_lines(result)]
    found = program.shown(result)
    if result.summary and found:
        lines += ["", *found["sentences"]]
        for title, table in text.tables(result.summary).items():
            lines += text_table(title, table.heads, table.rows)
    _print_lines([*lines, "", *(f"Note: {note}" for note in result.notes)])


def _machine_lines(result: TuneResult) -> list[str]:
    """The tree, then the ranks of each node and placement in the order of their cores."""
    from corewise.plots.outline import tree_lines

    lines = [f"  {line}" for line in tree_lines(result.machine)]
    shown = min(MOST_NODES, result.machine.n_nodes)
    rows = []
    for node in range(shown):
        for candidate in result.candidates:
            placed = candidate.placement
            ranks = [rank for rank, of in enumerate(placed.node) if of == node]
            ranks.sort(key=lambda rank: (placed.core[rank], rank))
            rows.append([f"node {node}", candidate.label, _in_order(ranks) or "none"])
    more = result.machine.n_nodes - shown
    title = f"Ranks of each node in the order of their cores{f', {more} nodes more' if more else ''}"
    return [*lines, *text_table(title, ("<node", "<placement", "<ranks"), rows)]


def _in_order(ranks: list[int]) -> str:
    """`0-3 7 5`: keeps the order, and writes consecutive ascending ranks as ranges."""
    ranges: list[list[int]] = []
    for rank in ranks:
        if ranges and ranges[-1][1] == rank - 1:
            ranges[-1][1] = rank
        else:
            ranges.append([rank, rank])
    words = [f"{first}-{last}" if first < last else f"{first}" for first, last in ranges]
    more = len(words) - MOST_GROUPS
    return " ".join(words[:MOST_GROUPS]) + (f" and {more} more" if more > 0 else "")


def _several(results: list[TuneResult]) -> list[str]:
    table = results_table(results)
    title = "Gain of the best placement over the default, 1 - t_best / t_default"
    lines = text_table(title, table.heads[:-1], [row[:-1] for row in table.rows])
    for name, result in zip(names_of(results), results, strict=True):
        lines += ["", f"{name}: {result.headline.answer}"]
    return lines


def _times(report: Report) -> list[str]:
    repeats = by_key(report.all_runs)
    if not repeats:
        return []
    found = times.shown_runs(repeats, report.simulations)
    table = found["table"]
    return [*text_table(found["title"], table.heads, table.rows), *found["failed"], *table.notes]


def _decisions(shown: SeenLog) -> list[str]:
    found = steering.decisions(shown)
    lines = text_table(shown.title, found.heads, found.rows)
    return lines or ["", shown.title, "  nothing was decided"]
