"""Parses a launcher's command line by its option table into options and programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from corewise.errors import InputError, did_you_mean
from corewise.launchers.options import OptionTable


@dataclass(frozen=True)
class Option:
    """One option; `name` is without dashes, `values` are also part of `tokens`.

    `tokens` are the words of this option alone: as typed, unless several options shared one word.
    """

    name: str
    values: tuple[str, ...]
    tokens: tuple[str, ...]

    @property
    def text(self) -> str:
        """The option with its values, for sentences."""
        return " ".join(self.tokens)


@dataclass(frozen=True)
class Program:
    """One program of a command with the launcher options before it.

    `ranks` is the list of ranks before the program in srun's --multi-prog file, empty without such a file.
    """

    options: list[Option]
    app: list[str]
    ranks: str = ""

    def options_without(self, names: Iterable[str] = ()) -> list[str]:
        """The tokens of the options, without the options named."""
        kept = [option.tokens for option in self.options if option.name not in names]
        return [token for tokens in kept for token in tokens]


@dataclass(frozen=True)
class Command:
    """A parsed command `LAUNCHER ... APP ...`, with all programs that it starts.

    `start` is the launcher's executable, and its subcommand if it has one. `programs_file` is the path of
    srun's --multi-prog file, empty without one.
    """

    start: list[str]
    programs: list[Program]
    programs_file: str = ""

    @property
    def executable(self) -> str:
        """The launcher's executable, as typed."""
        return self.start[0]

    @property
    def app(self) -> list[str]:
        """The first program and its arguments."""
        return self.programs[0].app

    @property
    def options(self) -> list[Option]:
        """The options of all programs, in order."""
        return [option for program in self.programs for option in program.options]

    def without(self, drops: Callable[[Option], bool], *instead: str) -> Command:
        """The command without the options that `drops` selects, and with the words `instead` at its start."""
        programs = [
            replace(program, options=[option for option in program.options if not drops(option)])
            for program in self.programs
        ]
        return replace(self, start=[*self.start, *instead], programs=programs)

    def values(self, names: Iterable[str]) -> list[tuple[str, ...]]:
        """The values of all options with one of these names, in order, over all programs."""
        return [option.values for option in self.options if option.name in names]

    def options_without(self, names: Iterable[str]) -> list[str]:
        """The first program's option tokens, without the options named."""
        return self.programs[0].options_without(names)


def parse_command(argv: list[str], table: OptionTable) -> Command:
    """Splits a command by a launcher's table.

    Raises InputError for an unknown or wrongly written option (with a suggestion), for a missing value, and
    if no program follows. If a command names a file of programs, with_programs_of() reads it later.
    """
    if not argv:
        raise InputError("found no command after `--`; expected LAUNCHER ... APP ...")
    start, rest = _split_start(argv, table)
    programs: list[Program] = []
    while True:
        end = rest.index(":") if table.syntax.colon_separates and ":" in rest else len(rest)
        programs.append(_Parser(argv[0], rest[:end], table).program())
        if end == len(rest):
            return Command(start, programs)
        rest = rest[end + 1 :]


def _split_start(argv: list[str], table: OptionTable) -> tuple[list[str], list[str]]:
    if table.subcommand is None:
        return argv[:1], argv[1:]
    if argv[1:2] != [table.subcommand]:
        found = f"'{argv[1]}'" if len(argv) > 1 else "nothing"
        raise InputError(
            f"found {found} after '{argv[0]}'; expected {argv[0]} {table.subcommand} ... APP ..."
        )
    return argv[:2], argv[2:]


class _Parser:
    """Reads the words of one program from left to right; `at` is the index of the next word."""

    def __init__(self, executable: str, tokens: list[str], table: OptionTable) -> None:
        self.executable, self.tokens, self.table = executable, tokens, table
        self.at = 0

    def program(self) -> Program:
        options: list[Option] = []
        while self.at < len(self.tokens) and self.tokens[self.at].startswith("-"):
            if self.tokens[self.at] == "--":
                self._skip_end_of_options()
                break
            options += self._options()
        app = self.tokens[self.at :]
        in_file = any(option.values and option.name in self.table.several_programs for option in options)
        if not app and not in_file:
            taken = options[-1] if options and options[-1].values else None
            value = f" ('{taken.values[-1]}' is the value of '{taken.tokens[0]}')" if taken else ""
            raise InputError(
                f"{self.executable}: no program follows the launcher's options{value}; "
                "expected LAUNCHER ... APP ..."
            )
        return Program(options, app)

    def _skip_end_of_options(self) -> None:
        if not self.table.syntax.end_of_options:
            raise InputError(f"{self.executable} doesn't take '--' before the program; leave it out")
        self.at += 1

    def _options(self) -> list[Option]:
        """The options of the next word: one, or several if one-letter names share a dash."""
        token = self.tokens[self.at]
        text = token.lstrip("-")
        dashes = token[: len(token) - len(text)]
        if name := self.table.named(dashes, text):
            return [self._option(name, [])]
        before, equals, value = text.partition("=")
        name = self.table.named(dashes, before) if equals and self.table.syntax.equals else None
        if name and self._takes_equals(name):
            return [self._option(name, [value])]
        if dashes == "-" and (several := self._one_letter_options(text)):
            return several
        raise InputError(f"{self.executable} {_not_an_option(token, dashes, text, self.table)}")

    def _takes_equals(self, name: str) -> bool:
        # For getopt(3), the value of `-n=4` is "=4"; Open MPI 5 refuses it.
        one_letter = name in self.table.syntax.one_dash
        return not one_letter and (self.table.n_values[name] > 0 or name in self.table.optional_value)

    def _option(self, name: str, values: list[str]) -> Option:
        """The option at `at`, whose first values may be known already; advances `at`."""
        first, n_values = self.at, max(self.table.n_values[name], len(values))
        self.at += 1
        while len(values) < n_values and not (name in self.table.assignment and "=" in "".join(values)):
            if self.at == len(self.tokens):
                typed = self.tokens[first]
                raise InputError(
                    f"{self.executable} {typed}: found {len(values)} values, expected {n_values}"
                )
            values.append(self.tokens[self.at])
            self.at += 1
        return Option(name, tuple(values), tuple(self.tokens[first : self.at]))

    def _one_letter_options(self, text: str) -> list[Option]:
        """The options in `-qv`, `-n4` or `-K1`; empty if the launcher doesn't use such syntax."""
        syntax, n_values = self.table.syntax, self.table.n_values
        ends = {letter for letter in text if n_values.get(letter) != 0 or letter in self.table.optional_value}
        n_flags = next((i for i, letter in enumerate(text) if letter in ends), len(text))
        flags, last, value = text[:n_flags], text[n_flags : n_flags + 1], text[n_flags + 1 :]
        if flags and not syntax.combined or value and not syntax.attached or last and last not in n_values:
            return []
        options = [Option(letter, (), (f"-{letter}",)) for letter in flags]
        if not last:
            self.at += 1
            return options
        option = self._option(last, [value] if value else [])
        return [*options, replace(option, tokens=(f"-{last}{value}", *option.tokens[1:]))]


def _not_an_option(token: str, dashes: str, text: str, table: OptionTable) -> str:
    """The end of a sentence on a wrong option `token`, with a suggestion if there is one."""
    name, equals, value = text.partition("=")
    if not equals and (number := re.fullmatch(r"(.*?)(\d+)", text)):
        name, value = number.groups()
    known = name.lower() if table.syntax.ignores_case else name
    if known in table.n_values:
        right = [table.as_written(known, dashes), *([value] if value and table.n_values[known] else [])]
        return f"doesn't take '{token}'; write '{' '.join(right)}'"
    names = [option for option in table.n_values if option.startswith(name)] if name else []
    near = did_you_mean(
        dashes + name, [table.as_written(option, dashes) for option in names or table.n_values]
    )
    return (
        f"has no option '{token}' that corewise knows, so it can't find where the program begins"
        f"{near or '; see its --help'}"
    )
