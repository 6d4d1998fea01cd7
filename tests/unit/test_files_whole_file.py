"""Files are written completely or not at all, and replace only regular files; no target gives a traceback."""

from __future__ import annotations

import os
import stat

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


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_replaced_file_keeps_its_mode(tmp_path, mode):
    target = tmp_path / "file"
    target.write_text("before")
    target.chmod(mode)
    write_whole(target, "after")
    assert target.read_text() == "after"
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "file", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_a_symbolic_link_is_neither_followed_nor_replaced(tmp_path):
    (tmp_path / "passwords").write_text("kept")
    for name, to in (("link", "passwords"), ("dangling", "new")):
        (tmp_path / name).symlink_to(tmp_path / to)
        with pytest.raises(InputError, match="it is a symbolic link; expected the name of a regular file"):
            write_whole(tmp_path / name, "lost")
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "passwords").read_text() == "kept"
    assert not (tmp_path / "new").exists()


def test_a_device_and_a_fifo_are_refused_and_stay(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for target, kind in (("/dev/null", "a device"), (tmp_path / "fifo", "a FIFO")):
        with pytest.raises(InputError, match=f"it is {kind}"):
            write_whole(tmp_path / target, "lost")
    assert stat.S_ISFIFO((tmp_path / "fifo").lstat().st_mode)
    assert stat.S_ISCHR(os.lstat("/dev/null").st_mode)
