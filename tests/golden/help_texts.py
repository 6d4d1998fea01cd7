"""Help texts as users see them, each printed by its own process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import cache

import click
from corewise.cli import cli


@cache
def help_text(*words: str, alone: bool = False) -> str:
    """Returns what `corewise WORDS --help` prints; with `alone`, without the commands of other packages.

    Runs in a new process, because click keeps the help option that a command was first used with.
    """
    without = "corewise.cli.added_commands = dict; " if alone else ""
    call = f"corewise.cli.cli({[*words, '--help']}, 'corewise', terminal_width=100)"
    argv = [sys.executable, "-c", f"import corewise.cli; {without}{call}"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


def with_those_below(commands: Iterable[str]) -> list[str]:
    """The commands, and the subcommands of groups: `steer`, `steer explain`."""
    verbs = list(commands)
    for name in list(verbs):
        if isinstance(group := cli.get_command(None, name), click.Group):
            verbs += [f"{name} {below}" for below in group.commands]
    return verbs


def golden_name(verb: str) -> str:
    """The help of `steer explain` is in steer-explain.txt."""
    return verb.replace(" ", "-") or "corewise"
