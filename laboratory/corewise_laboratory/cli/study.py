"""`corewise study`: repeats a paper's experiment on this machine and judges the paper's claims."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_rows
from corewise.cli.options import json_option
from corewise.errors import CorewiseError, InputError
from corewise.files.whole_file import write_whole
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise_laboratory.studies.study import Judged, Options, Study

EXAMPLE = """\b
Example:
  corewise study zhang-fig5
"""


@click.command("study", cls=GroupedCommand, epilog=EXAMPLE)
@click.argument("name", required=False)
@click.option("--all", "all_studies", is_flag=True, help="Run all studies, even after one fails.")
@click.option("--full", is_flag=True, help="Run more of the paper's nodes, sizes and runs. This takes long.")
@click.option("--computed", is_flag=True, help="Only compute: start no program.")
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the runs. Default: corewise-study-NAME, or corewise-studies with --all.",
)
@click.option(
    "--program",
    metavar="PATH",
    help="Your own build of an emulated study's program, for example xhpl. Default: corewise builds it.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Your own traces, under the names of the stored inputs.",
)
@click.option(
    "--table",
    is_flag=False,
    flag_value="-",
    metavar="[FILE.md]",
    help="With --all: print the table of all claims of the papers, with counts, or write it to this file.",
)
@click.option("--list", "list_studies", is_flag=True, help="List the studies.")
@json_option()
def command(
    name: str | None,
    all_studies: bool,
    full: bool,
    computed: bool,
    folder: Path | None,
    program: str | None,
    data: Path | None,
    table: str | None,
    list_studies: bool,
    as_json: bool,
) -> int:
    """Repeat a paper's experiment here and compare it with the paper's claims.

    NAME is a study, such as zhang-fig5, or a paper (lavore, leng, scogland, zhang) for all of its studies. A
    study that only computes takes seconds or minutes, one that runs programs a minute or two without --full,
    one that emulates a network about ten. Each claim holds, does not hold, is fitted (a value that was chosen
    for it is among its inputs), or cannot be judged here. Interrupted, the same call continues. Exit code 1
    when a run failed, a binding differs, or one of several studies failed.
    """
    from corewise_laboratory.studies import papers
    from corewise_laboratory.studies.study import Options, refuse_program

    if list_studies:
        print_rows({row: study.title for row, study in papers.all_studies().items()}, as_json)
        return 0
    if (name is None) != all_studies:
        raise click.UsageError("expected the NAME of a study or --all (or --list)")
    if table is not None and not all_studies:
        raise click.UsageError("--table is for --all")
    studies = list(papers.all_studies().values()) if name is None else papers.named_studies(name)
    folder = (folder or Path(f"corewise-{f'study-{name}' if name else 'studies'}{'-full' * full}")).absolute()
    options = Options(folder, full, not computed, program, data, _tell)
    if name is None or len(studies) > 1:
        if program is not None:
            raise click.UsageError("--program is for one study")
        return _run_all(studies, options, table, as_json)
    refuse_program(studies[0], options)
    return _run_one(studies[0], options, as_json)


def _run_one(study: Study, options: Options, as_json: bool) -> int:
    from corewise_laboratory.studies.page import document, text
    from corewise_laboratory.studies.study import run_study

    if not options.started and all(runs.starts for runs in study.runs.values()):
        raise InputError(f"{study.name} computes nothing: all of it is run; leave --computed out")
    judged = run_study(study, options)
    click.echo(json_text(document(judged)) if as_json else "\n".join(text(judged)))
    for runs, error in judged.missing.items():
        click.echo(f"corewise: {runs}: nothing was run: {error}", err=True)
    if judged.missing:
        return next(iter(judged.missing.values())).exit_code
    return 1 if judged.failed else 0


def _run_all(studies: list[Study], options: Options, table: str | None, as_json: bool) -> int:
    """Runs every study in the folder of its name; continues after a study that fails."""
    from corewise_laboratory.studies.page import claims_page, document
    from corewise_laboratory.studies.study import run_study

    found: dict[str, Judged] = {}
    problems: dict[str, str] = {}
    for study in studies:
        try:
            own = replace(options, folder=options.folder / study.name)
            judged = found[study.name] = run_study(study, own)
        except CorewiseError as error:
            problems[study.name] = str(error)
            continue
        if judged.missing:
            problems[study.name] = "; ".join(f"{runs}: {lacks}" for runs, lacks in judged.missing.items())
        elif judged.failed:
            problems[study.name] = "a run failed, or a binding wasn't the one that was asked for"
    if table not in (None, "-"):
        write_whole(Path(table), claims_page(found))
    if as_json:
        documents = {name: document(judged) for name, judged in found.items()}
        click.echo(json_text({"studies": documents, "problems": problems}))
    elif table == "-":
        click.echo(claims_page(found), nl=False)
    else:
        for name, judged in found.items():
            counts = Counter(verdict.outcome for verdict in judged.verdicts)
            click.echo(f"{name}: {', '.join(f'{words}: {n}' for words, n in counts.items()) or 'no claims'}")
    for name, problem in problems.items():
        click.echo(f"corewise: study {name}: {problem}", err=True)
    return 1 if problems else 0


def _tell(sentence: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"corewise: {sentence}", err=True)
