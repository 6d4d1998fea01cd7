"""`corewise export`: commands, files, job scripts and refusals (exports.txt)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise import machines
from corewise.batch import BATCH_SYSTEMS
from corewise.cli import cli
from corewise.launchers import EXPORTED, LAUNCHERS
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.start.programs import BINDER, native
from golden_files import compare_answers

ROOT = Path(__file__).parents[2]
GPUS = "fixtures/topologies/gpus.xml"

# name -> the cores of its ranks, and the machine
PLACEMENTS = {
    "two.json": ([0, 8], "draco:2"),
    "three.json": ([0, 16], "draco:3"),
    "returning.json": ([0, 8, 1], "draco:2"),
    "gpus.json": ([1, 0, 4], GPUS),
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of the placements; the current one is the repository's."""
    monkeypatch.chdir(ROOT)
    for name, (cores, machine) in PLACEMENTS.items():
        Placement.of(Assignment.from_cores(cores), machines.load(machine)).write(tmp_path / name)
    return tmp_path


def test_export_writes_what_is_written_down(folder):
    def answer(question: str) -> str:
        given = question.split()
        environment = dict(word.split("=") for word in given if re.match("[A-Z_]+=", word))
        words = [str(folder / one) if one.endswith(".json") else one for one in given[len(environment) :]]
        done = CliRunner().invoke(cli, ["export", *words], env=environment, standalone_mode=False)
        text = done.output.rstrip("\n") if done.exception is None else f"refused: {done.exception}"
        for shown, name in {native(BINDER): "/opt/corewise/corewise-bind", f"{folder}/": ""}.items():
            text = text.replace(shown, name)
        return "\n".join(f"  {line}".rstrip() for line in text.splitlines())

    compare_answers(Path(__file__).with_name("exports.txt"), answer)


def test_the_list_shows_launchers_and_batch_systems():
    lines = CliRunner().invoke(cli, ["export", "--list"]).output.splitlines()
    names = sorted([*LAUNCHERS, *EXPORTED])
    assert [line.split()[0] for line in lines[: len(names)]] == names
    assert [line.split()[:2] for line in lines[len(names) :]] == [
        ["--script", name] for name in BATCH_SYSTEMS
    ]
    run_here = {line.split()[0] for line in lines[: len(names)] if "(run and verified here)" in line}
    assert run_here == set(LAUNCHERS)


def test_files_that_are_there_are_not_overwritten(folder):
    (folder / "rankfile").write_text("mine")
    words = ["export", str(folder / "two.json"), "--for", "openmpi4", "-o", str(folder)]
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    assert "rankfile already exists" in str(done.exception)
    assert (folder / "rankfile").read_text() == "mine"
