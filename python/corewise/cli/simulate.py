"""`corewise simulate`: a program's time on a machine that isn't here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.files.placement import PlacementFile
    from corewise.files.run import Run
    from corewise.model import Machine
    from corewise.simulate import Engine

EXAMPLE = """\b
Example:
  corewise simulate --engine emulate --machine pe1550:8 --placement best.json -- ./app input
"""


@click.command("simulate", epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
@click.option("--engine", "engine_name", metavar="E", help="How; --list names them all.")
@click.option("--machine", "spec", metavar="M", help="The machine.")
@click.option(
    "--placement",
    "paths",
    type=click.Path(path_type=Path),
    metavar="PLACEMENT",
    multiple=True,
    help="What `corewise map -o` wrote for that machine. Repeatable. Block order otherwise.",
)
@click.option(
    "-n",
    "n_ranks",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ranks in block order; M's cores otherwise.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1), metavar="K", default=3, show_default=True, help="Runs of each."
)
@click.option(
    "--timeout", "timeout_s", type=click.FloatRange(min=1), default=300, help="s, then a run is ended."
)
@click.option("--list", "list_engines", is_flag=True, help="All engines.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- APP ...")
def command(
    engine_name: str | None,
    spec: str | None,
    paths: tuple[Path, ...],
    n_ranks: int | None,
    repeats: int,
    timeout_s: float,
    list_engines: bool,
    as_json: bool,
    argv: tuple[str, ...],
) -> int:
    """Run a program as if on a machine that isn't here, and say how long it takes there.

    APP is the program with its arguments, without a launcher. Its output goes to standard error. The engine
    emulate runs the real program here on links as slow as M's. Exit code 1 when a run failed.
    """
    from corewise import machines
    from corewise.cli.listing import print_rows
    from corewise.cli.progress import status_line
    from corewise.simulate import ENGINES, Request, engine_named

    if list_engines:
        print_rows({name: engine.sentence for name, engine in ENGINES.items()}, as_json)
        return 0
    if not (engine_name and spec and argv):
        raise click.UsageError("expected --engine E, --machine M and -- APP ... (or --list)")
    engine = engine_named(engine_name)
    machine = machines.load(spec)
    placements = _placements(machine, paths, n_ranks)
    with status_line() as show:
        request = Request(
            machine,
            placements,
            list(argv),
            n_repeats=repeats,
            timeout_s=timeout_s,
            output=sys.stderr,
            say=lambda run: show(f"{engine.name}: run {run.n_done + 1} of {repeats * len(placements)}"),
        )
        simulation = engine.run(request)
    results = [_result(engine, label, placements[label], runs) for label, runs in simulation.runs.items()]
    if as_json:
        whole = {"machine": machine.name, "notes": simulation.notes}
        click.echo(json_text((results[0] if len(paths) < 2 else {"runs": results}) | whole))
    else:
        click.echo("\n".join([*_lines(engine, results), "", *simulation.notes]))
    return 0 if all(result["n_failed"] == 0 for result in results) else 1


def _placements(machine: Machine, paths: tuple[Path, ...], n_ranks: int | None) -> dict[str, PlacementFile]:
    """By the file's name without its ending; all on the machine, of as many ranks."""
    from corewise.errors import InputError
    from corewise.files.placement import PlacementFile, read_placement
    from corewise.model import Placement

    if not paths:
        n_ranks = n_ranks or machine.n_cores
        if n_ranks > machine.n_cores:
            raise InputError(f"found {n_ranks} ranks for {machine.n_cores} cores; expected at most as many")
        return {"block": PlacementFile.of(Placement.from_cores(list(range(n_ranks))), machine)}
    if n_ranks is not None:
        raise click.UsageError("-n is for block order; a placement says its ranks itself")
    placements: dict[str, PlacementFile] = {}
    for path in paths:
        file = read_placement(path)
        file.on(machine)
        first = next(iter(placements.values()), file)
        if path.stem in placements or file.n_ranks != first.n_ranks:
            raise InputError(
                f"{path}: has {file.n_ranks} ranks and the name '{path.stem}'; expected another name and "
                f"the {first.n_ranks} ranks of the first placement"
            )
        placements[path.stem] = file
    return placements


def _result(engine: Engine, label: str, placement: PlacementFile, runs: list[Run]) -> dict:
    """What the contract has for one placement; times are null where every run failed."""
    from statistics import median

    from corewise.statistics import median_interval

    times = [run.time_s for run in runs if run.time_s is not None]
    in_mpi = [run.mpi_s for run in runs if run.time_s is not None and run.mpi_s is not None]
    interval = median_interval(times) if times else None
    return {
        "makespan_s": interval and interval.expected,
        "comm_s": median(in_mpi) if in_mpi else None,
        "interval_s": interval and [interval.low, interval.high],
        "confidence": interval and interval.confidence,
        "engine": engine.name,
        "source": engine.source,
        "placement": placement.path or label,
        "n_failed": len(runs) - len(times),
        "repeats": [run.to_json() for run in runs],
    }


def _lines(engine: Engine, results: list[dict]) -> list[str]:
    from corewise.text.quantities import confidence_text, seconds_text
    from corewise.text.table import text_table

    rows = []
    for result in results:
        if result["interval_s"] is None:
            rows.append((result["placement"], "-", "every run failed", "-"))
            continue
        low, high = (seconds_text(bound) for bound in result["interval_s"])
        spread = f"{low} to {high} ({confidence_text(result['confidence'])})"
        in_mpi = "-" if result["comm_s"] is None else seconds_text(result["comm_s"])
        rows.append((result["placement"], seconds_text(result["makespan_s"]), spread, in_mpi))
    heads = ("<placement", ">makespan", "<median's interval", ">in MPI")
    return text_table(f"Times, {engine.source}, from MPI_Init to MPI_Finalize", heads, rows)
