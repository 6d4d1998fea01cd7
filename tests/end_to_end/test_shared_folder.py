"""Root works in a sticky folder that another user prepared: no file of that user is loaded or overwritten."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))
NOBODY = 65534

LIBRARY = """
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) {
  int fd = open("MARK", O_WRONLY | O_CREAT, 0666);
  if (fd >= 0) close(fd);
}
"""

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can work as another user"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here"),
]


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder like /tmp: all users may write there, but not rename or remove files of others."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o1777)
        yield folder


def as_nobody(script: str, folder: Path) -> None:
    words = ["sh", "-euc", script]
    subprocess.run(words, cwd=folder, user=NOBODY, group=NOBODY, extra_groups=[], check=True)


def as_root(*words: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COREWISE, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def native_libraries() -> list[str]:
    return [entry.name for entry in (resources.files("corewise") / "native").iterdir()]


def prepare_libraries(shared: Path) -> Path:
    """Puts the other user's library at every path that corewise might use, in the folder and next to it."""
    mark = shared / "mark"
    (shared / "evil.c").write_text(LIBRARY.replace("MARK", str(mark)))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "evil.so", "evil.c"], cwd=shared, check=True)
    (shared / "evil.so").chmod(0o755)
    names = ("corewise-tune", "corewise-tune-2", "prepared", ".corewise-run", ".corewise", "native", "launch")
    libraries = " ".join(native_libraries())
    fill = f"for library in {libraries}; do cp evil.so $folder/$library; done"
    as_nobody(f"for folder in {' '.join(names)}; do mkdir -m 777 $folder; {fill}; done", shared)
    as_nobody(f"folder=.; {fill}; mkdir -m 777 empty", shared)
    return mark


def test_the_library_does_mark_where_it_is_loaded(shared):
    mark = prepare_libraries(shared)
    subprocess.run(["true"], env={"LD_PRELOAD": str(shared / "evil.so")}, check=True)
    assert mark.exists()


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun here")
@pytest.mark.parametrize("words", [["trace", "-o", "FOLDER"], ["tune", "-o", "FOLDER"], ["tune"]])
@pytest.mark.parametrize("folder", ["prepared", "empty"])
def test_no_library_from_a_prepared_folder_is_loaded(shared, words, folder):
    mark = prepare_libraries(shared)
    words = [folder if word == "FOLDER" else word for word in words]
    done = as_root(*words, "--", "mpirun", "--oversubscribe", "-n", "1", "hostname", folder=shared)
    assert not mark.exists()
    assert done.returncode in (1, 2)  # hostname is no MPI program; before that, a foreign folder is refused
    if folder in words:
        assert "already exists" in done.stderr or "belongs to another user" in done.stderr


OUTPUTS = {
    "map": ["map", "square.txt", "--machine", "draco:1", "-o", "out"],
    "topo": ["topo", "--machine", "draco:1", "--svg", "out"],
    "show": ["show", "square.txt", "--png", "out"],
    "report": ["report", "run.json", "-o", "out"],
    "export": ["export", "placement.json", "--for", "openmpi4", "-o", "out"],
    "trace": ["trace", "-o", "out", "--", "mpirun", "-n", "1", "hostname"],
    "tune": ["tune", "-o", "out", "--", "mpirun", "-n", "1", "hostname"],
    "sweep": ["sweep", "sweep.toml", "-o", "out"],
}


def inputs(folder: Path) -> None:
    """Writes the inputs of the commands, among them a placement."""
    (folder / "square.txt").write_text("0 5\n5 0\n")
    (folder / "sweep.toml").write_text(
        'format = "corewise-sweep"\nversion = 1\ncommand = ["true", "{a}"]\n[axes]\na = [1]\n'
    )
    run = {"format": "corewise-run", "version": 1, "label": "best", "command": ["a"], "source": "measured"}
    run |= {"ranks": [], "wall_s": 1.0, "app_s": None, "mpi_s": None, "exit_code": 0}
    (folder / "run.json").write_text(json.dumps(run))
    made = as_root("map", "square.txt", "--machine", "draco:1", "-o", "placement.json", folder=folder)
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.parametrize("target", ["a file", "nothing yet", "a folder"])
def test_an_output_does_not_follow_another_user_s_link(shared, tmp_path, command, target):
    inputs(shared)
    victim = tmp_path / "victim"
    if target == "a file":
        victim.write_text("kept")
    elif target == "a folder":
        victim.mkdir()
    as_nobody(f"ln -s {victim} out", shared)
    done = as_root(*OUTPUTS[command], folder=shared)
    assert done.returncode == 2, done.stderr
    assert (shared / "out").is_symlink()
    assert not victim.is_file() or victim.read_text() == "kept"
    assert not victim.is_dir() or list(victim.iterdir()) == []
    assert victim.exists() == (target != "nothing yet")


@pytest.fixture
def foreign(shared) -> Path:
    """A folder of another user, who can rename the files that root creates in it."""
    as_nobody("mkdir -m 755 theirs", shared)
    return shared / "theirs"


@pytest.mark.parametrize("command", ["trace", "tune", "sweep"])
def test_a_folder_that_another_user_could_exchange_is_refused(foreign, command):
    (foreign / "sweep.toml").write_text(
        'format = "corewise-sweep"\nversion = 1\ncommand = ["true", "{a}"]\n[axes]\na = [1]\n'
    )
    done = as_root(*OUTPUTS[command], folder=foreign)
    assert done.returncode == 2
    assert f"out: another user could exchange it while it is in use ({foreign} belongs to" in done.stderr
    assert len(done.stderr.splitlines()) == 1 and not (foreign / "out").exists()


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun here")
def test_no_hidden_folder_lies_where_another_user_could_exchange_it(foreign, tmp_path):
    """The ranks search for hidden folders during the run."""
    look = "ls -A; echo looked"
    words = ["steer", "-o", "log", "--", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
    done = as_root(*words, "sh", "-c", look, folder=foreign)
    assert done.stdout.split() == ["looked", "looked"], done.stderr
    assert not list(foreign.iterdir())
