"""`corewise tune`: the main job. Does placement matter for this program, which one is best, did it help?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.request_options import request_asked, request_options, traffic_options
from corewise.errors import INTERRUPTED
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.files.tune import TuneResult
    from corewise.model import GainInterval
    from corewise.statistics import MeasuredGain

OWN_OPTIONS = ("machine", "earlier", "folder", "n_repeats", "dry_run", "phases", "layer")
BINDINGS = {
    True: "every rank as wanted",
    False: "NOT as wanted, see the report",
    None: "not known in some runs, see the report",
}

EXAMPLE = """\b
Example:
  corewise tune -- mpirun -n 8 ./app input
"""


@click.command("tune", epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
@click.option(
    "--machine", metavar="M", help="Map for M instead of this machine; nothing is run under a placement."
)
@click.option(
    "-o",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A new folder for all results; corewise-tune, corewise-tune-2, ... otherwise.",
)
@click.option(
    "--repeats",
    "n_repeats",
    default=3,
    show_default=True,
    type=click.IntRange(min=1),
    help="Runs of each placement, interleaved.",
)
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="PROFILE",
    help="Trace nothing: go on from a profile recorded earlier, as trace -o or an interrupted tune left it.",
)
@click.option("--dry-run", is_flag=True, help="Trace, advise and map; run nothing under a placement.")
@request_options
@traffic_options
@click.option(
    "--json", "as_json", is_flag=True, help="One document; the program's output goes to standard error."
)
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- LAUNCHER ... APP ...")
def command(as_json: bool, argv: tuple[str, ...], **asked) -> int:
    """Trace a program, find its best placement, run it under that, verify every binding, write a report.

    A command that maps or binds by itself is the default to beat: placed runs are started without that.

    DIR holds report.html, tune.json, the placements (default, best, worst), the profile and every run. Every
    run gets the standard input of tune, unless that is a terminal: then it is empty.

    Ctrl-C and SIGTERM keep the profile and the runs that have ended, with a report of them, and exit with
    130; while tracing they leave nothing. Exit code 1 when a binding differs or a run fails.
    """
    from corewise.cli.progress import with_progress
    from corewise.pipeline import TuneOptions, tune
    from corewise.report.failures import failures

    own = {name: asked.pop(name) for name in OWN_OPTIONS}
    options = TuneOptions(
        **own,
        request=request_asked(**asked),
        output=sys.stderr if as_json else None,
        say=_say if sys.stderr.isatty() else lambda _: None,
        patiently=with_progress,
    )
    result, where = tune(list(argv), options)
    if as_json:
        click.echo(json_text(to_json(result, where)))
    else:
        click.echo("\n".join(verdict(result, where)))
    if result.interrupted:
        return INTERRUPTED
    return 1 if failures(result) or result.verified is False else 0


def _say(text: str) -> None:
    click.echo(f"corewise: {text}", err=True)


def to_json(result: TuneResult, where: Path) -> dict:
    """The answers; the whole result is in tune.json."""
    from corewise.report.failures import failures

    gain = {name: getattr(result.advice.gain, name) for name in ("low", "expected", "high")}
    measured = result.gain and {
        name: getattr(result.gain, name) for name in (*gain, "n_repeats", "confidence")
    }
    return {
        "matters": result.advice.matters,
        "gain": gain,
        "ratio": result.advice.ratio,
        "because": result.advice.because,
        "measured_gain": measured,
        "verified": result.verified,
        "failures": failures(result),
        "interrupted": result.interrupted,
        "candidates": {
            c.label: {"scores": c.scores, "wall_s": c.wall_s("measured")} for c in result.candidates
        },
        "notes": result.notes,
        "directory": str(where),
        "report": str(where / "report.html"),
    }


def verdict(result: TuneResult, where: Path) -> list[str]:
    """A few lines: what failed, the answer, gains with their intervals, bindings, where the report is."""
    from corewise.report.failures import failures

    advice = result.advice
    answer = {"yes": "Placement matters", "no": "Leave it alone", "unsure": "Unsure"}[advice.matters]
    lines = ["", *failures(result), f"{answer}: {advice.because}."]
    lines.append(f"  predicted gain  {_gain(advice.gain)}, gain = 1 - t_best / t_default (computed)")
    if result.gain:
        lines.append(f"  measured gain   {_measured(result.gain)} (wall-clock time)")
    n_runs = sum(run.has_processes for run in result.runs)
    n_failed = sum(run.exit_code != 0 for run in result.runs)
    if n_failed and result.verified is None:
        lines.append(f"  bindings        NOT verified: {n_failed} of {n_runs} runs failed")
    elif n_runs:
        lines.append(f"  bindings        {BINDINGS[result.verified]}, in {n_runs} runs")
    lines += [f"  note            {note}" for note in result.notes]
    lines.append(f"  report          {where / 'report.html'}")
    return lines


def _measured(gain: MeasuredGain) -> str:
    if gain.n_repeats < 2:
        return f"{gain.expected:+.1%}, one run of each: no interval"
    return f"{_gain(gain)}, {gain.confidence:.0%} interval of {gain.n_repeats} repeats"


def _gain(gain: GainInterval | MeasuredGain) -> str:
    return f"{gain.expected:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}]"
