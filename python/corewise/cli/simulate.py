"""`corewise simulate`: a program's time on a machine that isn't here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli.layer_option import FORMAT_OPTION
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.placement import PlacementFile
    from corewise.simulation import Engine, Recorded, Simulation
    from corewise.simulation.engine import MpiLibrary

EXAMPLE = """\b
Example:
  corewise simulate --engine emulate --machine pe1550:8 --placement best.json -- ./app input
"""

_PROGRAM = "corewise.simulation.program"  # where the context keeps what stands behind `--`


class _InputOrProgram(click.Command):
    """What stands behind the first `--` is the program; click itself would take it for the INPUT."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_PROGRAM] = args[at + 1 :]
        return super().parse_args(ctx, args[:at])


@click.command("simulate", cls=_InputOrProgram, epilog=EXAMPLE)
@click.option("--engine", "engine_name", metavar="E", help="How; --list names them all.")
@click.option("--machine", "spec", metavar="M", help="The machine.")
@click.option(
    "--placement",
    "paths",
    type=click.Path(path_type=Path),
    metavar="PLACEMENT",
    multiple=True,
    help="A placement for that machine, as for `corewise score`. Repeatable. Block order otherwise.",
)
@click.option(
    "-n",
    "n_ranks",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ranks of APP in block order; M's cores otherwise.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1), metavar="K", help="Runs of each; the engine's number otherwise."
)
@click.option(
    "--compute-factor",
    type=click.FloatRange(min=0),
    metavar="F",
    default=1.0,
    show_default=True,
    help="M computes that many times as long as this host (INPUT: as the traced one); 0: messages alone.",
)
@click.option(
    "--mpi",
    "mpi_library",
    type=click.Choice(["openmpi", "mpich"]),
    help="Whose rules say how collectives travel. Default: the profile's, else openmpi.",
)
@click.option(
    "--timeout", "timeout_s", type=click.FloatRange(min=1), default=300, help="s, then a run is ended."
)
@FORMAT_OPTION
@click.option("--list", "list_engines", is_flag=True, help="All engines.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.argument("input_path", required=False, metavar="(INPUT | -- APP ...)")
@click.pass_context
def command(
    ctx: click.Context,
    engine_name: str | None,
    spec: str | None,
    paths: tuple[Path, ...],
    n_ranks: int | None,
    repeats: int | None,
    compute_factor: float,
    mpi_library: MpiLibrary | None,
    timeout_s: float,
    format: str | None,
    list_engines: bool,
    as_json: bool,
    input_path: str | None,
) -> int:
    """Say how long a program takes on a machine that isn't here.

    INPUT is a profile or a matrix. APP is the program itself with its arguments, without a launcher; its
    output goes to standard error. Engines differ in what they take (--list); without --engine it is the
    first that takes what is given. Exit code 1 when a run failed.
    """
    from corewise import machines
    from corewise.cli.listing import print_rows
    from corewise.cli.progress import status_line
    from corewise.nouns.simulation import FORMAT, VERSION
    from corewise.simulation import ENGINES, Request, engine_for

    if list_engines:
        print_rows({name: engine.sentence for name, engine in ENGINES.items()}, as_json)
        return 0
    argv = ctx.meta[_PROGRAM]
    if not spec or bool(argv) == bool(input_path):
        raise click.UsageError("expected --machine M and either INPUT or -- APP ... (or --list)")
    recorded = _recorded(input_path, n_ranks, format) if input_path else None
    engine = engine_for(recorded.subject if recorded else "program", engine_name)
    machine = machines.load(spec)
    placements = _placements(machine, paths, recorded.n_ranks if recorded else n_ranks, input_path)
    n_repeats = repeats or engine.n_repeats
    with status_line() as show:
        request = Request(
            machine,
            placements,
            argv,
            recorded,
            n_repeats=n_repeats,
            timeout_s=timeout_s,
            compute_factor=compute_factor,
            mpi_library=mpi_library,
            output=sys.stderr,
            say=lambda run: show(f"{engine.name}: run {run.n_done + 1} of {n_repeats * len(placements)}"),
        )
        simulation = engine.run(request)
    results = [
        _result(engine, label, placements[label], simulation)
        | {"scores": _scores(recorded, machine, placements[label])}
        for label in simulation.runs
    ]
    notes = [*simulation.notes, *(_notes(recorded, machine) if recorded else [])]
    whole = {"format": FORMAT, "version": VERSION, "machine": machine.name, "notes": notes}
    if as_json:
        click.echo(json_text(whole | (results[0] if len(paths) < 2 else {"runs": results})))
    else:
        click.echo("\n".join([*_lines(engine, results), "", *notes]))
    return 0 if all(result["n_failed"] == 0 for result in results) else 1


def _recorded(path: str, n_ranks: int | None, format: str | None) -> Recorded:
    """What INPUT holds; raises InputError where it is a program."""
    import os

    from corewise.errors import InputError
    from corewise.profile.inputs import read_input
    from corewise.simulation import Recorded

    if n_ranks is not None:
        raise click.UsageError("-n is for APP in block order; INPUT says its ranks itself")
    if os.path.isfile(path) and os.access(path, os.X_OK):
        raise InputError(f"{path}: is a program; expected a profile or a matrix, or -- before the program")
    return Recorded(path, read_input(path, form=format))


def _placements(
    machine: Machine, paths: tuple[Path, ...], n_ranks: int | None, input_path: str | None
) -> dict[str, PlacementFile]:
    """By the file's name without its ending; all on the machine, of as many ranks, INPUT's where it is given.

    A name that was there already gets a number: z.json and other/z.json are "z" and "z-2".
    """
    from corewise.errors import InputError
    from corewise.mapping.placement_input import read_placement_input
    from corewise.model import Placement
    from corewise.nouns.placement import PlacementFile

    if not paths:
        n_ranks = n_ranks or machine.n_cores
        if n_ranks > machine.n_cores:
            raise InputError(f"found {n_ranks} ranks for {machine.n_cores} cores; expected at most as many")
        return {"block": PlacementFile.of(Placement.from_cores(list(range(n_ranks))), machine)}
    if n_ranks is not None and input_path is None:
        raise click.UsageError("-n is for block order; a placement says its ranks itself")
    placements: dict[str, PlacementFile] = {}
    for path in paths:
        file = read_placement_input(path, lambda: machine)
        file.on(machine)
        first = next(iter(placements.values()), file)
        expected, of = (n_ranks, input_path) if input_path else (first.n_ranks, "the first placement")
        if file.n_ranks != expected:
            raise InputError(f"{path}: has {file.n_ranks} ranks; expected the {expected} ranks of {of}")
        label, number = path.stem, 1
        while label in placements:
            number += 1
            label = f"{path.stem}-{number}"
        placements[label] = file
    return placements


def _result(engine: Engine, label: str, placement: PlacementFile, simulation: Simulation) -> dict[str, Any]:
    """What the contract has for one placement; times are null where every run failed."""
    from statistics import median

    from corewise.statistics import median_interval

    runs = simulation.runs[label]
    times = [run.time_s for run in runs if run.time_s is not None]
    in_mpi = [run.mpi_s for run in runs if run.time_s is not None and run.mpi_s is not None]
    interval = simulation.intervals.get(label) or (median_interval(times) if times else None)
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


def _scores(recorded: Recorded | None, machine: Machine, placement: PlacementFile) -> dict[str, float]:
    """The objective `time` of a recorded job, as map, score, advise and tune print it; {} without figures."""
    from corewise import model

    if recorded is None or not machine.has_figures:
        return {}
    return {"time": model.evaluate("time", recorded.found.traffic, machine, placement.on(machine))[0]}


# What a makespan holds that the objective `time` does not, by what it is computed from.
_BEYOND_TIME = {
    "matrix": "The makespan lets both directions pass at once.",
    "counted profile": "The makespan lets both directions pass at once, and holds collectives and computing.",
    "events profile": "The makespan is that of a replay in the order of the calls, with computing, "
    "waiting and collectives.",
}


def _notes(recorded: Recorded, machine: Machine) -> list[str]:
    """How the objective's figure and the makespan go together, and what a trace can't tell."""
    from corewise.profile.threads import crowded_host
    from corewise.text.quantities import counted

    notes = []
    if machine.has_figures:
        notes.append(
            "'time' is the objective that map, score, advise and tune print: messages from point to point "
            f"alone, both directions of a link added. {_BEYOND_TIME[recorded.subject]}"
        )
    crowd = recorded.found.profile and crowded_host(recorded.found.profile)
    if crowd:
        notes.append(
            f"The trace had {crowd.n_ranks} ranks on {counted(crowd.n_pus, 'hardware thread')} of host "
            f"{crowd.host}: what it recorded as computing holds waiting for a core. --compute-factor 0 "
            "leaves messages alone."
        )
    return notes


def _lines(engine: Engine, results: list[dict[str, Any]]) -> list[str]:
    from corewise.text.quantities import confidence_text, seconds_text
    from corewise.text.table import text_table

    rows = []
    for result in results:
        time = seconds_text(result["scores"]["time"]) if result["scores"] else "-"
        if result["interval_s"] is None:
            rows.append((result["placement"], "-", "every run failed", "-", time))
            continue
        low, high = (seconds_text(bound) for bound in result["interval_s"])
        spread = "-" if result["confidence"] == 0 else f"{low} to {high}"
        if result["confidence"]:
            spread += f" ({confidence_text(result['confidence'])})"
        in_mpi = "-" if result["comm_s"] is None else seconds_text(result["comm_s"])
        rows.append((result["placement"], seconds_text(result["makespan_s"]), spread, in_mpi, time))
    title = f"Times, {engine.source}, from MPI_Init to MPI_Finalize"
    heads = ["<placement", ">makespan", "<interval", ">in MPI", ">time"]
    if not any(result["scores"] for result in results):
        return text_table(title, heads[:-1], [row[:-1] for row in rows])
    return text_table(title, heads, rows)
