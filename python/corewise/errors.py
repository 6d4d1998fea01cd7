"""Errors for users: one clear sentence each, and the exit code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import SequenceMatcher
from math import inf
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any

INTERRUPTED = 130  # the exit code after Ctrl-C, SIGTERM or SIGHUP: 128 + SIGINT, as in shells


class CorewiseError(Exception):
    """Its text says what was found, what was expected, and what to do. `exit_code` is the command line's."""

    exit_code = 2


class InputError(CorewiseError):
    """Bad input or usage: exit code 2.

    `path` is the wrong file, `line` its line (from 1), and `field` the key, as in "nodes[2].cores"; None if
    the error isn't about one. The sentence begins with path and line.
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
    """A program, a library or a core is missing on this machine: exit code 3."""

    exit_code = 3


class RunError(CorewiseError):
    """A program, a simulation or a measurement failed: exit code 1."""

    exit_code = 1


class Note(UserWarning):
    """A sentence on what was assumed about an ambiguous input; the command line prints it."""


_typed = ContextVar("_typed", default=False)


@contextmanager
def options_typed() -> Iterator[None]:
    """Inside the block, option() uses the notation of the command line."""
    token = _typed.set(True)
    try:
        yield
    finally:
        _typed.reset(token)


def option(name: str, value: str | float | None = None, *, keyword: str | None = None) -> str:
    """An option in the user's notation: `--effort fast` on the command line, `effort="fast"` in Python.

    `name` is the command line's without dashes. `keyword` is the Python parameter if it differs in more than
    underscores.
    """
    if _typed.get():
        return f"--{name}" if value is None else f"--{name} {_text(value)}"
    given = "" if value is None else f'"{value}"' if isinstance(value, str) else _text(value)
    return f"{keyword or name.replace('-', '_')}={given}"


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def with_options(sentence: str) -> str:
    """A sentence of the C++ core, which names options by dashes, in the user's notation."""
    parts = sentence.split("`")  # every second one is a command to type
    parts[::2] = [re.sub(r"--([a-z][a-z-]*)", lambda found: option(found[1]), part) for part in parts[::2]]
    return "`".join(parts)


def require_number(name: str, value: Any, least: float, most: float = inf, whole: bool = True) -> None:
    """Raises InputError unless the keyword `name` is None, or a (whole) number from `least` to `most`."""
    is_number = isinstance(value, Integral if whole else Real)
    if value is not None and not (is_number and least <= value <= most):
        expected = f"a {'whole ' * whole}number from {least}" + ("" if most == inf else f" to {most}")
        raise InputError(f"found {name}={value!r:.60}; expected {expected}")


def require_word(name: str, value: Any) -> None:
    """Raises InputError unless the keyword `name` is None or a str."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"found {name}={value!r:.60}; expected a word")


def require_words(name: str, value: Any) -> None:
    """Raises InputError unless the keyword `name` is None or a sequence of str; a str itself is none."""
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if value is not None and not (is_list and all(isinstance(word, str) for word in value)):
        raise InputError(f"found {name}={value!r:.60}; expected a list of words")


def require_flag(name: str, value: Any) -> None:
    """Raises InputError unless the keyword `name` is None, True or False."""
    if value is not None and not isinstance(value, bool):
        raise InputError(f"found {name}={value!r:.60}; expected True or False")


def did_you_mean(wanted: str, names: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the nearest of `names`, or "" if none is near."""
    near = nearest_name(wanted, names)
    return f"; did you mean '{near}'?" if near else ""


def nearest_name(wanted: str, names: Iterable[str]) -> str | None:
    """The name that `wanted` probably is a misspelling of; None if there is none.

    It has an edit distance of at most a third of the letters, or one (the rule of the Rust compiler,
    rustc_span/src/edit_distance.rs); among equally near names, more common letters decide. Otherwise it is
    the shortest name that begins with `wanted`, if that has three letters or more.
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
    """Insertions, deletions, substitutions and transpositions (optimal string alignment distance)."""
    older: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        older, last, row = row, older, [i]
        for j, other in enumerate(b, start=1):
            row.append(min(older[j] + 1, row[j - 1] + 1, older[j - 1] + (letter != other)))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]
