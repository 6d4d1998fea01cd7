"""Golden help texts of the laboratory's commands, and their group in `corewise --help`."""

import re
from pathlib import Path

import pytest
from corewise_laboratory.cli import COMMANDS
from golden_files import compare_with_golden, goldens_are_of
from help_texts import golden_name, help_text, with_those_below

FOLDER = Path(__file__).parent / "help"
VERBS = with_those_below(COMMANDS)


def test_the_commands_are_a_group_of_their_own_after_those_of_the_tool():
    group = help_text().removeprefix(help_text(alone=True))
    compare_with_golden(group, FOLDER / "corewise.txt")


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_text_is_the_golden_one_and_has_an_example_and_json(verb):
    text = help_text(*verb.split())
    compare_with_golden(text, FOLDER / f"{golden_name(verb)}.txt")
    assert re.search(rf"Example:\s+corewise {verb} ", text)
    assert "--json" in text


def test_no_golden_is_left_of_a_subcommand_that_is_gone():
    goldens_are_of(FOLDER, map(golden_name, ["", *VERBS]))
