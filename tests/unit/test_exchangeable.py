"""who_could_exchange(): checks the owner and mode of each folder and link on the way to a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.start.exchangeable import refuse_exchangeable, who_could_exchange
from corewise.start.folder import fresh_folder, working_directory

OTHER, ANOTHER = 4242, 4243

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")


@pytest.fixture
def place(tmp_path) -> Path:
    """A folder below another one, whose mode and owner a test changes."""
    (tmp_path / "above" / "below").mkdir(parents=True)
    return tmp_path / "above" / "below"


@pytest.mark.parametrize(
    ("owner", "group", "mode", "reason"),
    [
        (0, 0, 0o755, None),
        (0, 0, 0o775, None),  # root's group
        (0, 0, 0o777, "no sticky bit"),
        (0, 0, 0o1777, None),  # like /tmp
        (0, OTHER, 0o775, f"group number {OTHER}"),
        (0, OTHER, 0o1775, None),
        (OTHER, 0, 0o755, f"user number {OTHER}"),
        (OTHER, 0, 0o1777, f"user number {OTHER}"),  # the sticky bit does not restrict the folder's owner
    ],
)
def test_root_trusts_nobody_else(place, owner, group, mode, reason):
    for changed in (place, place.parent):
        os.chown(changed, owner, group)
        changed.chmod(mode)
        found = who_could_exchange(place)
        assert found is None if reason is None else reason in found and str(changed) in found
        os.chown(changed, 0, 0)
        changed.chmod(0o755)


def test_a_link_of_another_user_on_the_way_is_named(place, tmp_path):
    (tmp_path / "link").symlink_to("above/../above")
    assert who_could_exchange(tmp_path / "link" / "below") is None
    os.lchown(tmp_path / "link", OTHER, OTHER)
    assert (
        who_could_exchange(tmp_path / "link" / "below") == f"{tmp_path}/link belongs to user number {OTHER}"
    )


def found_as(user: int, groups: list[int], place: Path) -> str:
    """The result of who_could_exchange() if another user calls it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups(groups)
        os.setresgid(groups[0], groups[0], groups[0])
        os.setresuid(user, user, user)
        os.write(write, str(who_could_exchange(place)).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with open(read) as answer:
        return answer.read()


def test_who_works_in_a_folder_of_their_group_trusts_its_owner(place):
    for folder in place.parents:
        if folder.stat().st_mode & 0o077 == 0:
            folder.chmod(0o755)  # pytest creates private folders
    os.chown(place, OTHER, 77)
    place.chmod(0o2775)
    assert found_as(ANOTHER, [ANOTHER, 77], place) == "None"
    assert found_as(ANOTHER, [ANOTHER], place) == f"{place} belongs to user number {OTHER}"


def test_a_folder_to_keep_is_refused_and_a_hidden_one_goes_elsewhere(place, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    os.chown(place, OTHER, OTHER)
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(InputError, match=rf"out: another user could .*{OTHER}.*for example in {home}$"):
        refuse_exchangeable(Path("out"))
    with pytest.raises(InputError, match="another user could exchange it"), fresh_folder(Path("out")):
        pass
    with working_directory() as folder:
        assert folder.parent == home
    assert not list(place.iterdir()) and not list(home.iterdir())
