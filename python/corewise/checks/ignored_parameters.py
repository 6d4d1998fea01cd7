"""ignored-parameters: an MCA parameter that maps or binds only in another version of Open MPI."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_option_instead
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers.parameters import OPTION_OF, VARIABLE, SetParameter, option_of

_VERSION = {"openmpi": "4", "prte": "5"}


def _look(situation: Situation, asked: AskedCommand) -> list[Finding]:
    if asked.application.launcher.parameter_project is None:
        return []
    return [
        Finding(
            found=f"{typed} is not read by mpirun of Open MPI {_VERSION[own]}: {where}",
            why="mpirun silently ignores it",
            do=f"write {' '.join(words)}{_or_variable(words[0], own)}",
            command=with_option_instead(asked, name, words),
        )
        for own in [asked.application.launcher.parameter_project]
        for typed, where, name, words in _ignored(asked, own)
        if not _said(asked, words[0], own)
    ][:1]


def _ignored(asked: AskedCommand, own: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """(as typed, why it isn't read, its name, the equivalent option) of each ignored parameter."""
    other = next(project for project in VARIABLE if project != own)
    table = asked.application.launcher.options
    renamed = f"it is the name that version {_VERSION[other]} reads"
    for option in asked.application.command.options:
        if option.name in table.parameter and (words := option_of(option.values[0], option.values[1], other)):
            yield f"'{option.text}'", renamed, option.values[0], words
    if own == "openmpi":
        return  # nobody expects mpirun 4 to read variables and files of PRRTE
    for one in asked.parameters:
        # The old name anywhere, and the new name in a place that only Open MPI's library reads.
        if words := option_of(one.name, one.value, other):
            yield _typed(one), renamed, one.name, words
        elif one.project == other and (words := option_of(one.name, one.value, own)):
            place = f"it must be {VARIABLE[own]}{one.name}, or be in ~/.prte/mca-params.conf"
            yield _typed(one), place, one.name, words


def _or_variable(option: str, own: str) -> str:
    """The equivalent parameter of this version as a variable, for the end of a sentence."""
    name = next((one for one, words in OPTION_OF[own].items() if words == f"{option} {{value}}"), None)
    return f", or set {VARIABLE[own]}{name}" if name else ""


def _typed(one: SetParameter) -> str:
    if one.origin.startswith(tuple(VARIABLE.values())):
        return f"{one.origin}={one.value}"
    return f"'{one.name} = {one.value}' in {one.origin}"


def _said(asked: AskedCommand, option: str, own: str) -> bool:
    """Whether the command or a parameter that is read already sets the same thing."""
    name = option.lstrip("-")
    command, table = asked.application.command, asked.application.launcher.options
    if command.values({name, name.replace("-", "")}):
        return True
    read = [values for values in command.values(table.parameter) if len(values) == 2]
    read += asked.read_parameters.items()
    return any((words := option_of(*values, own)) and words[0] == option for values in read)


CHECK = Check(
    name="ignored-parameters",
    sentence="an MCA parameter that maps or binds, in a name or a place that this Open MPI doesn't read",
    source="ompi#9527; docs.open-mpi.org, 'MCA Parameter Changes Between Open MPI 4.x and 5.0.x'",
    of_command=_look,
)
