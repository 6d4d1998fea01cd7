"""Shows progress of long work in a line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Timer
from typing import TypeVar

import click

Result = TypeVar("Result")

LATE_S = 2.0
ERASED_LINE = "\r\x1b[K"  # carriage return, then erase the line (ECMA-48: EL)


def with_progress(message: str, work: Callable[[], Result]) -> Result:
    """Runs `work`; after LATE_S, shows `message` if standard error is a terminal."""
    if not sys.stderr.isatty():
        return work()
    shown = ExitStack()

    def show() -> None:
        from rich.console import Console

        shown.enter_context(Console(stderr=True).status(message))

    timer = Timer(LATE_S, show)
    timer.start()
    try:
        return work()
    finally:
        timer.cancel()
        timer.join()
        shown.close()


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """A function that replaces the text in the line; it does nothing if standard error is no terminal.

    There is no thread that redraws, because it would disturb measurements.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    try:
        yield lambda text: click.echo(ERASED_LINE + text, nl=False, err=True)
    finally:
        click.echo(ERASED_LINE, nl=False, err=True)
