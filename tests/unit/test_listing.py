"""`--list` of every command that has it: text for people, one JSON document with --json."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import COMMANDS, cli

LISTING = ["check", "export", "map", "show", "simulate", "topo"]


@pytest.mark.parametrize("verb", LISTING)
@pytest.mark.parametrize("order", [["--list", "--json"], ["--json", "--list"]])
def test_a_list_as_json_is_one_document(verb, order):
    done = CliRunner().invoke(cli, [verb, *order], catch_exceptions=False)
    assert isinstance(json.loads(done.stdout), dict)
    text = CliRunner().invoke(cli, [verb, "--list"], catch_exceptions=False).stdout
    assert text.strip() and not text.startswith("{")


def test_every_command_with_a_list_is_tested_here():
    helps = {verb: CliRunner().invoke(cli, [verb, "--help"]).stdout for verb in COMMANDS}
    assert sorted(verb for verb, text in helps.items() if "\n  --list " in text) == LISTING
