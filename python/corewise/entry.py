"""Entry point of the command line. Handles signals from the start, even before other modules are imported."""

import os
import signal
from collections.abc import Callable
from types import FrameType

ENDS: dict[signal.Signals, Callable[[int, FrameType | None], None] | signal.Handlers] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}
INTERRUPTED = 130  # as in errors.py, which is not imported yet


def main() -> None:
    """Runs the command line. While it is imported, a signal ends the process at once with exit code 130."""
    early = [number for number, usual in ENDS.items() if signal.getsignal(number) == usual]
    for number in early:
        signal.signal(number, _end)
    _restore_locale()
    from corewise.cli import main as command_line

    for number in early:
        signal.signal(number, ENDS[number])
    command_line()


def _restore_locale() -> None:
    """Restores the user's LC_CTYPE for programs, because Python replaces it in the C locale (PEP 538)."""
    name = b"LC_CTYPE="
    try:
        with open("/proc/self/environ", "rb") as file:
            given = [entry for entry in file.read().split(b"\0") if entry.startswith(name)]
    except OSError:
        return
    if given:
        os.environb[b"LC_CTYPE"] = given[0].removeprefix(name)
    else:
        os.environ.pop("LC_CTYPE", None)


def _end(signum: int, frame: FrameType | None) -> None:
    os.write(2, b"corewise: interrupted\n")
    os._exit(INTERRUPTED)
