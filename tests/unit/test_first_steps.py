"""`corewise` without arguments: a few lines of advice. The commands and options in them exist."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from click import Option
from click.testing import CliRunner
from corewise.cli import COMMANDS, FIRST_STEPS, cli

COMMAND = re.compile(r"\? +corewise (?P<words>.+)")


def test_without_a_command_it_says_where_to_start():
    script = "from corewise.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == FIRST_STEPS + "\n"
    assert len(done.stderr.splitlines()) == 3


@pytest.mark.parametrize("line", FIRST_STEPS.splitlines())
def test_what_it_says_can_be_typed(line):
    own_words = COMMAND.search(line)["words"].partition(" -- ")[0].split()
    if own_words == ["--help"]:
        assert CliRunner().invoke(cli, own_words).exit_code == 0
        return
    verb, *options = own_words
    assert verb in COMMANDS
    parameters = cli.get_command(None, verb).params
    known = {name for parameter in parameters if isinstance(parameter, Option) for name in parameter.opts}
    assert {word for word in options if word.startswith("-")} <= known
