"""The errors a user sees: one clear sentence each, with the exit code it ends in."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

INTERRUPTED = 130  # the exit code after Ctrl-C, SIGTERM or SIGHUP: 128 + SIGINT, as shells have it


class CorewiseError(Exception):
    """What was found, what was expected, what to do next. `exit_code` is the command line's."""

    exit_code = 2


class InputError(CorewiseError):
    """Bad input or usage: exit code 2."""


class MissingError(CorewiseError):
    """Something needed is not here (a program, a library, a core): exit code 3."""

    exit_code = 3


class Note(UserWarning):
    """What was assumed where an input leaves it open: one sentence, which the command line prints."""


def did_you_mean(wanted: str, names: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the nearest of `names`, or an empty string when none is near."""
    near = difflib.get_close_matches(wanted, list(names), n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
