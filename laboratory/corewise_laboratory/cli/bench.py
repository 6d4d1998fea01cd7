"""`corewise bench`: runs a micro-benchmark."""

from __future__ import annotations

import os
from typing import Any

import click
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_rows
from corewise.cli.options import json_option, mpi_option, ranks_option, timeout_option
from corewise.text.escaping import json_text, shell_text


@click.command(cls=GroupedCommand, context_settings={"ignore_unknown_options": True})
@click.argument("name", required=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[BENCHMARK OPTIONS]...")
@mpi_option("Default: the first that is installed.")
@ranks_option()
@timeout_option("")
@click.option(
    "--pattern", is_flag=True, help="Print which rank sends what to which in one run, without times."
)
@click.option("--list", "list_benchmarks", is_flag=True, help="List the micro-benchmarks.")
@json_option("It contains all samples.")
def command(
    name: str | None,
    options: tuple[str, ...],
    mpi: str | None,
    n_ranks: int | None,
    timeout_s: float,
    pattern: bool,
    list_benchmarks: bool,
    as_json: bool,
) -> None:
    """Run the micro-benchmark NAME here and print its times.

    All take --sizes LIST (bytes, separated by commas), --repeats N or --seconds S, and --warmup N; other
    options are the benchmark's own, which `corewise bench NAME -- --help` prints. A time is the slowest
    rank's.

    \b
    Example:  corewise bench random --mpi mpich -n 8 --ranks-per-node 4 --ratio 0.5
    """
    from rich.console import Console

    from corewise_laboratory.microbench import MICROBENCHES, bench_command, bench_output, run_bench

    if list_benchmarks:
        print_rows({row: found.sentence for row, found in MICROBENCHES.items()}, as_json)
        return
    if name is None:
        raise click.UsageError("expected the NAME of a micro-benchmark (or --list)")
    argv = bench_command(name, mpi, n_ranks, [*options, *(["--pattern"] if pattern else [])])
    if "--help" in options:
        click.echo(bench_output(name, argv, timeout_s), nl=False)
        return
    with Console(stderr=True).status(f"{name} is running"):
        rows = [_values(row) for row in run_bench(name, argv, timeout_s)]
    document = {"benchmark": name, "command": argv, "source": "measured"}
    if as_json:
        click.echo(json_text(document | {"pattern" if pattern else "rows": rows}))
        return
    click.echo(f"{shell_text(argv)}\n")
    click.echo("\n".join(_pattern_lines(rows) if pattern else _lines(name, rows)))


def _values(row: dict[str, str]) -> dict[str, Any]:
    """A CSV row, converted by the columns' names: seconds (_s), a text, or whole numbers."""
    values: dict[str, Any] = {}
    for column, text in row.items():
        if column == "samples_s":
            values[column] = [float(sample) for sample in text.split()]
        elif column.endswith("_s"):
            values[column] = float(text)
        else:
            values[column] = text if column == "benchmark" else int(text)
    return values


def _lines(name: str, rows: list[dict[str, Any]]) -> list[str]:
    from corewise.text.quantities import bytes_text, seconds_text
    from corewise.text.table import text_table

    n_ranks, n_cpus = rows[0]["ranks"], len(os.sched_getaffinity(0))
    heads = [">size", ">min", ">median", ">max"]
    cells = [
        [
            bytes_text(row["size_bytes"]),
            *(seconds_text(row[f"{which}_s"]) for which in ("min", "median", "max")),
        ]
        for row in rows
    ]
    if name == "pingpong":
        heads.append(">bandwidth")
        for cell, row in zip(cells, rows, strict=True):
            cell.append(f"{bytes_text(row['size_bytes'] / row['median_s'])}/s" if row["size_bytes"] else "")
    title = f"{name}, {n_ranks} ranks: time of {'one message' if name == 'pingpong' else 'one run'}, "
    title += f"{rows[0]['repeats']} repeats after {rows[0]['warmup']} warm-ups, measured here"
    lines = text_table(title, heads, cells)[1:]
    if n_ranks > n_cpus:
        lines += ["", f"{n_ranks} ranks share {n_cpus} CPUs: not what a core for each rank would give"]
    return lines


def _pattern_lines(rows: list[dict[str, Any]]) -> list[str]:
    from corewise.text.quantities import bytes_text
    from corewise.text.table import text_table

    cells = [
        [
            bytes_text(row["size_bytes"]),
            f"{row['src']}",
            f"{row['dst']}",
            bytes_text(row["bytes"]),
            f"{row['messages']}",
        ]
        for row in rows
    ]
    heads = [">size", ">src", ">dst", ">bytes", ">messages"]
    return text_table("Sent in one run, counted by the ranks", heads, cells)[1:]
