"""Hidden folders of killed commands: the next command removes them, unless a process still holds the lock."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.execute import in_use
from corewise.execute.in_use import hidden_folder, remove_abandoned

# Holds a folder and waits; on request, a child process holds the folder, too.
HOLDER = """
import subprocess, sys
from pathlib import Path
from corewise.execute.in_use import hidden_folder, inherited_locks
with hidden_folder(Path(sys.argv[1]), ".corewise-") as folder:
    (folder / "settings").write_text("")
    if sys.argv[2] == "child":
        with inherited_locks():
            child = subprocess.Popen(["cat"], stdin=sys.stdin, close_fds=False)
    print(folder, flush=True)
    sys.stdin.read() if sys.argv[2] != "child" else child.wait()
"""


@pytest.fixture
def killed(tmp_path):
    """Creates a folder in a process and kills that process. A child of it lives until the test ends."""
    jobs = []

    def make(child: str, *before: str) -> Path:
        words = [*before, sys.executable, "-c", HOLDER, str(tmp_path), child]
        job = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        jobs.append(job)
        folder = Path(job.stdout.readline().strip())
        job.send_signal(signal.SIGKILL)
        job.wait(30)
        return folder

    yield make
    for job in jobs:
        job.stdin.close()  # ends the child
        job.stdout.close()


def test_the_folder_of_a_killed_command_goes_with_the_next_one(killed, tmp_path):
    folder = killed("alone")
    assert folder.exists()
    with hidden_folder(tmp_path, ".corewise-") as own:
        assert list(tmp_path.iterdir()) == [own]
    assert not list(tmp_path.iterdir())


def test_a_launcher_that_outlives_its_command_keeps_the_folder(killed, tmp_path):
    folder = killed("child")
    remove_abandoned(tmp_path, ".corewise-")
    assert (folder / "settings").exists()


def test_a_folder_in_use_stays_and_so_does_what_is_none(tmp_path, monkeypatch):
    (tmp_path / ".corewise-abcdefgh").mkdir(mode=0o700)  # a folder without a lock
    (tmp_path / ".corewise-data").mkdir(mode=0o700)
    with hidden_folder(tmp_path, ".corewise-") as own:
        remove_abandoned(tmp_path, ".corewise-")
        assert own.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".corewise-abcdefgh", ".corewise-data"]


def test_what_another_host_may_hold_stays(killed, tmp_path, monkeypatch):
    folder = killed("alone")
    monkeypatch.setattr(in_use, "boot_id", lambda: "another boot")
    remove_abandoned(tmp_path, ".corewise-")
    assert folder.exists()


def test_a_folder_that_is_kept_is_not_removed_later(tmp_path):
    with hidden_folder(tmp_path, ".corewise-", lambda folder: True) as folder:
        (folder / "log").write_text("")
    remove_abandoned(tmp_path, ".corewise-")
    assert [path.name for path in folder.iterdir()] == ["log"]
