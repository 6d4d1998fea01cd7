"""What a shell proposes at a TAB, by the scripts of `corewise completion`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import COMMANDS, cli
from corewise.cli.completing import SIMULATION_ENGINES
from corewise.simulation import ENGINES as ENGINES_FOR_SIMULATION
from test_programs import script


def proposed(*words: str) -> list[str]:
    """The answers to `corewise WORDS<TAB>`, as `type,value`. Standard error must be empty."""
    environment = os.environ | {
        "COMP_WORDS": " ".join(["corewise", *words]),
        "COMP_CWORD": str(len(words)),
        "_COREWISE_COMPLETE": "bash_complete",
    }
    call = "import sys; sys.argv[0] = 'corewise'; from corewise.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", call], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["to"], ["plain,topo"]),
        (["map", "--machi"], ["plain,--machine"]),
        (["map", "--machine", "draco"], ["plain,draco", "plain,draco-fitted"]),
        (["map", "--machine", "node.x"], ["file,node.x"]),
        (["map", "--effort", ""], ["plain,fast", "plain,default", "plain,strong"]),
        (["map", "--objective", "hop"], ["plain,hop-bytes"]),
        (["map", "--solver", "ka"], ["plain,kaminpar"]),
        (["map", "--machine", "a", "--machine", "b", "--se"], ["plain,--seed"]),
        (["export", "--for", "openmpi"], ["plain,openmpi4", "plain,openmpi5"]),
        (["export", "--script", "s"], ["plain,slurm"]),
        (["simulate", "--engine", "em"], ["plain,emulate"]),
        (["show", "--format", "met"], ["plain,metis"]),
        (["show", "app.pro"], ["file,app.pro"]),
        (["steer", "ex"], ["plain,explain"]),
        (["steer", "explain", "--pic"], ["plain,--picture"]),
        (["nosuch", "--x"], []),
    ],
)
def test_words_are_completed(words, answer):
    assert proposed(*words) == answer


def test_every_command_is_proposed():
    assert {f"plain,{name}" for name in COMMANDS} <= set(proposed(""))


def test_after_two_dashes_stand_a_launcher_that_is_here_and_then_files(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    script(tmp_path / "mpirun", "true")
    assert proposed("tune", "--", "") == ["plain,mpirun"]
    assert proposed("tune", "--", "mpirun", "./ap") == ["file,./ap"]


def test_a_tab_loads_neither_the_commands_nor_heavy_modules():
    script = (
        "import sys, click; from corewise.cli import cli; before = set(sys.modules)\n"
        "cli.shell_complete(click.Context(cli, resilient_parsing=True), 't')\n"
        "print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not any(name.startswith(("corewise.", "numpy")) for name in loaded.split())


def test_names_that_are_written_out_are_those_of_the_register():
    assert tuple(ENGINES_FOR_SIMULATION) == SIMULATION_ENGINES


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_the_script_is_one_that_the_shell_can_read(shell, tmp_path):
    printed = CliRunner().invoke(cli, ["completion", shell, "--json"]).stdout
    document = json.loads(printed)
    assert document["shell"] == shell and f"_COREWISE_COMPLETE={shell}_complete" in document["script"]
    if shutil.which(shell) is None:
        return
    (tmp_path / "script").write_text(document["script"])
    subprocess.run([shell, "-n", tmp_path / "script"], check=True)


def test_bash_completes_by_the_script():
    call = 'eval "$(corewise completion bash)"; COMP_WORDS=(corewise top); COMP_CWORD=1; '
    call += '_corewise_completion corewise; echo "${COMPREPLY[@]}"'
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", call], env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("topo\n", "")
