"""Golden help texts, one a subcommand: the interface changes only on purpose.

After a change on purpose: CW_UPDATE_GOLDEN=1 pytest tests/golden/test_help.py, then read the difference.
"""

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import COMMANDS, cli

FOLDER = Path(__file__).parent / "help"


def help_text(*words: str) -> str:
    outcome = CliRunner().invoke(cli, [*words, "--help"], prog_name="corewise", terminal_width=100)
    assert outcome.exit_code == 0
    return outcome.stdout


@pytest.mark.parametrize("verb", ["", *COMMANDS])
def test_the_help_text_is_the_golden_one(verb):
    text, golden = help_text(*verb.split()), FOLDER / f"{verb or 'corewise'}.txt"
    if os.environ.get("CW_UPDATE_GOLDEN"):
        golden.write_text(text)
    assert golden.exists(), f"no golden for '{verb}': run this test once with CW_UPDATE_GOLDEN=1"
    assert text == golden.read_text()


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_subcommand_has_an_example_and_json(verb):
    text = help_text(verb)
    assert re.search(rf"Example:\s+corewise {verb} ", text)
    assert "--json" in text


def test_no_golden_is_left_of_a_subcommand_that_is_gone():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {"corewise", *COMMANDS}
