"""Reads files and variables that belong to a command: files of programs, MCA parameters."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.launchers import Command, Launcher, Program, parse_command
from corewise.launchers.command import Option
from corewise.launchers.options import VARIABLE, OptionTable, SetParameter, parameter_files
from corewise.launchers.programs import programs_option, with_programs_of


def parsed(argv: list[str], launcher: Launcher) -> Command:
    """The parsed command, including programs in a file; raises InputError as parse_command() does."""
    table = launcher.options
    command = parse_command(argv, table)
    if (named := programs_option(command, table)) is not None:
        path = named.values[0] if named.values else command.app[0]
        command = with_programs_of(read_text(Path(path), "a file of programs"), command, table)
    programs = [_with_parameter_files(program, command, table) for program in command.programs]
    return replace(command, programs=programs)


def _with_parameter_files(program: Program, command: Command, table: OptionTable) -> Program:
    """The program with the contents of its parameter files instead of their names (mpirun(1), --tune, --am).

    Parameters in the command take precedence. Raises InputError for a file that can't be found or read.
    """
    said = {option.values for option in program.options if option.name in table.parameter}
    names = {values[0] for values in said}
    options: list[Option] = []
    for option in program.options:
        if option.name not in table.parameter_files:
            options.append(option)
            continue
        for path in option.values[0].split(","):
            inside = _options_in(path, option, command, table)
            options += [
                one for one in inside if one.name not in table.parameter or one.values[0] not in names
            ]
    return replace(program, options=options)


def _options_in(path: str, option: Option, command: Command, table: OptionTable) -> list[Option]:
    prefix = _prefix_of(command.executable)
    known = (path, f"{prefix}/share/openmpi/amca-param-sets/{path}")
    found = next((one for one in known if os.path.isfile(one)), None)
    if found is None:
        raise InputError(
            f"'{option.text}': found no file '{path}'; expected a file of parameters, by its path"
        )
    text = read_text(Path(found), "a file of parameters")
    if option.name == "tune":
        words = shlex.split(text, comments=True)
        try:
            return parse_command([command.executable, *words, "app"], table).programs[0].options
        except InputError as error:
            raise InputError(f"'{option.text}': {error}") from error
    return [
        Option("mca", (name, value), ("--mca", name, value)) for name, value in _parameters_in(text).items()
    ]


def parameters_around(executable: str, launcher: Launcher, environment: Mapping[str, str]) -> dict[str, str]:
    """The MCA parameters that the launcher reads from variables and files; empty if it reads none."""
    found = set_parameters(executable, environment)
    own = (one for one in reversed(found) if one.project == launcher.parameter_project)
    return {one.name: one.value for one in own}


def set_parameters(executable: str, environment: Mapping[str, str]) -> list[SetParameter]:
    """MCA parameters of Open MPI and PRRTE in variables and files, by precedence (mpirun(1)).

    Files that can't be read are ignored, as in mpirun.
    """
    found = []
    for project, prefix in VARIABLE.items():
        for variable, value in environment.items():
            if variable.startswith(prefix):
                found.append(SetParameter(variable.removeprefix(prefix), value, project, variable))
        for path in parameter_paths(executable, project, environment):
            with suppress(OSError):
                lines = _parameters_in(Path(path).read_text(errors="replace"))
                found += [SetParameter(name, value, project, path) for name, value in lines.items()]
    return found


def parameter_paths(executable: str, project: str, environment: Mapping[str, str]) -> list[str]:
    """The paths of a project's parameter files, by precedence; they need not exist."""
    named = environment.get(f"{VARIABLE[project]}mca_base_param_files")
    if named:
        return re.split("[:,]", named)
    known = {"home": environment.get("HOME", ""), "prefix": _prefix_of(executable)}
    return [path.format(**known) for path in parameter_files(project)]


def _prefix_of(executable: str) -> str:
    program = os.path.realpath(shutil.which(executable) or executable)
    return os.path.dirname(os.path.dirname(program))


def _parameters_in(text: str) -> dict[str, str]:
    """`name = value` lines; `#` begins a comment."""
    pairs = (line.split("#")[0].partition("=") for line in text.splitlines())
    return {name.strip(): value.strip().strip("\"'") for name, equals, value in pairs if equals}
