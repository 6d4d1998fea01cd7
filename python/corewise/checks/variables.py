"""Variables and MCA parameters that bind by number, or that this launcher doesn't read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corewise.checks.corrected import with_option_instead, without_variables
from corewise.checks.situation import AskedCommand, Finding, Situation
from corewise.launchers import EXPORTED, LAUNCHERS
from corewise.launchers.options import OPTION_OF, VARIABLE, SetParameter, option_of

_HWLOC = (r".", "hwloc's manual, 'Environment Variables': shows another machine")
_VERSION = {"openmpi": "4", "prte": "5"}


def ignored_parameters(situation: Situation, asked: AskedCommand) -> list[Finding]:
    """An MCA parameter maps or binds only in another version of Open MPI."""
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


def launcher_variables(situation: Situation, asked: AskedCommand | None = None) -> list[Finding]:
    """A variable binds by number, or makes hwloc show another machine."""
    launchers = [asked.application.launcher] if asked else [*LAUNCHERS.values(), *EXPORTED.values()]
    variables = dict.fromkeys(("HWLOC_SYNTHETIC", "HWLOC_XMLFILE"), _HWLOC)
    for launcher in launchers:
        variables |= launcher.binding.variables
    around = {name: value for one in reversed(situation.environments) for name, value in one.items()}
    return [
        _misleading(asked, name, around[name], source)
        for name, (pattern, source) in sorted(variables.items())
        if re.search(pattern, around.get(name, ""))
    ]


def _misleading(asked: AskedCommand | None, name: str, value: str, source: str) -> Finding:
    return Finding(
        found=f"{name}={value} is set ({source})",
        why="it decides where ranks run, for every command that finds it, not only for the one it was "
        "made for",
        do="start without it",
        command=without_variables(asked, [name]) if asked else f"unset {name}",
    )
