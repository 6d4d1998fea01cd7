"""`corewise tune`: the main job. Does placement matter for this program, which one is best, did it help?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli.options import (
    BINDING_NAMES,
    JSON_WITH_OUTPUT,
    launcher_argument,
    machine_option,
    output_option,
    repeat_time_option,
    repeats_option,
    request_options,
    traffic_options,
)
from corewise.cli.progress import status_line
from corewise.cli.submit_options import Resubmitted, SubmitTo, submit_options, this_command, words_in_job
from corewise.errors import INTERRUPTED
from corewise.text.escaping import json_text
from corewise.text.quantities import confidence_text, counted, index_text, percent_text, seconds_text

if TYPE_CHECKING:
    from corewise.nouns.advice import MeasuredGain
    from corewise.nouns.placement import Placement
    from corewise.nouns.tune_result import TuneResult
    from corewise.observe.repeats import Progress


BINDINGS = {
    True: "every rank as requested",
    False: "NOT as requested, see the report",
    None: "unknown in some runs, see the report",
}

EXAMPLE = """\b
Example:
  corewise tune -- mpirun -n 8 ./app input
  corewise tune --submit slurm --job-options "--nodes=2 --time=01:00:00" -- srun -n 8 ./app input
"""

# Slurm sends SIGTERM two minutes before the job's time limit; tune then writes a report of the finished runs.
_JOB = """\
#!/bin/bash
#SBATCH --job-name=corewise-tune
#SBATCH --exclusive
#SBATCH --signal=B:TERM@120
#SBATCH --output="{output}"
exec {command}
"""


@click.command("tune", cls=Resubmitted, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
@machine_option("For another machine, no placed run is started.", default=None)
@output_option(
    "folder", "DIR", "New folder for all results. Default: corewise-tune, else corewise-tune-2, ..."
)
@repeats_option("A clear answer needs at least 6. Default: until the interval is narrow enough.")
@repeat_time_option("Default: 30, or six passes.")
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="PROFILE",
    help="Use this profile, of `corewise trace` or of an earlier tune, instead of tracing again.",
)
@click.option(
    "--binding",
    "bindings",
    multiple=True,
    metavar="OBJECT",
    type=click.Choice([*BINDING_NAMES, "none"]),
    help="Also run the best placement bound to a whole core, l3, numa, package or node, or to pu; none: also "
    "run the default unbound. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Trace, advise and map, but start no placed run.")
@request_options
@traffic_options
@submit_options
@JSON_WITH_OUTPUT
@launcher_argument()
def command(submit_to: SubmitTo | None, as_json: bool, argv: tuple[str, ...], **asked: Any) -> int:
    """Find the best placement of a program on this machine, and measure whether it helps.

    Traces one run, computes a placement, runs the program both ways, verifies every binding, and writes
    report.html, tune.json, the placements and the profile to DIR. Mapping and binding options of the command
    apply to the default runs only. Each run gets a copy of standard input, except from a terminal.

    Ctrl-C or SIGTERM keeps the profile and the finished runs, writes their report, and exits with 130. Exit
    code 1: a binding differs from the placement, or a run failed.
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
    """Submits the same command and prints where the answer will be; the default folder has the job's ID."""
    from corewise.batch.submitting import submit
    from corewise.errors import InputError
    from corewise.text.escaping import shell_text

    if folder is not None and folder.exists():
        raise InputError(f"{folder} already exists; choose another folder with -o")
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
    """The lines for people: failures, the answer, gains with intervals, bindings, and the report's path."""
    from corewise.nouns.headline import GAIN_FORMULA, SETTINGS_FORMULA, width_formula

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


MOST_PIECES = 6  # to fit a terminal's line


def placement_text(placement: Placement, names_node: bool) -> str:
    """`ranks 0-3 on cores 0-3, rank 4 on core 6`, with cores numbered on the node.

    Consecutive ranks on consecutive cores are one piece. After MOST_PIECES, only the number of ranks is
    given.
    """
    pieces: list[tuple[list[int], int, list[int]]] = []  # (ranks, node, cores)
    for rank, (node, cores) in enumerate(zip(placement.node, placement.cores, strict=True)):
        if pieces and pieces[-1][1] == node and cores[0] == pieces[-1][2][-1] + 1 and _is_run(cores):
            pieces[-1][0].append(rank)
            pieces[-1][2].extend(cores)
        else:
            pieces.append(([rank], node, list(cores)))
    texts = [_piece(ranks, node, cores, names_node) for ranks, node, cores in pieces[:MOST_PIECES]]
    n_left = sum(len(ranks) for ranks, _, _ in pieces[MOST_PIECES:])
    return ", ".join([*texts, *([f"{counted(n_left, 'more rank')}"] if n_left else [])])


def _is_run(cores: list[int]) -> bool:
    return cores == list(range(cores[0], cores[0] + len(cores)))


def _piece(ranks: list[int], node: int, cores: list[int], names_node: bool) -> str:
    where = f" of node {node}" if names_node else ""
    who = f"rank{'s' * (len(ranks) > 1)} {index_text(ranks)}"
    return f"{who} on core{'s' * (len(cores) > 1)} {index_text(cores)}{where}"
