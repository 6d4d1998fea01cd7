"""A launcher's command line taken apart by its option table: options by name, then the program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corewise.errors import InputError, did_you_mean


@dataclass(frozen=True)
class OptionTable:
    """What a launcher's options mean to corewise; names are written without their dashes.

    `n_values` says for every option how many words follow it. The other fields name options by their effect:
    they give the number of ranks, hosts as a list or a file, map, bind or rank (`places`), start several
    programs, say where the program starts or is looked for, or let ranks share a core.
    """

    n_values: dict[str, int]
    n_ranks: frozenset[str]
    host_list: frozenset[str]
    host_file: frozenset[str]
    places: frozenset[str]
    several_programs: frozenset[str]
    working_directory: frozenset[str]
    search_path: frozenset[str] = frozenset()
    oversubscribes: frozenset[str] = frozenset()
    placing_parameters: tuple[str, ...] = ()
    """Beginnings of MCA parameters that map or bind."""


def words(text: str) -> frozenset[str]:
    """The names of a whitespace-separated list."""
    return frozenset(text.split())


def value_counts(none: str, one: str, two: str = "") -> dict[str, int]:
    """`n_values` from three whitespace-separated lists."""
    return {name: n for n, names in enumerate((none, one, two)) for name in names.split()}


@dataclass(frozen=True)
class Option:
    """One option as typed; `name` is without dashes, `values` are also part of `tokens`."""

    name: str
    values: tuple[str, ...]
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """One program of a command with the launcher options before it."""

    options: list[Option]
    app: list[str]


@dataclass(frozen=True)
class Command:
    """`LAUNCHER ... APP ...`, taken apart; more than one program where it has `:`."""

    executable: str
    programs: list[Program]

    @property
    def app(self) -> list[str]:
        """The program and its arguments; the first one of several."""
        return self.programs[0].app

    def values(self, names: Iterable[str]) -> list[tuple[str, ...]]:
        """The values of all options with one of these names, in order, over all programs."""
        return [
            option.values for program in self.programs for option in program.options if option.name in names
        ]

    def options_without(self, names: Iterable[str]) -> list[str]:
        """The first program's option tokens, without the options named."""
        kept = [option.tokens for option in self.programs[0].options if option.name not in names]
        return [token for tokens in kept for token in tokens]


def parse_command(argv: list[str], table: OptionTable) -> Command:
    """Splits a command by a launcher's table.

    Raises InputError for an option that the launcher doesn't have (with the nearest name), for one without
    its value, and where no program follows.
    """
    if not argv:
        raise InputError("found no command after `--`; expected LAUNCHER ... APP ...")
    programs, rest = [], argv[1:]
    while True:
        # Every launcher here takes a lone ':' as the start of the next program, even among an application's
        # arguments.
        end = rest.index(":") if ":" in rest else len(rest)
        programs.append(_parse_program(argv[0], rest[:end], table))
        if end == len(rest):
            return Command(argv[0], programs)
        rest = rest[end + 1 :]


def _parse_program(executable: str, tokens: list[str], table: OptionTable) -> Program:
    options, at = [], 0
    while at < len(tokens) and tokens[at].startswith("-") and tokens[at] != "--":
        option = _parse_option(executable, tokens, at, table)
        options.append(option)
        at += len(option.tokens)
    app = tokens[at + 1 :] if at < len(tokens) and tokens[at] == "--" else tokens[at:]
    if not app:
        raise InputError(
            f"{executable}: no program follows the launcher's options; expected LAUNCHER ... APP ..."
        )
    return Program(options, app)


def _parse_option(executable: str, tokens: list[str], at: int, table: OptionTable) -> Option:
    name, joined, value = tokens[at].lstrip("-").partition("=")
    if name not in table.n_values:
        near = did_you_mean(name, table.n_values)
        raise InputError(f"{executable} has no option '{tokens[at]}' that corewise knows{near}")
    n_values = table.n_values[name]
    if joined:
        return Option(name, (value,), (tokens[at],))
    values = tuple(tokens[at + 1 : at + 1 + n_values])
    if len(values) < n_values:
        raise InputError(f"{executable} {tokens[at]}: found {len(values)} values, expected {n_values}")
    return Option(name, values, (tokens[at], *values))


def number_of_ranks(command: Command, table: OptionTable) -> int | None:
    """What the command asks for, summed over its programs; None where it leaves that to the launcher."""
    given = [values[-1] for values in command.values(table.n_ranks)]
    for text in given:
        if not (text.isascii() and text.isdecimal()):
            raise InputError(f"{command.executable}: '{text}' is no number of ranks; expected one such as 8")
    return sum(map(int, given)) if given else None


def oversubscribes(command: Command, table: OptionTable) -> bool:
    """True where the command itself lets ranks share a core."""
    return bool(command.values(table.oversubscribes))


def refuse_several_programs(command: Command, table: OptionTable) -> None:
    """Raises InputError for a command that starts more than one program."""
    if len(command.programs) > 1:
        raise InputError(
            f"{command.executable}: the command starts several programs (':'); corewise places one at a time"
        )
    for option in command.programs[0].options:
        if option.name in table.several_programs:
            raise InputError(f"{option.tokens[0]} names a file of programs; expected one on the command line")


def refuse_placing(command: Command, table: OptionTable) -> None:
    """Raises InputError where the command already maps, binds or ranks: corewise must place."""
    refuse_several_programs(command, table)
    for option in command.programs[0].options:
        parameter = option.values[0] if option.values else ""
        if option.name in table.places or (table.placing_parameters and _sets(parameter, table)):
            typed = " ".join(option.tokens)
            raise InputError(f"'{typed}' maps or binds ranks, as corewise must; leave it out of the command")


def _sets(parameter: str, table: OptionTable) -> bool:
    return parameter.startswith(table.placing_parameters)
