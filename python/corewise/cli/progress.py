"""Long work: a line on a terminal that says where it is, and Ctrl-C that is heard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import click

from corewise.interrupts import Result, interruptible

ERASED_LINE = "\r\x1b[K"  # to the first column, then erase (ECMA-48: EL)


def with_progress(message: str, work: Callable[[], Result]) -> Result:
    """Runs `work` where Ctrl-C is heard; shows `message` after two seconds.

    Nothing is shown where standard error is no terminal. What `work` raises is raised here.
    """

    def status() -> AbstractContextManager[object]:
        if not sys.stderr.isatty():
            return nullcontext()
        from rich.console import Console

        return Console(stderr=True).status(message)

    return interruptible(work, when_late=status)


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """A function that shows a text in place of the one before; nothing where standard error is no terminal.

    It draws only when it is called: a thread that redraws would take time from what is measured.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    try:
        yield lambda text: click.echo(ERASED_LINE + text, nl=False, err=True)
    finally:
        click.echo(ERASED_LINE, nl=False, err=True)
