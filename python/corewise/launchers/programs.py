"""Commands with several programs: the ranks of each, files that list programs, and how to write both."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from corewise.errors import InputError
from corewise.launchers.command import Command, Option, Program, parse_command
from corewise.launchers.command_semantics import number_of_ranks
from corewise.launchers.options import OptionTable

MULTI_PROG = "--multi-prog"  # of srun: each line of its file has a list of ranks and a program


def programs_option(command: Command, table: OptionTable) -> Option | None:
    """The option that names a file of programs; None if the command itself lists them."""
    return next((option for option in command.options if option.name in table.several_programs), None)


def with_programs_of(text: str, command: Command, table: OptionTable) -> Command:
    """The command with the programs that the file of its programs_option() lists.

    A line of Open MPI's `--app` or Hydra's `-configfile` has options and a program, as between two ':' of a
    command; other options of the command go before the first program. A line of srun's file has ranks and a
    program (srun(1), "MULTIPLE PROGRAM CONFIGURATION"). Raises InputError for a line without a program.
    """
    named = programs_option(command, table)
    assert named is not None
    path = named.values[0] if named.values else command.app[0]
    others = [option for option in command.programs[0].options if option is not named]
    try:
        if named.values:
            if len(command.programs) > 1 or command.app:
                raise InputError(f"'{named.tokens[0]}' names programs, and so does the command")
            programs = [
                parse_command([command.executable, *line], table).programs[0] for line in _lines(text)
            ]
        else:
            programs = [Program([], words[1:], words[0]) for words in _ranks_and_programs(text)]
    except InputError as error:
        raise InputError(f"{error}", path=path) from error
    if not programs:
        raise InputError("names no program; expected one a line", path=path)
    programs[0] = replace(programs[0], options=[*others, *programs[0].options])
    return Command(command.start, programs, "" if named.values else path)


def _lines(text: str) -> list[list[str]]:
    """The words of each nonempty line; a backslash at the end continues a line."""
    lines = []
    for line in text.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise InputError(f"found '{line:.60}' ({error}); expected words as in a shell") from error
        lines += [words] if words else []
    return lines


def _ranks_and_programs(text: str) -> list[list[str]]:
    lines = _lines(text)
    for words in lines:
        if len(words) < 2 or not re.fullmatch(r"\*|\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*", words[0]):
            raise InputError(
                f"found '{' '.join(words):.60}'; expected ranks and a program, as in '0-3 ./app'"
            )
    return lines


def ranks_of_programs(command: Command, table: OptionTable) -> list[list[int]] | None:
    """[program] its ranks: consecutive in the order of programs, or as in srun's file; None if unknown."""
    if command.programs_file:
        n_ranks = number_of_ranks(command, table)
        return None if n_ranks is None else _ranks_in_file(command.programs, n_ranks)
    if (counts := counts_of_programs(command, table)) is None:
        return None
    firsts = [sum(counts[:i]) for i in range(len(counts))]
    return [list(range(first, first + count)) for first, count in zip(firsts, counts, strict=True)]


def counts_of_programs(command: Command, table: OptionTable) -> list[int] | None:
    """[program] its number of ranks; None if a program has no number."""
    alone = [replace(command, programs=[program]) for program in command.programs]
    counts = [n for command in alone if (n := number_of_ranks(command, table)) is not None]
    return counts if len(counts) == len(alone) else None


def _ranks_in_file(programs: Sequence[Program], n_ranks: int) -> list[list[int]]:
    """[program] its ranks in srun's file, where '*' means the ranks that no other line names."""
    named = [
        [] if program.ranks == "*" else [rank for part in program.ranks.split(",") for rank in _range(part)]
        for program in programs
    ]
    taken = {rank for ranks in named for rank in ranks}
    free = [rank for rank in range(n_ranks) if rank not in taken]
    return [free if program.ranks == "*" else ranks for program, ranks in zip(programs, named, strict=True)]


def _range(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def written(
    command: Command, options: Sequence[list[str]], before_app: Sequence[str], directory: str
) -> tuple[list[str], dict[str, str]]:
    """The command's words and files; `options[i]` go before its i-th program, `before_app` before each.

    Files are {path: text}: srun's programs go into a file in `directory`.
    """
    if command.programs_file:
        path = f"{directory}/programs"
        lines = [f"{one.ranks} {shlex.join([*before_app, *one.app])}\n" for one in command.programs]
        return [*command.start, *options[0], MULTI_PROG, path], {path: "".join(lines)}
    words = [*command.start]
    for i, (own, program) in enumerate(zip(options, command.programs, strict=True)):
        words += [*([":"] if i else []), *own, *before_app, *program.app]
    return words, {}


def as_one_step(command: Command, table: OptionTable, n_ranks: int) -> Command:
    """Converts programs between ':' to a file of programs, which srun starts as one MPI job in one step.

    Raises InputError if a later program has options, which a line of the file can't contain.
    """
    if len(command.programs) == 1 or command.programs_file:
        return command
    for program in command.programs[1:]:
        if words := program.options_without(table.n_ranks):
            raise InputError(
                f"{command.executable}: '{' '.join(words)}' is for '{program.app[0]}' alone; corewise places "
                "several programs of srun in one step, where options hold for all"
            )
    counts = program_counts(command, table, n_ranks)
    firsts = [sum(counts[:i]) for i in range(len(counts))]
    programs = [
        replace(program, ranks=f"{first}-{first + count - 1}")
        for program, first, count in zip(command.programs, firsts, counts, strict=True)
    ]
    return replace(command, programs=programs, programs_file="programs")


def program_counts(command: Command, table: OptionTable, n_ranks: int) -> list[int]:
    """[program] its number of ranks, `n_ranks` together.

    Raises InputError if one of several programs has no number, or if the sum is not `n_ranks`.
    """
    if command.programs_file or len(command.programs) == 1:
        return [n_ranks]
    counts = counts_of_programs(command, table)
    if counts is None:
        raise InputError(
            f"{command.executable}: a program has no number of ranks; expected one for each of the "
            f"{len(command.programs)} programs, since corewise places {n_ranks} ranks in all"
        )
    if sum(counts) != n_ranks:
        raise InputError(f"the command starts {sum(counts)} ranks, the placement has {n_ranks}")
    return counts


def placed(
    command: Command,
    table: OptionTable,
    n_ranks: int,
    own: Sequence[str],
    before_app: Sequence[str],
    directory: str,
    without: frozenset[str] = frozenset(),
) -> tuple[list[str], dict[str, str]]:
    """The words and files that start a command under a placement of `n_ranks`.

    Removes the options `without`, and adds `own` for the launcher and `before_app` and a number of ranks for
    each program. Raises InputError as program_counts() does.
    """
    counts = program_counts(command, table, n_ranks)
    options = [program.options_without(table.n_ranks | without) for program in command.programs]
    options[0] += own
    for words, count in zip(options, counts, strict=False):  # srun's file: one number for all
        words += table.ranks(count)
    return written(command, options, before_app, directory)
