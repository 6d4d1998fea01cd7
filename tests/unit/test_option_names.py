"""Messages name an option as the user gave it: a keyword in Python, an option on the command line."""

import ast
import re

import corewise
import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError, option, options_typed
from sources import python_modules

RING = np.roll(np.eye(4, dtype=int), 1, axis=1) * 1000

# request -> the option in the message: in Python, on the command line
ASKED = [
    ({"free": ["0:x"]}, ("'0:x' in free=;", "'0:x' in --free;")),
    ({"fix": ["0:1"]}, ("'0:1' in fix=;", "'0:1' in --fix;")),
    ({"fix": ["0=0:0-2"]}, ("as many (cores_per_rank=)", "as many (--cores-per-rank)")),
    (
        {"solver": "kaminpar", "worst": True},
        ('expected solver="auto"', "expected --solver auto"),
    ),
]


def as_words(asked: dict) -> list[str]:
    words: list[str] = []
    for name, value in asked.items():
        words.append(f"--{name}")
        words += value if isinstance(value, list) else [] if value is True else [value]
    return words


@pytest.mark.parametrize(("asked", "names"), ASKED, ids=["free", "fix", "width", "solver"])
def test_python_reads_of_keywords_and_the_command_line_of_options(asked, names, tmp_path):
    path = tmp_path / "ring.npy"
    np.save(path, RING)
    with pytest.raises(InputError) as of_python:
        corewise.map(path, "draco:1", **asked)
    with pytest.raises(InputError) as of_command:
        CliRunner().invoke(
            cli, ["map", str(path), "--machine", "draco:1", *as_words(asked)], catch_exceptions=False
        )
    assert names[0] in str(of_python.value)
    assert names[1] in str(of_command.value)


def test_an_option_has_dashes_only_while_a_command_runs():
    assert (option("near"), option("mode", "count"), option("timeout", 3, keyword="timeout_s")) == (
        "near=",
        'mode="count"',
        "timeout_s=3",
    )
    with options_typed():
        assert (option("near"), option("mode", "count")) == ("--near", "--mode count")
    assert option("cores-per-rank") == "cores_per_rank="


# Packages whose strings contain other programs' options, or are only read on a command line.
ELSEWHERE = {"batch", "checks", "cli", "installation", "launchers", "page"}
OURS = r"--(?:cores-per-rank|deadline|effort|engine|event-mib|fix|format|free|near|oversubscribe|solver)\b"


def messages(tree: ast.Module) -> list[str]:
    """The strings of a module, without docstrings and without commands in backticks."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings
    )
    return [re.sub("`.*?`", "", node.value) for node in strings if isinstance(node.value, str)]


def test_no_message_below_the_command_line_spells_out_an_option_of_a_verb():
    spelled = {
        name: [text for text in messages(tree) if re.search(OURS, text)]
        for name, tree in python_modules().items()
        if not ELSEWHERE & set(name.split("."))
    }
    assert {name: texts for name, texts in spelled.items() if texts} == {}
