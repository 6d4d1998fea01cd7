"""--submit and --job-options, which run the same command as a job of a batch system."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from corewise.cli.help import GroupedCommand

Command = TypeVar("Command", bound=Callable[..., Any])

_SUBMIT, _JOB_OPTIONS = "--submit", "--job-options"
_WORDS = "corewise.words"  # key of a context's words (Resubmitted)


@dataclass(frozen=True)
class SubmitTo:
    """The batch system to submit to, and the user's own options for its jobs."""

    system: str
    options: list[str]


def submit_options(command: Command) -> Command:
    """Adds both options: the keyword `submit_to`, None without --submit."""
    for option in (
        click.option(
            _JOB_OPTIONS,
            callback=_split,
            expose_value=False,
            is_eager=True,
            metavar="TEXT",
            help='With --submit: options of sbatch, for example "--nodes=2 --time=01:00:00".',
        ),
        click.option(
            _SUBMIT,
            "submit_to",
            callback=_submit_to,
            type=click.Choice(["slurm"]),
            help="Run as a job of this batch system, on exclusive nodes.",
        ),
    ):
        command = option(command)
    return command


def _split(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
    try:
        ctx.meta[_JOB_OPTIONS] = None if text is None else shlex.split(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} can't be split into words ({error})") from error


def _submit_to(ctx: click.Context, param: click.Parameter, system: str | None) -> SubmitTo | None:
    options = ctx.meta.get(_JOB_OPTIONS)
    if system is None and options is not None:
        raise click.UsageError(f"{_JOB_OPTIONS} is for {_SUBMIT}; expected both, or none of them")
    return None if system is None else SubmitTo(system, options or [])


class Resubmitted(GroupedCommand):
    """A command that can start itself again in a job, because it stores its command line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = list(args)
        return super().parse_args(ctx, args)


def words_in_job(ctx: click.Context, n_operands: int) -> list[str]:
    """The command's own words without those of submit_options(); the last `n_operands` stay unread."""
    words: list[str] = ctx.meta[_WORDS]
    at = len(words) - n_operands
    kept, options = [], iter(words[:at])
    for word in options:
        name, equals, _ = word.partition("=")
        if name not in (_SUBMIT, _JOB_OPTIONS):
            kept.append(word)
        elif not equals:
            next(options)
    return [*kept, *words[at:]]


def this_command(*words: str) -> list[str]:
    """`corewise WORDS` for a job, where PATH may differ: with the path of this Python."""
    return [sys.executable, "-m", "corewise", *words]
