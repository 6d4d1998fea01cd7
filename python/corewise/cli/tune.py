"""`corewise tune`: the main job. Does placement matter for this program, which one is best, did it help?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli import completing
from corewise.cli.options import (
    BINDING_NAMES,
    JSON_BESIDE_OUTPUT,
    machine_option,
    repeat_time_option,
    repeats_option,
)
from corewise.cli.progress import status_line
from corewise.cli.request_options import request_options, traffic_options
from corewise.cli.submit_options import (
    Resubmitted,
    SubmitTo,
    submit_options,
    this_command,
    words_in_job,
)
from corewise.errors import INTERRUPTED
from corewise.text.escaping import json_text
from corewise.text.quantities import confidence_text, counted, percent_text, seconds_text

if TYPE_CHECKING:
    from corewise.execute.repeats import Progress
    from corewise.nouns.gain import MeasuredGain
    from corewise.nouns.tune_result import TuneResult

BINDINGS = {
    True: "every rank as wanted",
    False: "NOT as wanted, see the report",
    None: "not known in some runs, see the report",
}

EXAMPLE = """\b
Example:
  corewise tune -- mpirun -n 8 ./app input
  corewise tune --submit slurm --job-options "--nodes=2 --time=01:00:00" -- srun -n 8 ./app input
"""

# Slurm warns the script two minutes before the job's time is up: tune then ends with a report of what it has.
_JOB = """\
#!/bin/bash
#SBATCH --job-name=corewise-tune
#SBATCH --exclusive
#SBATCH --signal=B:TERM@120
#SBATCH --output="{output}"
exec {command}
"""


@click.command("tune", cls=Resubmitted, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
@machine_option("With M nothing is run under a placement.", default=None)
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new folder for all results; corewise-tune, corewise-tune-2, ... otherwise.",
)
@repeats_option("In rounds of random order; otherwise their spread decides. An answer needs 6 or more.")
@repeat_time_option("repeat_time_s", "[default: 30, or six rounds]")
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="PROFILE",
    help="Trace nothing: go on from a profile recorded earlier, as trace -o or an interrupted tune left it.",
)
@click.option(
    "--binding",
    "bindings",
    multiple=True,
    type=click.Choice([*BINDING_NAMES, "none"]),
    help="Also run the best placement with ranks bound to the object around their cores, or (none) the "
    "default with ranks free on their nodes. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Trace, advise and map; run nothing under a placement.")
@request_options
@traffic_options
@submit_options
@JSON_BESIDE_OUTPUT
@click.argument(
    "argv",
    nargs=-1,
    required=True,
    type=click.UNPROCESSED,
    shell_complete=completing.command_words,
    metavar="-- LAUNCHER ... APP ...",
)
def command(submit_to: SubmitTo | None, as_json: bool, argv: tuple[str, ...], **asked: Any) -> int:
    """Trace a program, find its best placement, run it under that, verify every binding, write a report.

    A command that maps or binds by itself is the default to beat: placed runs are started without that.

    DIR holds report.html, tune.json, the placements (default, best, worst), the profile and every run. Every
    run gets the standard input of tune, unless that is a terminal: then it is empty.

    Ctrl-C and SIGTERM keep the profile and the runs that have ended, with a report of them, and exit with
    130; while tracing they leave nothing. Exit code 1 when a binding differs or a run fails.
    """
    if submit_to is not None:
        return _submitted(submit_to, asked["folder"], len(argv), as_json)
    from corewise.cli.progress import with_progress
    from corewise.pipeline import Listener, tune

    with status_line() as show:
        result, where = tune(
            argv,
            machine=asked.pop("spec"),
            output=sys.stderr if as_json else None,
            listener=Listener(
                say=_say if sys.stderr.isatty() else lambda _: None,
                tell=_say,
                say_run=lambda progress: show(f"corewise: {progress_text(progress)}"),
                patiently=with_progress,
            ),
            **asked,
        )
    if as_json:
        click.echo(json_text(result.to_json()))
        _say(f"all results are in {where}")
    else:
        click.echo("\n".join(verdict(result, where)))
    if result.interrupted:
        return INTERRUPTED
    return 1 if result.failures or result.verified is False else 0


def _submitted(submit_to: SubmitTo, folder: Path | None, n_operands: int, as_json: bool) -> int:
    """Submits the same command, and says where its answer will be: without -o a folder with the job's id."""
    from corewise.batch.submitting import submit
    from corewise.errors import InputError
    from corewise.text.escaping import shell_text

    if folder is not None and folder.exists():
        raise InputError(f"{folder} is there already; choose another folder with -o")
    words = words_in_job(click.get_current_context(), n_operands)
    command = shell_text(this_command("tune"))
    command += ' -o "corewise-tune-$SLURM_JOB_ID" ' if folder is None else " "
    output = "corewise-tune-%j.out" if folder is None else str(folder).replace("%", "%%") + ".out"
    job = submit(_JOB.format(output=output, command=command + shell_text(words)), submit_to.options)
    where = (folder or Path(f"corewise-tune-{job}")).absolute()
    if as_json:
        click.echo(json_text({"job": job, "directory": str(where), "output": f"{where}.out"}))
    else:
        click.echo(
            f"Job {job} is submitted. Its answer will be in {where}/report.html and {where}.out; "
            f"`scancel {job}` cancels it."
        )
    return 0


def _say(text: str) -> None:
    click.echo(f"corewise: {text}", err=True)


def progress_text(progress: Progress) -> str:
    """`run 4, best: 12.1 s elapsed, at most 17.9 s left`."""
    left = "" if progress.left_s is None else f", at most {seconds_text(progress.left_s)} left"
    return f"run {progress.n_done + 1}, {progress.label}: {seconds_text(progress.elapsed_s)} elapsed{left}"


def verdict(result: TuneResult, where: Path) -> list[str]:
    """A few lines: what failed, the answer, gains with their intervals, bindings, where the report is."""
    from corewise.nouns.headline import GAIN_FORMULA, SETTINGS_FORMULA, width_formula
    from corewise.page.placement_text import placement_text

    said, advice = result.headline, result.advice
    lines = ["", *result.failures, said.answer, *said.reasons]
    of = "the run" if advice.gain_of == "run" else "communication time"
    lines.append(f"  predicted gain  {advice.gain.text()} of {of}, {advice.gain_formula}")
    lines.append(f"  predicted from  {result.predicted_from}")
    if result.gain:
        lines.append(f"  measured gain   {_measured(result.gain)}, {GAIN_FORMULA}")
    if result.settings_gain:
        lines.append(f"  setting alone   {_measured(result.settings_gain)}, {SETTINGS_FORMULA}")
    for width in result.widths:
        if gain := result.width_gain(width):
            lines.append(f"  {width.label:<15} {_measured(gain)}, {width_formula(width)}")
    n_runs = sum(run.has_processes for run in result.runs)
    n_failed = sum(run.exit_code != 0 for run in result.runs)
    if n_failed and result.verified is None:
        lines.append(f"  bindings        NOT verified: {n_failed} of {n_runs} runs failed")
    elif n_runs:
        lines.append(f"  bindings        {BINDINGS[result.verified]}, in {counted(n_runs, 'run')}")
    lines += [f"  note            {note}" for note in result.notes]
    label = "default" if said.conclusion in ("default is faster", "default is best") else "best"
    ranks = placement_text(result.candidate(label).placement, result.machine.n_nodes > 1)
    free = ", each rank free to move" if label == "default" and result.binding_alone else ""
    lines.append(f"  best placement  {ranks}{free}: {where / label}.json")
    lines.append(f"  report          {where / 'report.html'}")
    return lines


def _measured(gain: MeasuredGain) -> str:
    if gain.n_repeats < 2:
        return f"{percent_text(gain.expected)} of the run, one run of each: no interval"
    of = f"{gain.n_repeats} pairs of runs, {confidence_text(gain.confidence)} confidence"
    return f"{gain.text()} of the run, {of}"
