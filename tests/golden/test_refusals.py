"""What is refused, and the sentence for it: damaged files, wrong commands, and wrong arguments in Python."""

from __future__ import annotations

import json
import shlex
import shutil
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
from corewise.errors import CorewiseError
from corewise.files.table import Table
from corewise.launchers.hosts import distinct_names
from corewise.machines import load
from corewise.machines.devices import cores_near
from corewise.mapping.binding_request import check_widths
from corewise.mapping.placement_input import read_placement_input
from corewise.mapping.process_binding import bind_processes
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.profile import patterns
from corewise.profile.inputs import read_input
from corewise.simulation.emulated_nodes import link_rate
from corewise.simulation.smpi_platform import platform_xml
from corewise.steering.machine import core_lines
from corewise.text.node_list import expand_node_list
from golden_files import compare_answers
from profile_cases import two_phase_profile
from report_cases import REPEATS, tune_result
from scipy import sparse

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"


def refused(call, *hidden: Path) -> str:
    """The error of a call, on one line and without the names of folders."""
    with pytest.raises((CorewiseError, ClickException)) as refusal:
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
        """For the fields that are replaced, as JSON, or "= " and the whole text."""
        whole = question.startswith("= ")
        text = question[2:] if whole else json.dumps(sound.to_json() | json.loads(question))
        (tmp_path / "p.json").write_text(text)
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
TEXTS = {
    "empty.json": "",
    "list.json": "[]",
    "notes.png": "notes",
    "notes.svg": "notes",
    "notes.toml": "notes",
    "broken.steer-log": "broken\n",
    "colour.steer-log": "corewise-steer-log 1\ncore id=0 pus=0 colour=3\n",
}


def write_inputs(folder: Path) -> None:
    """The files that the recorded commands name."""
    for name, n_ranks in {"ring": 8, "other": 8, "sixteen": 16}.items():
        ring = np.roll(np.eye(n_ranks, dtype=np.int64), 1, axis=1)
        np.savez(folder / f"{name}.npz", bytes=100 * ring, msgs=ring)
    for name, (n_ranks, machine) in PLACEMENTS.items():
        Placement.of(Assignment.from_cores(range(n_ranks)), load(machine)).write(folder / name)
    two_phase_profile().write(folder / "two.profile")
    log = shutil.copy(FIXTURES / "steer" / "idleness.steer-log", folder / "run.steer-log")
    (folder / "head.steer-log").write_text(Path(log).read_text().partition("tick ")[0])
    (folder / "terminal.steer-log").write_bytes(b"\x1b]0;title\x07\xff\xfe\r\n")
    for name in ("empty", "tune"):
        (folder / name).mkdir()
    result = tune_result(times_s=REPEATS)
    result.write(folder / "tune" / "tune.json")
    (folder / "best.json").write_text(json.dumps(result.candidate("best").runs[0].to_json()))
    for name, text in TEXTS.items():
        (folder / name).write_text(text)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_wrong_commands_are_refused_as_written_down_and_write_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    before = contents(tmp_path)

    def answer(question: str) -> str:
        call = CliRunner().invoke
        return refused(
            lambda: call(cli, shlex.split(question), standalone_mode=False, catch_exceptions=False), tmp_path
        )

    compare_answers(HERE / "wrong_commands.txt", answer)
    assert contents(tmp_path) == before


def square() -> np.ndarray:
    """Rank i of 16 sends to rank i + 8."""
    return np.roll(np.eye(16, dtype=int), 8, axis=1) * 10**6


def best() -> corewise.Mapping:
    return corewise.map(square(), "draco:2", effort="fast")


def changed_run(**changes) -> Run:
    """A run, read from its document with these fields changed."""
    document = Run("best", ["app"], "measured", [], 1.0, None, None, 0).to_json()
    return Run.from_table(Table(Path("run.json"), "", document | changes))


def npz(**arrays) -> corewise.Input:
    """What is read from an archive with these arrays."""
    np.savez("m.npz", **arrays)
    return corewise.read("m.npz")


CALLED = (
    *(bind_processes, changed_run, check_widths, core_lines, cores_near, distinct_names, expand_node_list),
    *(link_rate, load, npz, platform_xml, square, best),
)


def test_wrong_arguments_are_refused_as_written_down(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"corewise": corewise, "networkx": networkx, "np": np, "polars": polars, "pyarrow": pyarrow}
    names |= {"sparse": sparse, "patterns": patterns, "GPUS": str(FIXTURES / "topologies" / "gpus.xml")}
    names |= {called.__name__: called for called in CALLED}
    compare_answers(
        HERE / "python_calls.txt", lambda question: refused(lambda: eval(question, names), FIXTURES)
    )
