"""Arguments and file names that are not UTF-8: they work, and JSON, text and commands remain valid."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.files.whole_file import write_whole
from corewise.profile.inputs import read_input
from corewise.text.escaping import json_text, printable, shell_text

COREWISE = str(Path(sys.executable).with_name("corewise"))
NAME = "caf\udce9"  # "café" in Latin-1
SHOWN = r"caf\xe9"


@pytest.fixture
def matrix(tmp_path) -> str:
    """The name of a matrix file in `tmp_path`."""
    (tmp_path / f"{NAME}.txt").write_text("0 5\n5 0\n")
    return f"{NAME}.txt"


def corewise(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Runs corewise in a new process; its output must be UTF-8."""
    done = subprocess.run([COREWISE, *words], cwd=folder, capture_output=True, timeout=60, check=False)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_byte_is_shown_and_goes_back_to_itself():
    assert printable(NAME) == SHOWN
    assert printable("caf\u00e9 \U0001f480") == "caf\u00e9 \U0001f480"
    assert json.loads(json_text({NAME: [NAME, "\U0001f480", 1, None, (NAME,)]})) == {
        SHOWN: [SHOWN, "\U0001f480", 1, None, [SHOWN]]
    }


@pytest.mark.parametrize("word", [NAME, "it's \udcff\\ 100%", "plain word", "\udcff\udcff1"])
def test_a_command_is_copied_byte_by_byte(word):
    printed = subprocess.run(
        ["bash", "-c", shell_text(["printf", "%s", word])], capture_output=True, check=True
    )
    assert printed.stdout == os.fsencode(word)
    shell_text([word]).encode()


def test_a_text_file_is_utf_8(tmp_path):
    write_whole(tmp_path / NAME, NAME)
    assert (tmp_path / NAME).read_text(encoding="utf-8") == SHOWN


def test_readers_open_such_a_file_and_name_it_in_their_messages(tmp_path, matrix):
    assert read_input(str(tmp_path / matrix)).traffic.n_ranks == 2
    (tmp_path / matrix).write_text("0 5\n")
    with pytest.raises(Exception, match=r"caf\\xe9") as caught:
        read_input(str(tmp_path / matrix))
    assert type(caught.value).__name__ == "InputError"


@pytest.mark.parametrize("words", [["show"], ["advise"], ["map"], ["map", "--worst"]])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_matrix_of_such_a_name_is_read(tmp_path, matrix, words, form):
    done = corewise(tmp_path, *words, *form, "--", matrix)
    assert done.returncode == 0, done.stderr
    if form:
        json.loads(done.stdout)


def test_a_placement_a_picture_and_a_page_of_such_names_are_written_and_read(tmp_path, matrix):
    for words in (
        ["map", matrix, "-o", f"{NAME}.json"],
        ["score", f"{NAME}.json", matrix],
        ["show", matrix, "--picture", f"{NAME}.png"],
        ["topo", "--picture", f"{NAME}.svg"],
        ["export", f"{NAME}.json", "--for", "openmpi4", "-o", NAME],
    ):
        done = corewise(tmp_path, *words)
        assert done.returncode == 0, (words, done.stderr)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {NAME, *(f"{NAME}.{ending}" for ending in ("txt", "json", "png", "svg"))}
    assert (tmp_path / f"{NAME}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["show", NAME],
        ["topo", "--machine", f"{NAME}.xml"],
        ["topo", "--machine", f"{NAME}.toml"],
        ["map", NAME, "--solver", NAME],
        ["score", NAME, NAME],
        ["report", NAME],
        ["trace", "-o", "out", "--", NAME],
        ["run", "--placement", NAME, "--", "mpirun", NAME],
        [NAME],
        [f"--{NAME}"],
    ],
)
def test_what_is_not_there_is_told_in_one_sentence(tmp_path, words):
    done = corewise(tmp_path, *words)
    assert done.returncode in (2, 3)
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
