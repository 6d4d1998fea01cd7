"""laboratory/ptrans/build: hpcc's PTRANS as a separate program, which sends the same messages in each run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.model import Profile
from corewise_laboratory.studies.emulated import built

COREWISE = str(Path(sys.executable).with_name("corewise"))
ROOT_MAY = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ["mpirun.openmpi", "--oversubscribe", "-n", "4"]


@pytest.fixture(scope="module")
def program() -> str:
    try:
        return built("ptrans")
    except MissingError as error:
        pytest.skip(str(error))


def start(*words: str) -> subprocess.CompletedProcess:
    environment = os.environ | ROOT_MAY
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=100)


def test_it_passes_its_checks_and_sends_the_same_in_each_run(program, tmp_path):
    sent = []
    for name in ("first", "second"):
        folder = str(tmp_path / name)
        done = start(COREWISE, "trace", "-o", folder, "--", *MPIRUN, program, "200", "20", "2", "2")
        assert done.returncode == 0, done.stderr
        assert "5 tests completed and passed residual checks." in done.stdout
        columns = Profile.read(folder).traffic().folded().columns()
        sent.append([column.tolist() for column in columns])
    assert sent[0] == sent[1]
    assert len(sent[0][0]) > 4


@pytest.mark.parametrize(
    "words", [(), ("200", "20", "2", "3"), ("200", "20", "2", "x"), ("0", "20", "2", "2")]
)
def test_wrong_words_are_one_sentence(program, words):
    done = start(*MPIRUN, program, *words)
    assert done.returncode != 0
    assert "ptrans: expected  ptrans N BLOCK P Q  with P x Q at most the 4 ranks" in done.stderr
