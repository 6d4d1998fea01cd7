"""`corewise sweep`: runs a grid of configurations of any command with repeats and statistics."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from corewise.cli.help import GroupedCommand
from corewise.cli.options import json_option
from corewise.cli.submit_options import SubmitTo, submit_options
from corewise.text.escaping import json_text, shell_text

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
    results.json. Exit code 1 when a run failed.

    With --submit each run is a task of a job array. Call the same command again to collect the results; it
    submits runs that ended without one.
    """
    from dataclasses import asdict

    from corewise.observe.conditions import load_now

    from corewise_laboratory.sweep.results import text, write_results
    from corewise_laboratory.sweep.running import run_sweep
    from corewise_laboratory.sweep.spec import configurations, read_spec
    from corewise_laboratory.sweep.submitting import run_submitted, run_task

    spec = read_spec(spec_path)
    grid = configurations(spec)
    if dry_run:
        lines = [f"{one.label}\n  {shell_text([*_settings(one.environment), *one.argv])}" for one in grid]
        click.echo(json_text([asdict(one) for one in grid]) if as_json else "\n\n".join(lines))
        return 0
    folder = (folder or Path(f"corewise-sweep-{spec_path.stem}")).absolute()
    if task is not None:
        return run_task(spec, grid, folder, task)
    load = load_now()
    try:
        if submit_to is None:
            records = run_sweep(spec, grid, folder, _tell)
            _tell("")
        else:
            found = run_submitted(spec, spec_path, grid, folder, submit_to)
            if isinstance(found, str):
                click.echo(json_text({"directory": str(folder), "state": found}) if as_json else found)
                return 0
            records = found
    except KeyboardInterrupt:
        click.echo(
            f"corewise: the runs so far are in {folder}; the same command continues from there", err=True
        )
        raise
    document = write_results(spec, grid, records, folder, load)
    click.echo(json_text(document) if as_json else "\n".join(text(spec, document, load)))
    return 1 if document["n_failed"] else 0


def _settings(environment: dict[str, str]) -> list[str]:
    """`env NAME=VALUE...`, as words of a shell command."""
    return ["env", *(f"{name}={value}" for name, value in environment.items())] if environment else []


def _tell(sentence: str) -> None:
    """On a terminal, replaces the line that shows which run is next.

    The line is written only between runs: a thread that redraws would disturb measurements.
    """
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{sentence}", err=True, nl=False)
