"""What a parsed command asks for: how many ranks, how many programs, whether it places them itself."""

from __future__ import annotations

import re
from dataclasses import replace

from corewise.errors import InputError
from corewise.launchers.command import Command, Option, Program
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import binding_wrapper, without_binding


def number_of_ranks(command: Command, table: OptionTable) -> int | None:
    """What the command asks for, summed over its programs; None if it leaves one to the launcher.

    With srun's file of programs one number counts the ranks of all. Raises InputError for what is no number
    above 0, and where one program is given two: launchers take the first (Open MPI 5), the last (Open MPI 4)
    or neither (Hydra).
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
    """How many hosts the command asks for; None if it doesn't say.

    Raises InputError for a range: which hosts the ranks run on would be decided when they start.
    """
    given = command.values(table.n_hosts)
    if not given:
        return None
    text = given[-1][-1]
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise InputError(f"{command.executable}: '{text:.80}' is no number of nodes; expected one such as 4")
    return int(text)


def oversubscribes(command: Command, table: OptionTable) -> bool:
    """True if the command itself lets ranks share a core.

    By its own option, or by Open MPI's qualifier: `--map-by :OVERSUBSCRIBE` (mpirun(1)).
    """
    mapped = (values[-1].lower().split(":") for values in command.values(table.places) if values)
    return bool(command.values(table.oversubscribes)) or any("oversubscribe" in words[1:] for words in mapped)


def refuse_starting_nothing(command: Command, table: OptionTable) -> None:
    """Raises InputError for a command whose options keep the launcher from starting the program."""
    for option in command.options:
        if option.name in table.starts_nothing:
            raise InputError(
                f"with '{option.tokens[0]}' {command.executable} doesn't start the program; leave it out"
            )


def placing_options(command: Command, table: OptionTable) -> list[Option]:
    """The options by which the command itself maps, binds or ranks."""
    return [
        option
        for option in command.options
        if option.name in table.places
        or (option.name in table.parameter and option.values[0].startswith(table.placing_parameters))
    ]


def refuse_placing(command: Command, table: OptionTable) -> None:
    """Raises InputError if the command already maps, binds or ranks: corewise must place."""
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
    """The command without what maps, binds or ranks, and what was taken out, each as text."""
    placing = placing_options(command, table)
    taken_out = [option.text for option in placing]
    programs = []
    for program in command.programs:
        app, from_wrappers = without_binding(program.app)
        options = [option for option in program.options if option not in placing]
        programs.append(replace(program, options=options, app=app))
        taken_out += from_wrappers
    return replace(command, programs=programs), taken_out


def refuse_choosing_hosts(command: Command, table: OptionTable) -> None:
    """Raises InputError for an option that leaves hosts of the list out: corewise would place ranks there."""
    for option in command.options:
        if option.name in table.chooses_hosts:
            raise InputError(
                f"'{option.tokens[0]}' leaves out a host that corewise would place ranks on; name the "
                "hosts to be used instead"
            )
