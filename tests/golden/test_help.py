"""Golden help texts, one per subcommand, so that the interface changes only on purpose."""

import re
from pathlib import Path

import pytest
from corewise.cli import COMMANDS
from golden_files import compare_with_golden, goldens_are_of
from help_texts import golden_name, help_text, with_those_below

FOLDER = Path(__file__).parent / "help"
VERBS = with_those_below(COMMANDS)


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_the_help_text_is_the_golden_one(verb):
    compare_with_golden(help_text(*verb.split(), alone=True), FOLDER / f"{golden_name(verb)}.txt")


@pytest.mark.parametrize("verb", VERBS)
def test_every_subcommand_has_an_example_and_json(verb):
    text = help_text(*verb.split())
    assert re.search(rf"Example:\s+corewise {verb} ", text)
    assert "--json" in text


def test_no_golden_is_left_of_a_subcommand_that_is_gone():
    goldens_are_of(FOLDER, map(golden_name, ["", *VERBS]))
