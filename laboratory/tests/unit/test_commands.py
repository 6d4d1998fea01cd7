"""The laboratory's commands: their lists, the modules that they load, and the error for an unknown name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import LABORATORY, cli
from corewise_laboratory.cli import COMMANDS
from corewise_laboratory.clusters import KINDS
from corewise_laboratory.microbench import MICROBENCHES

COREWISE = str(Path(sys.executable).with_name("corewise"))
LISTING = ["bench", "lab", "study"]


@pytest.mark.parametrize("verb", LISTING)
@pytest.mark.parametrize("order", [["--list", "--json"], ["--json", "--list"]])
def test_a_list_as_json_is_one_document(verb, order):
    done = CliRunner().invoke(cli, [verb, *order], catch_exceptions=False)
    assert isinstance(json.loads(done.stdout), dict)
    text = CliRunner().invoke(cli, [verb, "--list"], catch_exceptions=False).stdout
    assert text.strip() and not text.startswith("{")


@pytest.mark.parametrize("verb", ["bench", "study"])
def test_without_a_name_the_list_is_pointed_to(verb):
    done = CliRunner().invoke(cli, [verb])
    assert done.exit_code == 2
    assert "(or --list)" in done.output


@pytest.mark.parametrize("verb", ["bench", "study", "sweep"])
def test_a_name_that_is_not_there_is_told_in_one_sentence(tmp_path, verb):
    done = subprocess.run([COREWISE, verb, "caf\udce9"], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode in (2, 3)
    assert b"Traceback" not in done.stderr and rb"caf\xe9" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_command_imports_nothing_heavy_before_it_is_called(verb):
    script = f"import sys, corewise_laboratory.cli.{verb}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert {"corewise._core", "jinja2", "matplotlib", "numpy"} & set(loaded.split()) == set()


def test_registers_are_sorted_by_name():
    assert list(COMMANDS) == sorted(COMMANDS)
    assert list(MICROBENCHES) == sorted(MICROBENCHES)
    assert list(KINDS) == sorted(KINDS)


def test_the_tool_knows_whose_commands_these_are():
    assert tuple(COMMANDS) == LABORATORY
