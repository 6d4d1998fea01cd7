"""Files are written whole or not at all, and no target ends in a traceback."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.files.whole_file import write_whole


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    write_whole(tmp_path / "text", "before")
    write_whole(tmp_path / "text", "µs")
    write_whole(tmp_path / "bytes", b"\x89")
    assert (tmp_path / "text").read_text(encoding="utf-8") == "µs"
    assert {path.name for path in tmp_path.iterdir()} == {"text", "bytes"}


def test_a_target_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path):
    (tmp_path / "file").write_text("kept")
    for target in (tmp_path, tmp_path / "absent" / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match="could not be written"):
            write_whole(target, "lost")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("target", [".", "..", "/"])
def test_a_folder_as_target_is_one_sentence(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "square.txt").write_text("0 5\n5 0\n")
    for words in (["topo", "--svg", target], ["show", "square.txt", "--png", target]):
        with pytest.raises(InputError, match="it is a directory"):
            CliRunner().invoke(cli, words, catch_exceptions=False)
    assert [path.name for path in tmp_path.iterdir()] == ["square.txt"]
