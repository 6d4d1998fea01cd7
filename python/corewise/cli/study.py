"""`corewise study`: a paper's experiment at the scale that fits here, beside the paper's claims."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from corewise.cli.listing import print_rows
from corewise.cli.sweep import show_progress
from corewise.errors import InputError
from corewise.text.any_bytes import json_text

EXAMPLE = """\b
Example:
  corewise study lavore-fig2
"""


@click.command("study", epilog=EXAMPLE)
@click.argument("name", required=False)
@click.option("--full", is_flag=True, help="More of the paper's scale: nodes, sizes, runs; takes long.")
@click.option("--computed", is_flag=True, help="Compute on the paper's topologies; run nothing.")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the runs and study.html; corewise-study-NAME otherwise.",
)
@click.option(
    "--program",
    metavar="PATH",
    help="Your own build of an emulated study's program, as xhpl; built otherwise.",
)
@click.option("--list", "list_studies", is_flag=True, help="All of them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    name: str | None,
    full: bool,
    computed: bool,
    folder: Path | None,
    program: str | None,
    list_studies: bool,
    as_json: bool,
) -> int:
    """Repeat a paper's experiment here and set it beside the paper's claims.

    Without --full it takes a minute or two, a study that emulates a network about ten. Each claim holds, does
    not hold, or cannot be judged on this machine. Interrupted, the same call goes on. Exit code 1 when a run
    failed or a binding differs.
    """
    from corewise.studies.driver import StudyOptions, run_study
    from corewise.studies.results import text, to_json, write_study
    from corewise.studies.study_file import load_study, study_names

    if list_studies:
        print_rows({row: load_study(row).title for row in study_names()}, as_json)
        return 0
    if name is None:
        raise click.UsageError("expected the NAME of a study (or --list)")
    study = load_study(name)
    if computed and study.threads is None:
        raise InputError(f"{name} computes nothing: all of it is run; leave --computed out")
    folder = (folder or Path(f"corewise-study-{name}{'-full' * full}")).absolute()
    with show_progress() as say:
        result = run_study(study, StudyOptions(folder, full, not computed, program, say, _tell))
    if not computed:
        write_study(result, folder)
    click.echo(json_text(to_json(result)) if as_json else "\n".join(text(result)))
    if result.missing is not None:
        click.echo(f"corewise: nothing was run: {result.missing}", err=True)
        return result.missing.exit_code
    return 1 if result.failed else 0


def _tell(sentence: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"corewise: {sentence}", err=True)
