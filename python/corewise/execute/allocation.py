"""The hosts of an allocation: node i of the machine is the i-th distinct host that the command names."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.launchers import Command, Launcher


def hosts_of(command: Command, launcher: Launcher) -> list[str] | None:
    """Distinct hosts in the order the command gives them; None where it gives none.

    Raises InputError for a host file that can't be read.
    """
    names: list[str] = []
    for program in command.programs:
        for option in program.options:
            if option.name in launcher.options.host_list:
                names += [_host(word) for word in option.values[0].split(",")]
            elif option.name in launcher.options.host_file:
                names += _hosts_in(Path(option.values[0]))
    return list(dict.fromkeys(name for name in names if name)) or None


def _hosts_in(path: Path) -> list[str]:
    """`HOST`, `HOST:4` or `HOST slots=4`, one a line, `#` begins a comment: what all host files share."""
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise InputError(f"host file {path}: could not be read ({error.strerror})") from error
    first_words = [line.split("#")[0].split() for line in lines]
    return [_host(words[0]) for words in first_words if words]


def _host(word: str) -> str:
    return word.strip().split(":")[0]
