"""What is refused, and the sentence for it: damaged files, wrong commands, and wrong arguments in Python."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import corewise
import networkx
import numpy as np
import polars
import pyarrow
import pytest
from click import ClickException
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from corewise.mapping.placement_input import read_placement_input
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.profile.inputs import read_input
from golden_files import compare_answers
from scipy import sparse

HERE = Path(__file__).parent


def refused(call, *hidden: Path) -> str:
    """The error of a call, on one line and without the names of folders."""
    with pytest.raises((InputError, ClickException)) as refusal:
        call()
    error = refusal.value
    sentence = error.format_message() if isinstance(error, ClickException) else str(error)
    assert "\n" not in sentence
    for folder in hidden:
        sentence = sentence.replace(f"{folder}/", "")
    return sentence


def test_damaged_inputs_are_refused_as_written_down(tmp_path):
    def answer(question: str) -> str:
        """For "NAME <<< TEXT"."""
        name, _, text = question.partition(" <<< ")
        (tmp_path / name).write_bytes(text.encode().decode("unicode_escape").encode("latin1"))
        return refused(lambda: read_input(str(tmp_path / name)), tmp_path)

    compare_answers(HERE / "damaged_inputs.txt", answer)


def test_unsound_placements_are_refused_as_written_down(tmp_path):
    sound = Placement(
        "local", "f", ["f"], [0, 0], [[1], [0]], [[1], [0]], objective="hop-bytes", solver="exact"
    )

    def answer(question: str) -> str:
        """For the fields that are replaced, as JSON."""
        (tmp_path / "p.json").write_text(json.dumps(sound.to_json() | json.loads(question)))
        return refused(lambda: Placement.read(tmp_path / "p.json"), tmp_path)

    compare_answers(HERE / "unsound_placements.txt", answer)


@pytest.mark.filterwarnings("ignore::corewise.errors.Note")
def test_wrong_rankfiles_and_rank_orders_are_refused_as_written_down(tmp_path):
    def answer(question: str) -> str:
        """For "MACHINE NAME <<< TEXT"."""
        named, _, text = question.partition(" <<< ")
        machine, _, name = named.rpartition(" ")
        (tmp_path / name).write_text(text.encode().decode("unicode_escape"))
        return refused(lambda: read_placement_input(tmp_path / name, lambda: load(machine)), tmp_path)

    compare_answers(HERE / "wrong_orders.txt", answer)


PLACEMENTS = {"other.json": (2, "draco:2"), "two.json": (2, "pe1550:2"), "four.json": (4, "pe1550:2")}


def test_wrong_commands_are_refused_as_written_down(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ring = np.roll(np.eye(8, dtype=np.int64), 1, axis=1)
    np.savez("ring.npz", bytes=100 * ring, msgs=ring)
    for name, (n_ranks, machine) in PLACEMENTS.items():
        Placement.of(Assignment.from_cores(range(n_ranks)), load(machine)).write(tmp_path / name)

    def answer(question: str) -> str:
        call = CliRunner().invoke
        return refused(
            lambda: call(cli, shlex.split(question), standalone_mode=False, catch_exceptions=False)
        )

    compare_answers(HERE / "wrong_commands.txt", answer)


def square() -> np.ndarray:
    """Rank i of 16 sends to rank i + 8."""
    return np.roll(np.eye(16, dtype=int), 8, axis=1) * 10**6


def best() -> corewise.Mapping:
    return corewise.map(square(), "draco:2", effort="fast")


def test_wrong_arguments_are_refused_as_written_down():
    names = {"corewise": corewise, "networkx": networkx, "np": np, "polars": polars, "pyarrow": pyarrow}
    names |= {"sparse": sparse, "square": square, "best": best}
    compare_answers(HERE / "python_calls.txt", lambda question: refused(lambda: eval(question, names)))
