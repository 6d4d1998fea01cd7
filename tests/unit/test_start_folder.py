"""Folders that a command creates: private, never someone else's, removed at the end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.start.folder import InUse, alone_in, fresh_folder, private_folder, refuse_existing

NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")


def test_a_private_folder_is_the_user_s_alone_and_gone_at_the_end(tmp_path):
    with private_folder(tmp_path) as first, private_folder(tmp_path) as second:
        assert first != second
        assert stat.S_IMODE(first.stat().st_mode) == 0o700
    assert list(tmp_path.iterdir()) == []


def test_where_no_folder_can_be_made_one_sentence_says_so(tmp_path):
    with pytest.raises(InputError, match="can't be written to"), private_folder(tmp_path / "absent"):
        pass


def test_an_empty_folder_of_one_s_own_is_used_and_a_full_one_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with fresh_folder(tmp_path / "empty") as folder:
        (folder / "kept").write_text("")
    with pytest.raises(InputError, match="already exists"), fresh_folder(tmp_path / "empty"):
        pass
    assert (tmp_path / "empty" / "kept").exists()


def test_of_two_commands_with_one_folder_the_second_is_refused_and_the_first_keeps_what_it_has(tmp_path):
    with fresh_folder(tmp_path / "p") as folder, alone_in(folder) as own:
        (own / "settings").write_text("")
        with pytest.raises(InputError, match="already exists"), fresh_folder(folder):
            pass
        with pytest.raises(InUse, match="in use by another command"), alone_in(folder):
            pass
        assert (own / "settings").exists()
    assert folder.is_dir() and list(folder.iterdir()) == []


@as_root
def test_a_folder_that_another_user_prepared_is_refused(tmp_path):
    (tmp_path / "prepared").mkdir()
    os.chown(tmp_path / "prepared", NOBODY, NOBODY)
    with pytest.raises(InputError, match="belongs to another user"), fresh_folder(tmp_path / "prepared"):
        pass
    assert (tmp_path / "prepared").is_dir()


def test_a_link_to_an_empty_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="already exists"):
        refuse_existing(tmp_path / "link")


@as_root
def test_in_a_shared_folder_nobody_else_can_enter_what_root_made(tmp_path):
    shared = Path("/tmp")
    with private_folder(shared) as folder:
        (folder / "settings").write_text("")
        child = os.fork()
        if child == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            try:
                os.listdir(folder)
            except PermissionError:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
