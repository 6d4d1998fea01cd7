"""Long work: a line on a terminal that says where it is, and Ctrl-C that is heard."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

Result = TypeVar("Result")

_QUIET_S = 2.0
ERASED_LINE = "\r\x1b[K"  # to the first column, then erase (ECMA-48: EL)


def with_progress(message: str, work: Callable[[], Result]) -> Result:
    """Runs `work` beside the main thread, which stays free for Ctrl-C; shows `message` after two seconds.

    Nothing is shown where standard error is no terminal. What `work` raises is raised here.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # carried over to the main thread
            errors.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(_QUIET_S)
    if worker.is_alive() and sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(message):
            _wait(worker)
    _wait(worker)
    if errors:
        raise errors[0]
    return results[0]


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


def _wait(worker: threading.Thread) -> None:
    while worker.is_alive():
        worker.join(0.2)  # a plain join() would not let Ctrl-C in
