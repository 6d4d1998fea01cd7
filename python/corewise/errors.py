"""The errors a user sees: one clear sentence each, with the exit code it ends in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import SequenceMatcher
from os import PathLike, fspath

INTERRUPTED = 130  # the exit code after Ctrl-C, SIGTERM or SIGHUP: 128 + SIGINT, as shells have it


class CorewiseError(Exception):
    """What was found, what was expected, what to do next. `exit_code` is the command line's."""

    exit_code = 2


class InputError(CorewiseError):
    """Bad input or usage: exit code 2.

    `path` is the file that is wrong, `line` its line (from 1), and `field` the key, as in "nodes[2].cores".
    Each is None where the error isn't about one. The sentence begins with path and line.
    """

    def __init__(
        self,
        sentence: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        self.path = None if path is None else fspath(path)
        self.line = line
        self.field = field
        place = " ".join(filter(None, [self.path, "" if line is None else f"line {line}"]))
        super().__init__(f"{place}: {sentence}" if place else sentence)


class MissingError(CorewiseError):
    """Something needed is not here (a program, a library, a core): exit code 3."""

    exit_code = 3


class RunError(CorewiseError):
    """A program, a simulation or a measurement that was started did not reach its end: exit code 1."""

    exit_code = 1


class Note(UserWarning):
    """What was assumed where an input leaves it open: one sentence, which the command line prints."""


_typed = ContextVar("_typed", default=False)


@contextmanager
def options_typed() -> Iterator[None]:
    """While it lasts, option() names options as the command line does."""
    token = _typed.set(True)
    try:
        yield
    finally:
        _typed.reset(token)


def option(name: str, value: str | float | None = None, *, keyword: str | None = None) -> str:
    """An option as the user of this process gives it: `--effort fast`, or from Python `effort="fast"`.

    `name` is that of the command line without dashes. `keyword` is the parameter's name in Python if it
    differs in more than underscores.
    """
    if _typed.get():
        return f"--{name}" if value is None else f"--{name} {_text(value)}"
    given = "" if value is None else f'"{value}"' if isinstance(value, str) else _text(value)
    return f"{keyword or name.replace('-', '_')}={given}"


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def did_you_mean(wanted: str, names: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the nearest of `names`, or an empty string when none is near."""
    near = nearest_name(wanted, names)
    return f"; did you mean '{near}'?" if near else ""


def nearest_name(wanted: str, names: Iterable[str]) -> str | None:
    """The name that a slip of the hand makes `wanted`; None if there is none.

    Near is an edit distance of at most a third of the letters, at least one (the rule of the Rust compiler,
    rustc_span/src/edit_distance.rs); of two as near, the one with more of the letters. Else it is
    the shortest name that begins with `wanted`, of three letters or more.
    """
    names = list(names)
    begun = [name for name in names if len(wanted) >= 3 and name.startswith(wanted)]
    distances = {name: _edit_distance(wanted.casefold(), name.casefold()) for name in names}
    limit = max(len(wanted.strip("-")), 3) // 3
    shared = {name: SequenceMatcher(None, wanted, name).ratio() for name in names}
    near = min(distances, key=lambda name: (distances[name], -shared[name]), default=None)
    if near is not None and distances[near] <= limit:
        return near
    return min(begun, key=len) if begun else None


def _edit_distance(a: str, b: str) -> int:
    """Letters put in, left out, changed or swapped with the next one (optimal string alignment)."""
    older: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        older, last, row = row, older, [i]
        for j, other in enumerate(b, start=1):
            row.append(min(older[j] + 1, row[j - 1] + 1, older[j - 1] + (letter != other)))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]
