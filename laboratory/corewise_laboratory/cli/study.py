"""`corewise study`: repeats a paper's experiment on this machine and judges the paper's claims."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from corewise.errors import InputError
from corewise.plugin.command_line import GroupedCommand, json_option, print_rows
from corewise.plugin.documents import json_text

from corewise_laboratory.cli.sweep import show_progress

if TYPE_CHECKING:
    from corewise_laboratory.studies.kinds.kind import StudyOptions

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
    help="Folder for the runs and study.html. Default: corewise-study-NAME, or corewise-studies with --all. "
    "With --log: take studies that are finished there and whose inputs did not change.",
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
@click.option(
    "--log",
    "reason",
    metavar="REASON",
    help="In the repository, after a change of a model: compute all studies, compare them with the stored "
    "outcomes, and add an entry to docs/evidence/log/model-changes.md.",
)
@click.option(
    "--failed",
    "changed_for",
    multiple=True,
    metavar="CLAIM",
    help="With --log: the change was made because this claim failed; it is fitted from now on. Repeatable.",
)
@click.option(
    "--programs",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE.json",
    help="With --log: outcomes of held-out programs, a JSON object of program and outcome.",
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
    reason: str | None,
    changed_for: tuple[str, ...],
    programs: Path | None,
    list_studies: bool,
    as_json: bool,
) -> int:
    """Repeat a paper's experiment here and compare it with the paper's claims.

    A study that only computes takes seconds or minutes, one that runs programs a minute or two without
    --full, one that emulates a network about ten. Each claim holds, does not hold, is fitted (a value that
    was chosen for it is among its inputs), or cannot be judged here. Interrupted, the same call continues.
    Exit code 1 when a run failed, a binding differs, or with --all a study failed.
    """
    from corewise_laboratory.studies.kinds.kind import StudyOptions

    if list_studies:
        _list(as_json)
        return 0
    if reason is None and (changed_for or programs):
        raise click.UsageError("--failed and --programs are for --log")
    if reason is not None:
        _log(reason, list(changed_for), programs, folder)
        return 0
    if (name is None) != all_studies:
        raise click.UsageError("expected the NAME of a study or --all (or --list)")
    if table is not None and not all_studies:
        raise click.UsageError("--table is for --all")
    folder = (folder or Path(f"corewise-study{'-' + name if name else 's'}{'-full' * full}")).absolute()
    with show_progress() as say:
        options = StudyOptions(folder, full, not computed, program, data, say, _tell)
        return _run_all(options, table, as_json) if name is None else _run_one(name, options, as_json)


def _list(as_json: bool) -> None:
    from corewise_laboratory.studies.study_file import load_study, study_names

    print_rows({row: load_study(row).title for row in study_names()}, as_json)


def _run_one(name: str, options: StudyOptions, as_json: bool) -> int:
    from corewise_laboratory.studies.all_studies import digest_of
    from corewise_laboratory.studies.driver import run_study
    from corewise_laboratory.studies.results import text, write_study
    from corewise_laboratory.studies.study_file import load_study

    study = load_study(name)
    if not options.started and not study.computes:
        raise InputError(f"{name} computes nothing: all of it is run; leave --computed out")
    judged = run_study(study, options)
    if options.started:
        write_study(judged, options.folder, digest_of(name))
    click.echo(json_text(judged.result.to_json()) if as_json else "\n".join(text(judged)))
    for runs, error in judged.missing.items():
        click.echo(f"corewise: {runs}: nothing was run: {error}", err=True)
    if judged.missing:
        return next(iter(judged.missing.values())).exit_code
    return 1 if judged.failed else 0


def _run_all(options: StudyOptions, table: str | None, as_json: bool) -> int:
    from corewise.plugin.documents import write_whole

    from corewise_laboratory.studies.all_studies import run_all
    from corewise_laboratory.studies.claims_page import claims_page

    if options.program is not None:
        raise click.UsageError("--program is for one study")
    results = run_all(options)
    if table not in (None, "-"):
        write_whole(Path(table), claims_page(results.found))
    if as_json:
        studies = {name: result.to_json() for name, result in results.found.items()}
        click.echo(json_text({"studies": studies, "problems": results.problems}))
    elif table == "-":
        click.echo(claims_page(results.found), nl=False)
    else:
        for name, result in results.found.items():
            counts = Counter(claim.outcome for claim in result.claims)
            click.echo(f"{name}: {', '.join(f'{words}: {n}' for words, n in counts.items())}")
        click.echo(f"pages: {options.folder}/*/study.html")
    for name, problem in results.problems.items():
        click.echo(f"corewise: study {name}: {problem}", err=True)
    return 1 if results.problems else 0


def _log(reason: str, changed_for: list[str], programs: Path | None, folder: Path | None) -> None:
    """Computes the studies without a finished result in `folder`, and logs changed outcomes."""
    from corewise.plugin.documents import read_json

    from corewise_laboratory.studies.all_studies import run_all
    from corewise_laboratory.studies.kinds.kind import StudyOptions
    from corewise_laboratory.studies.model_changes import check_installed, log_change

    check_installed(Path.cwd())
    judged = read_json(programs, "outcomes of programs").values if programs else {}
    with TemporaryDirectory() as empty:
        results = run_all(StudyOptions(folder or Path(empty), started=False, tell=_tell))
    for name, problem in results.problems.items():
        raise InputError(
            f"study {name}: {problem}; expected every study to be computed before a change is logged"
        )
    click.echo(log_change(Path.cwd(), results.found, judged, reason, changed_for))


def _tell(sentence: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"corewise: {sentence}", err=True)
