"""The meaning of a parsed command: its ranks and hosts, whether it places ranks itself, its environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corewise.errors import InputError
from corewise.launchers.command import Command, Option, Program
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import binding_wrapper, without_binding


def number_of_ranks(command: Command, table: OptionTable) -> int | None:
    """The number of ranks of all programs together; None if a program has no number.

    With srun's --multi-prog file, one number is for all programs. Raises InputError if it is no number above
    0, and if a program has two numbers: Open MPI 5 takes the first, Open MPI 4 the last, Hydra none.
    """
    programs = command.programs[:1] if command.programs_file else command.programs
    given = [n for program in programs if (n := _ranks_of(program, command, table)) is not None]
    return sum(given) if len(given) == len(programs) else None


def _ranks_of(program: Program, command: Command, table: OptionTable) -> int | None:
    options = [option for option in program.options if option.name in table.n_ranks]
    if not options:
        return None
    if len(options) > 1:
        typed = " and ".join(f"'{' '.join(option.tokens)}'" for option in options[:2])
        raise InputError(f"{command.executable}: {typed} both give the number of ranks; leave one out")
    text = options[0].values[-1]
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise InputError(f"{command.executable}: '{text:.80}' is no number of ranks; expected one such as 8")
    return int(text)


def number_of_hosts(command: Command, table: OptionTable) -> int | None:
    """The number of hosts that the command asks for, None without one.

    Raises InputError for a range, because the launcher would choose the hosts when it starts.
    """
    given = command.values(table.n_hosts)
    if not given:
        return None
    text = given[-1][-1]
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise InputError(f"{command.executable}: '{text:.80}' is no number of nodes; expected one such as 4")
    return int(text)


def oversubscribes(command: Command, table: OptionTable) -> bool:
    """Whether an option lets ranks share a core, including `--map-by :OVERSUBSCRIBE` (mpirun(1))."""
    mapped = (values[-1].lower().split(":") for values in command.values(table.places) if values)
    return bool(command.values(table.oversubscribes)) or any("oversubscribe" in words[1:] for words in mapped)


def refuse_starting_nothing(command: Command, table: OptionTable) -> None:
    """Raises InputError for an option such as --help, with which the launcher doesn't start the program."""
    for option in command.options:
        if option.name in table.starts_nothing:
            raise InputError(
                f"with '{option.tokens[0]}' {command.executable} doesn't start the program; leave it out"
            )


def placing_options(command: Command, table: OptionTable) -> list[Option]:
    """The options that map, bind or rank."""
    return [
        option
        for option in command.options
        if option.name in table.places
        or (option.name in table.parameter and option.values[0].startswith(tuple(table.placing_parameters)))
    ]


def refuse_placing(command: Command, table: OptionTable) -> None:
    """Raises InputError if the command maps, binds or ranks, because corewise sets the placement."""
    for wrapper in filter(None, (binding_wrapper(program.app) for program in command.programs)):
        raise InputError(
            f"'{' '.join(wrapper)}' binds ranks, but corewise sets the placement; leave it out of the command"
        )
    for option in placing_options(command, table):
        raise InputError(
            f"'{option.text}' maps or binds ranks, but corewise sets the placement; leave it out of the "
            "command"
        )


def without_placing(command: Command, table: OptionTable) -> tuple[Command, list[str]]:
    """The command without options and wrappers that map, bind or rank, and the removed parts as text."""
    placing = placing_options(command, table)
    taken_out = [option.text for option in placing]
    programs = []
    for program in command.programs:
        app, from_wrappers = without_binding(program.app)
        options = [option for option in program.options if option not in placing]
        programs.append(replace(program, options=options, app=app))
        taken_out += from_wrappers
    return replace(command, programs=programs), taken_out


def kept_options(command: Command, table: OptionTable) -> list[list[str]]:
    """[program] the words of its options that are also valid for another placement and for other hosts.

    Leaves out options that place, give numbers of ranks, or name hosts or the job.
    """
    placing = placing_options(command, table)
    left_out = table.n_ranks | table.n_hosts | table.host_list | table.host_file | table.of_allocation

    def is_kept(option: Option) -> bool:
        names_hosts = option.name in table.parameter and option.values[0] in table.host_file_parameters
        return not (option in placing or option.name in left_out or names_hosts)

    kept = [[option.tokens for option in one.options if is_kept(option)] for one in command.programs]
    return [[word for tokens in of_program for word in tokens] for of_program in kept]


def refuse_choosing_hosts(command: Command, table: OptionTable) -> None:
    """Raises InputError for an option that excludes hosts of the list, where corewise would place ranks."""
    for option in command.options:
        if option.name in table.chooses_hosts:
            raise InputError(
                f"'{option.tokens[0]}' leaves out a host that corewise would place ranks on; name the "
                "hosts to be used instead"
            )


def environment_of(
    command: Command, table: OptionTable, around: Mapping[str, str], program: int = 0
) -> dict[str, str]:
    """`around` with the variables that the options before the program set.

    The programs of srun's --multi-prog file share the options of the command.
    """
    found = dict(around)
    for option in command.programs[0 if command.programs_file else program].options:
        words: list[str] = []
        if option.name in table.sets_variable:
            words = ["=".join(option.values)]
        elif option.name in table.sets_variables:
            words = option.values[0].split(",")
        found |= {name: value for name, equals, value in (word.partition("=") for word in words) if equals}
    return found
