"""`corewise sweep`: runs a grid of configurations of any command with repeats, statistics and figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from corewise.plugin.batch import SubmitTo, submit_options
from corewise.plugin.command_line import GroupedCommand, json_option
from corewise.plugin.documents import json_text, shell_text

if TYPE_CHECKING:
    from corewise_laboratory.sweep.grid import Configuration
    from corewise_laboratory.sweep.running import Say
    from corewise_laboratory.sweep.spec import SweepSpec

EXAMPLE = """\b
Example:
  corewise sweep places.toml -o places
  corewise sweep places.toml --submit slurm --job-options "--nodes=2 --partition=short"
"""


@click.command("sweep", cls=GroupedCommand, epilog=EXAMPLE)
@click.argument("spec_path", type=click.Path(path_type=Path), metavar="SPEC.toml")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the runs and results. Default: corewise-sweep-SPEC.",
)
@click.option("--dry-run", is_flag=True, help="Print the command of every configuration, but run nothing.")
@submit_options
@click.option(
    "--task", type=int, metavar="N", hidden=True, help="In a job of --submit: the run of that number."
)
@json_option()
def command(
    spec_path: Path,
    folder: Path | None,
    dry_run: bool,
    submit_to: SubmitTo | None,
    task: int | None,
    as_json: bool,
) -> int:
    """Run a grid of configurations of any program, repeated in random order.

    SPEC.toml names axes with values, and a command and an environment that they are put into
    (docs/reference/sweep.md).
    Every run is written to DIR as it ends: interrupted, the same call continues from there. DIR then holds
    results.json, the figures and sweep.html. Exit code 1 when a run failed.

    With --submit each run is a task of a job array. The command waits for the runs; after Ctrl-C the jobs
    stay, and the same command waits again.
    """
    from corewise.plugin.execution import load_now

    from corewise_laboratory.sweep.grid import configurations
    from corewise_laboratory.sweep.results import text, to_json, write_results
    from corewise_laboratory.sweep.running import run_sweep
    from corewise_laboratory.sweep.spec import read_spec
    from corewise_laboratory.sweep.submitting import run_submitted, run_task

    spec = read_spec(spec_path)
    grid = configurations(spec)
    if dry_run:
        _print_grid(spec, grid, as_json)
        return 0
    folder = (folder or Path(f"corewise-sweep-{spec_path.stem}")).absolute()
    if task is not None:
        return run_task(spec, grid, folder, task)
    load = load_now()
    try:
        with show_progress() as say:
            if submit_to is None:
                records = run_sweep(spec, grid, folder, say)
            else:
                records = run_submitted(spec, spec_path, grid, folder, submit_to, say, _tell)
    except KeyboardInterrupt:
        click.echo(
            f"corewise: the runs so far are in {folder}; the same command continues from there", err=True
        )
        raise
    result = write_results(spec, grid, records, folder, load)
    click.echo(json_text(to_json(result)) if as_json else "\n".join(text(result)))
    return 1 if result.n_failed else 0


def _tell(sentence: str) -> None:
    click.echo(f"corewise: {sentence}", err=True)


def _print_grid(spec: SweepSpec, grid: list[Configuration], as_json: bool) -> None:
    from dataclasses import asdict

    from corewise.plugin.documents import counted

    from corewise_laboratory.sweep.grid import planned_runs

    n_runs = len(planned_runs(len(grid), spec.protocol))
    if as_json:
        document = {"name": spec.name, "n_runs": n_runs, "configurations": [asdict(entry) for entry in grid]}
        click.echo(json_text(document))
        return
    click.echo(f"{spec.name}: {counted(len(grid), 'configuration')}, {counted(n_runs, 'run')}")
    for entry in grid:
        settings = [f"{name}={shell_text([value])}" for name, value in entry.environment.items()]
        click.echo(f"\n{entry.label}\n  {' '.join([*settings, shell_text(entry.argv)])}")


@contextmanager
def show_progress() -> Iterator[Say]:
    """On a terminal, shows a progress bar with configuration and remaining time.

    It is drawn only between runs: a thread that redraws would disturb measurements.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=None)
        yield lambda progress: bar.update(
            task,
            completed=progress.done,
            total=progress.total,
            description=progress.configuration.label,
            refresh=True,
        )
