"""`corewise report --text`: the contents of the page as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corewise.cli.heatmap import print_heatmap
from corewise.nouns.run import by_key
from corewise.page import comparison, moved, program, steering, tables, times
from corewise.page.several import names_of
from corewise.profile import text
from corewise.text.quantities import percent_text, seconds_text
from corewise.text.table import text_table

if TYPE_CHECKING:
    from corewise.nouns.tune_result import TuneResult
    from corewise.page import SeenLog
    from corewise.reporting import Report

MATRIX_WIDTH = 56  # characters at most
MOST_NODES = 8  # whose ranks are listed, at most
MOST_GROUPS = 16  # runs of ranks in one line


def print_report(report: Report) -> None:
    """Prints the report on standard output, with colours if that is a terminal with colours."""
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
    _print_lines([*lines, *_placements(result), *_moved(result)])
    click.echo("\nMatrix: rows send, columns receive")
    print_heatmap(result.traffic.folded(), MATRIX_WIDTH)
    click.echo()
    lines = ["Ranks on the machine", *_machine_lines(result)]
    found = program.context(result)
    if result.summary and found:
        lines += ["", *found.sentences]
        for title, table in text.tables(result.summary).items():
            lines += text_table(title, table.heads, table.rows)
    _print_lines([*lines, "", *(f"Note: {note}" for note in result.notes)])


def _placements(result: TuneResult) -> list[str]:
    """The page's table of objectives and times, a column for each placement."""
    found = comparison.context(result)
    rows = [[row.name, *row.cells, row.ratios.gain] for row in found.timed]
    for row in found.rows:
        names = [f"{row.name}, {line}" for line in row.lines] or [row.name]
        gain = "" if row.lines else row.ratios.gain
        rows += [[name, *(cell[at] for cell in row.cells), gain] for at, name in enumerate(names)]
    heads = ["<what", *(f">{label}" for label in found.labels), ">gain"]
    return text_table("Placements, lower is better", heads, rows)


def _moved(result: TuneResult) -> list[str]:
    found = moved.context(result)
    if found is None:
        return []
    return ["", found.sentence, *_lines_of("Bytes by how near the two ranks are", found.levels)]


def _lines_of(title: str, table: tables.Context) -> list[str]:
    heads = [f"{'>' if head.number else '<'}{head.name}" for head in table.heads]
    return text_table(title, heads, table.rows)


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
    rows = [
        [name, str(result.traffic.n_ranks), result.advice.gain.text(), result.advice.gain_of]
        + [result.gain.text() if result.gain else "not run"]
        for name, result in zip(names_of(results), results, strict=True)
    ]
    heads = ("<result", ">ranks", ">predicted gain", "<of", ">measured gain")
    lines = text_table("Gain of the best placement over the default, 1 - t_best / t_default", heads, rows)
    for name, result in zip(names_of(results), results, strict=True):
        lines += ["", f"{name}: {result.headline.answer}"]
    return lines


def _times(report: Report) -> list[str]:
    repeats = by_key(report.all_runs)
    if not repeats:
        return []
    found = times.context_of_runs(repeats, report.simulations)
    rows = [
        [
            row.label,
            row.source,
            str(row.n),
            seconds_text(row.interval.expected),
            f"{seconds_text(row.interval.low)} to {seconds_text(row.interval.high)}"
            if row.has_interval
            else "",
            percent_text(row.mpi_share) if row.mpi_share is not None else "",
        ]
        for row in found.rows
    ]
    heads = ("<placement", "<source", ">repeats", ">median", "<interval", ">in MPI")
    return [*text_table(found.title, heads, rows), *found.failed, *found.notes]


def _decisions(shown: SeenLog) -> list[str]:
    found = steering.decisions(shown)
    lines = text_table(shown.title, found.heads, found.rows)
    return lines or ["", shown.title, "  nothing was decided"]
