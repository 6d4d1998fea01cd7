"""corewise report: the HTML page of a tune, or of several runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.errors import InputError
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.nouns.run import Run
    from corewise.nouns.simulation import SimulationFile
    from corewise.page import SteeredLog

LOG_ENDING = ".steer-log"


@click.command(epilog="Example:  corewise report tune-out -o report.html")
@click.argument("inputs", metavar="RUN ...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "output",
    metavar="FILE.html",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="The page to write; a file there that is no such page is left alone.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(inputs: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Write the HTML page of RUN: the folder or tune.json that `corewise tune` left, or run files.

    Several run files (corewise run --json > NAME.json) and simulations (corewise simulate --json > NAME.json)
    are set side by side; those of one label and source are repeats. Logs of corewise steer (NAME.steer-log),
    alone or beside them, are drawn with their decisions. The page is one file that loads nothing else.
    """
    from datetime import datetime, timezone

    from corewise.nouns.tune_result import is_tune, read_tune
    from corewise.page import runs_page, tune_page, write_page

    logs = [path for path in inputs if path.suffix == LOG_ENDING]
    others = [path for path in inputs if path.suffix != LOG_ENDING]
    tunes = [path for path in others if is_tune(path)]
    if tunes and len(others) > 1:
        raise InputError(
            f"found a tune ({tunes[0]}) among {len(others)} inputs; expected one tune, or several run files"
        )
    steered = [_steered(path) for path in logs]
    if tunes:
        page = tune_page(read_tune(tunes[0]), steered)
    else:
        runs, simulations = _runs(others)
        date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        page = runs_page(runs, date, steered, simulations)
    write_page(page, output)
    if as_json:
        click.echo(json_text({"report": str(output), "inputs": [str(path) for path in inputs]}))
    else:
        click.echo(f"report: {output}", err=True)


def _runs(paths: list[Path]) -> tuple[list[Run], list[SimulationFile]]:
    """What run files and simulations hold; of several machines, labels of simulations name theirs."""
    from corewise.nouns.run import Run
    from corewise.nouns.simulation import is_simulation, read_simulation

    simulated = [path for path in paths if is_simulation(path)]
    simulations = [read_simulation(path) for path in simulated]
    if len({each.machine for each in simulations}) > 1:
        simulations = [each.named_by_machine() for each in simulations]
    return [Run.read(path) for path in paths if path not in simulated], simulations


def _steered(path: Path) -> SteeredLog:
    from corewise.execute.steer_advice import flow_steering_advice
    from corewise.execute.steer_replay import intervals, replay
    from corewise.page import SteeredLog

    story, seen = replay(path), intervals(path)
    return SteeredLog(str(path), story | {"advice": flow_steering_advice(story, seen)}, seen)
