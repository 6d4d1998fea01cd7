"""`corewise simulate`: a program's time on a machine that isn't here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun, print_rows
from corewise.cli.options import (
    FORMAT_OPTION,
    json_option,
    machine_option,
    mpi_option,
    placement_option,
    ranks_option,
    repeats_option,
    timeout_option,
)

if TYPE_CHECKING:
    from corewise.nouns.simulation import Simulated

EXAMPLE = """\b
Example:
  corewise simulate --engine emulate --machine pe1550:8 --placement best.json -- ./app input
"""

_PROGRAM = "corewise.simulation.program"  # key of a context's words after `--`


class _InputOrProgram(GroupedCommand):
    """Keeps the words after the first `--`, the program, which click would take for the INPUT."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_PROGRAM] = args[at + 1 :]
        return super().parse_args(ctx, args[:at])


@click.command("simulate", cls=_InputOrProgram, epilog=EXAMPLE)
@click.option(
    "--engine",
    metavar="E",
    shell_complete=completing.engines,
    help=f"Simulation engine: {', '.join(completing.SIMULATION_ENGINES)}; --list describes them. Default: "
    "the first that accepts INPUT or APP.",
)
@machine_option()
@placement_option("Repeatable. Default: block order.", keyword="paths", multiple=True)
@ranks_option("For APP without a placement. Default: one for each core.")
@repeats_option("Default: 1, or 3 with emulate.")
@click.option(
    "--compute-factor",
    type=click.FloatRange(min=0),
    metavar="F",
    default=1.0,
    show_default=True,
    help="Multiply the time between MPI calls by F; 0 leaves the messages alone.",
)
@mpi_option("Its collective algorithms are simulated. Default: that of the profile, else openmpi.")
@timeout_option()
@FORMAT_OPTION
@click.option("--list", "list_engines", is_flag=True, help="List the engines.")
@json_option()
@click.argument("input_path", required=False, metavar="(INPUT | -- APP ...)", shell_complete=completing.files)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    spec: str,
    paths: tuple[Path, ...],
    list_engines: bool,
    as_json: bool,
    input_path: str | None,
    **asked: Any,
) -> int:
    """Predict how long a program takes on a machine that isn't here.

    INPUT is a profile or a matrix. APP is the program with its arguments, without a launcher; its output
    goes to standard error. Exit code 1: a run failed.
    """
    from corewise import verbs
    from corewise.cli.progress import status_line
    from corewise.simulation import ENGINES

    if list_engines:
        print_rows({name: engine.sentence for name, engine in ENGINES.items()}, as_json)
        return 0
    argv = ctx.meta[_PROGRAM]
    if bool(argv) == bool(input_path):
        raise click.UsageError("expected either INPUT or -- APP ... (or --list)")
    with status_line() as show:
        simulated = verbs.simulate(
            argv or input_path,
            spec,
            paths,
            output=sys.stderr,
            progress=lambda engine, n_done, n_runs: show(
                f"{engine}: run {min(n_done + 1, n_runs)} of {n_runs}"
            ),
            **asked,
        )
    print_noun(simulated, as_json, lambda: [*_lines(simulated), "", *simulated.notes])
    return 1 if simulated.has_failed else 0


def _lines(simulated: Simulated) -> list[str]:
    from corewise.text.quantities import confidence_text, seconds_text
    from corewise.text.table import text_table

    rows = []
    for one in simulated.placements:
        interval, time = one.interval, seconds_text(one.scores["time"][0]) if one.scores else "-"
        if interval is None:
            rows.append((one.placement, "-", "every run failed", "-", time))
            continue
        spread = f"{seconds_text(interval.low)} to {seconds_text(interval.high)}"
        if interval.confidence:
            spread += f" ({confidence_text(interval.confidence)})"
        spread = "-" if interval.confidence == 0 or interval.low == interval.high else spread
        in_mpi = "-" if one.comm_s is None else seconds_text(one.comm_s)
        rows.append((one.placement, seconds_text(interval.expected), spread, in_mpi, time))
    title = f"Times, {simulated.placements[0].source}, from MPI_Init to MPI_Finalize"
    heads = ["<placement", ">makespan", "<interval", ">in MPI", ">time"]
    if all(row[-1] == "-" for row in rows):
        return text_table(title, heads[:-1], [row[:-1] for row in rows])
    return text_table(title, heads, rows)
