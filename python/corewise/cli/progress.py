"""Long work in the core: a line on a terminal after two seconds, and Ctrl-C that is heard."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_QUIET_S = 2.0


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


def _wait(worker: threading.Thread) -> None:
    while worker.is_alive():
        worker.join(0.2)  # a plain join() would not let Ctrl-C in
