"""Programs that start another program, and which of them bind it: `mpirun -n 4 numactl -C 0 ./app`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corewise.errors import InputError
from corewise.launchers.command import parse_command
from corewise.launchers.options import OptionTable, getopt_syntax, value_counts, words


@dataclass(frozen=True)
class Wrapper:
    """What stands between a wrapper's name and the program: its options, then `n_operands` words.

    `assignments`: any number of words NAME=VALUE come before the program. `to_marker`: all words up to `--`
    are the wrapper's own. `binds`: it binds in any case, not just with an option of `options.places`.
    """

    options: OptionTable
    n_operands: int = 0
    assignments: bool = False
    to_marker: bool = False
    binds: bool = False


def _options(none: str = "", one: str = "", places: str = "") -> OptionTable:
    n_values = value_counts(none, one)
    return OptionTable(n_values, places=words(places), syntax=getopt_syntax(n_values))


# As their manual pages say: coreutils 9.1, util-linux 2.38, numactl 2.0.16, hwloc 2.9, likwid 5.2, time 1.9.
WRAPPERS: dict[str, Wrapper] = {
    "env": Wrapper(_options("i ignore-environment v debug", "u unset C chdir"), assignments=True),
    "hwloc-bind": Wrapper(_options(), to_marker=True, binds=True),
    "likwid-pin": Wrapper(_options("S sweep i m q quiet", "c C s skip V verbose"), binds=True),
    "nice": Wrapper(_options(one="n adjustment")),
    "numactl": Wrapper(
        _options(
            "a all b balancing l localalloc",
            """i interleave m membind p preferred P preferred-many
                C physcpubind N cpunodebind c cpubind""",
            places="C physcpubind N cpunodebind c cpubind",
        )
    ),
    "stdbuf": Wrapper(_options(one="i input o output e error")),
    "taskset": Wrapper(_options("a all-tasks c cpu-list"), n_operands=1, binds=True),
    "time": Wrapper(_options("a append p portability q quiet v verbose", "f format o output")),
    "timeout": Wrapper(
        _options("preserve-status foreground v verbose", "k kill-after s signal"), n_operands=1
    ),
}


def unwrapped(app: list[str]) -> list[str]:
    """`app` without the wrappers in front of its program."""
    while (inner := _behind(app)) is not None:
        app = inner
    return app


def binding_wrapper(app: list[str]) -> list[str] | None:
    """The words of the first wrapper that binds; None where none does."""
    while (inner := _behind(app)) is not None:
        own = app[: len(app) - len(inner)]
        if _binds(own):
            return own
        app = inner
    return None


def _name(app: list[str]) -> str:
    return app[0].rpartition("/")[2]


def _behind(app: list[str]) -> list[str] | None:
    """What a wrapper starts; None where `app` is no wrapper, or one with words that aren't known here."""
    wrapper = WRAPPERS.get(_name(app))
    if wrapper is None:
        return None
    if wrapper.to_marker:
        rest = app[app.index("--") + 1 :] if "--" in app else []
    else:
        try:
            rest = parse_command(app, wrapper.options).app
        except InputError:
            return None
        while wrapper.assignments and rest and re.match(r"[^=]+=", rest[0]):
            rest = rest[1:]
        rest = rest[wrapper.n_operands :]
    return rest or None


def _binds(own: list[str]) -> bool:
    wrapper = WRAPPERS[_name(own)]
    if wrapper.binds:
        return True
    options = parse_command([*own, "app"], wrapper.options).programs[0].options
    return any(option.name in wrapper.options.places for option in options)
