"""Wrapper programs such as numactl in `mpirun -n 4 numactl -C 0 ./app`, and whether they bind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corewise.errors import InputError
from corewise.launchers.command import Option, parse_command
from corewise.launchers.openmp import fixed_thread_bindings
from corewise.launchers.options import OptionTable, getopt_syntax, value_counts, words


@dataclass(frozen=True)
class Wrapper:
    """The words between a wrapper's name and the program: options, then `n_operands` words.

    `assignments`: words NAME=VALUE may come before the program. `to_marker`: all words up to `--` belong to
    the wrapper. `binds`: it always binds, not only with an option of `options.places`. `goes_with_binding`:
    options that are removed together with those that bind.
    """

    options: OptionTable
    n_operands: int = 0
    assignments: bool = False
    to_marker: bool = False
    binds: bool = False
    goes_with_binding: frozenset[str] = frozenset()


def _options(none: str = "", one: str = "", places: str = "") -> OptionTable:
    n_values = value_counts(none, one)
    return OptionTable(n_values, places=words(places), syntax=getopt_syntax(n_values))


# Source: the manual pages of coreutils 9.1, util-linux 2.38, numactl 2.0.16, hwloc 2.9, likwid 5.2, time 1.9.
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
        ),
        goes_with_binding=words("m membind p preferred P preferred-many"),
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


def variables_of(app: list[str]) -> dict[str, str]:
    """The variables that `env` sets before the program."""
    return {name: value for own in _wrappers(app) for _, name, value in _assignments(own)}


def environment_behind(app: list[str], around: Mapping[str, str]) -> dict[str, str]:
    """`around` with the changes that `env` makes before the program."""
    found = dict(around)
    for own in _wrappers(app):
        if WRAPPERS[_name(own)].assignments:
            for option in _options_of(own):
                if option.name in ("u", "unset"):
                    found.pop(option.values[0], None)
            found |= {name: value for _, name, value in _assignments(own)}
    return found


def binding_wrapper(app: list[str]) -> list[str] | None:
    """The words of the first wrapper that binds; None without one."""
    return next((own for own in _wrappers(app) if _parted(own)[0]), None)


def without_binding(app: list[str]) -> tuple[list[str], list[str]]:
    """`app` without what binds in its wrappers, and the removed parts as text.

    A wrapper without other options is removed as a whole.
    """
    kept: list[str] = []
    taken_out: list[str] = []
    for own in _wrappers(app):
        binds, without = _parted(own)
        left = without if binds else own
        kept += left
        taken_out += [" ".join(binds if left else own)] if binds else []
    return kept + unwrapped(app), taken_out


def _wrappers(app: list[str]) -> Iterator[list[str]]:
    """The words of each wrapper before the program, from the left."""
    while (inner := _behind(app)) is not None:
        yield app[: len(app) - len(inner)]
        app = inner


def _assignments(own: list[str]) -> list[tuple[str, str, str]]:
    """(word, name, value) of each NAME=VALUE among a wrapper's own words."""
    if not WRAPPERS[_name(own)].assignments:
        return []
    found = [re.fullmatch(r"([A-Za-z_]\w*)=(.*)", word, re.DOTALL) for word in own[1:]]
    return [(match[0], match[1], match[2]) for match in found if match]


def _name(app: list[str]) -> str:
    return app[0].rpartition("/")[2]


def _behind(app: list[str]) -> list[str] | None:
    """The command that a wrapper starts; None if `app` is no wrapper, or has an unknown option."""
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


def _parted(own: list[str]) -> tuple[list[str], list[str]]:
    """A wrapper's words that bind (all if it always binds), and the wrapper without them.

    The latter is empty if there is no other option.
    """
    wrapper = WRAPPERS[_name(own)]
    if wrapper.binds:
        return own, []
    if wrapper.assignments:
        binds = [word for word, name, value in _assignments(own) if fixed_thread_bindings({name: value})]
        kept = [word for word in own[1:] if word not in binds]
    else:
        options, places = _options_of(own), wrapper.options.places
        bound = any(option.name in places for option in options)
        leave = places | wrapper.goes_with_binding if bound else frozenset()
        binds = [token for option in options if option.name in leave for token in option.tokens]
        kept = [token for option in options if option.name not in leave for token in option.tokens]
    return binds, [own[0], *kept] if kept else []


def _options_of(own: list[str]) -> list[Option]:
    return parse_command([*own, "app"], WRAPPERS[_name(own)].options).programs[0].options
