"""Golden help texts, one a subcommand: the interface changes only on purpose."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from corewise.cli import COMMANDS, cli
from golden_files import compare_with_golden, goldens_are_of

FOLDER = Path(__file__).parent / "help"
GROUPS = {
    name: group.commands for name in COMMANDS if isinstance(group := cli.get_command(None, name), click.Group)
}
VERBS = [*COMMANDS, *(f"{name} {below}" for name, commands in GROUPS.items() for below in commands)]


@cache
def help_text(*words: str) -> str:
    """A process of its own: click keeps a command's help option from its first use in a process."""
    call = f"from corewise.cli import cli; cli({[*words, '--help']}, 'corewise', terminal_width=100)"
    return subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True).stdout


def golden_name(verb: str) -> str:
    """`steer explain` is in steer-explain.txt."""
    return verb.replace(" ", "-") or "corewise"


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_the_help_text_is_the_golden_one(verb):
    compare_with_golden(help_text(*verb.split()), FOLDER / f"{golden_name(verb)}.txt")


@pytest.mark.parametrize("verb", VERBS)
def test_every_subcommand_has_an_example_and_json(verb):
    text = help_text(*verb.split())
    assert re.search(rf"Example:\s+corewise {verb} ", text)
    assert "--json" in text


def test_no_golden_is_left_of_a_subcommand_that_is_gone():
    goldens_are_of(FOLDER, map(golden_name, ["", *VERBS]))
