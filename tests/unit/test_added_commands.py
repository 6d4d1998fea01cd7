"""Commands that another package adds to `corewise` by an entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.cli import LABORATORY

CALL = "from corewise.cli import main; main()"
ALONE = f"import corewise.cli; corewise.cli.added_commands = dict; {CALL}"


def corewise(*words: str, call: str = CALL, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    argv = [sys.executable, "-c", call, *words]
    return subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture
def package(tmp_path) -> Path:
    """The folder of an installed package `greeting`, which adds the commands `hello` and `topo`."""
    (tmp_path / "greeting").mkdir()
    table = {"hello": "Say hello.", "topo": "Not the tool's."}
    (tmp_path / "greeting" / "__init__.py").write_text(f"COMMANDS = {table}\n")
    source = "import click\n@click.command()\ndef command():\n    print('hello')\n"
    for name in table:
        (tmp_path / "greeting" / f"{name}.py").write_text(source)
    installed = tmp_path / "greeting-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: greeting\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[corewise.commands]\nfriends = greeting:COMMANDS\n")
    return tmp_path


def test_they_are_listed_under_a_heading_of_their_own_and_run(package):
    listed = corewise("--help", path=package).stdout
    assert "\nFriends:\n  hello  Say hello.\n" in listed
    assert corewise("hello", path=package).stdout == "hello\n"
    assert "did you mean 'hello'" in corewise("helo", path=package).stderr


def test_they_replace_no_command_of_the_tool(package):
    assert "hello" not in corewise("topo", "--list", path=package).stdout


def test_a_package_that_cannot_be_loaded_is_left_out_with_a_note(package):
    (package / "greeting" / "__init__.py").write_text("import no_such_library\n")
    done = corewise("--help", path=package)
    assert done.returncode == 0 and "Friends:" not in done.stdout
    assert "note: commands of greeting are left out: No module named 'no_such_library'" in done.stderr


@pytest.mark.parametrize("name", LABORATORY)
def test_without_the_laboratory_its_commands_name_the_package_to_install(name):
    done = corewise(name, "--list", call=ALONE)
    assert done.returncode == 3
    assert done.stderr == (
        f"corewise: {name} is a command of the laboratory, which is not installed; install the package "
        "corewise-laboratory (from the sources: scripts/setup)\n"
    )
