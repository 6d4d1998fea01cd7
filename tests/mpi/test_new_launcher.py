"""A launcher added only as docs/contributing/adding/launcher.md explains works in every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import new_launcher
import pytest
from corewise import machines
from test_run import placement

pytestmark = pytest.mark.parametrize("mpi", ["mpich"], indirect=True)


@pytest.fixture
def corewise(mpi, two_cores, tmp_path, monkeypatch):
    """Runs corewise with the launcher on PATH; returns its output."""
    program = tmp_path / "bin" / "startranks"
    program.parent.mkdir()
    program.write_text(new_launcher.PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)

    def run(*words: str, code: int = 0) -> str:
        argv = [sys.executable, str(Path(new_launcher.__file__)), *words]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.returncode == code, done.stderr
        return done.stderr if code == 2 else done.stdout

    return run


@pytest.fixture
def job(mpi) -> list[str]:
    return ["--", "startranks", "--ranks", "2", mpi.ring]


def test_export_writes_its_command(corewise, tmp_path):
    assert "run and verified here" in json.loads(corewise("export", "--list", "--json"))["startranks"]
    written = corewise("export", placement(tmp_path, [1, 0]), "--for", "startranks", "-o", "launch", "--json")
    assert json.loads(written)["argv"][:3] == ["startranks", "--ranks", "2"]


def test_trace_records_and_tune_does_the_main_job(corewise, job, tmp_path):
    corewise("trace", "-o", "app.profile", *job)
    assert json.loads(corewise("show", "app.profile", "--json"))["n_ranks"] == 2
    corewise("tune", "--dry-run", "-o", "planned", *job)
    assert (tmp_path / "planned" / "best.json").is_file()
    tuned = corewise("tune", "--json", "--repeats", "1", "--from", "app.profile", "-o", "tuned", *job)
    assert json.loads(tuned)["verified"] is True


def test_run_binds_and_verifies(corewise, job, tmp_path):
    place = placement(tmp_path, [1, 0])
    assert "startranks --ranks 2" in corewise("run", "--dry-run", "--placement", place, *job)
    document = json.loads(corewise("run", "--json", "--placement", place, *job))
    assert [rank["os_pus_seen"] for rank in document["ranks"]] == [
        machines.load("local").os_pus(core) for core in (1, 0)
    ]
    assert document["verified"] is True


def test_check_finds_traps_without_a_word_on_how_the_launcher_binds(corewise, job, mpi):
    assert json.loads(corewise("check", "--json", *job))["findings"] == []
    core = str(min(os.sched_getaffinity(0)))
    crowded = ["--", "startranks", "--ranks", "2", "taskset", "-c", core, mpi.ring]
    [finding] = json.loads(corewise("check", "--json", *crowded, code=1))["findings"]
    assert (finding["id"], finding["command"]) == ("shared-cores", None)


def test_steer_watches_without_acting(corewise, job):
    assert json.loads(corewise("steer", "--dry-run", "--json", *job))["swaps"] == 0


def test_probe_measures_links(corewise):
    document = json.loads(corewise("probe", "--json", "--repeat-time", "5", "--", "startranks"))
    assert document["command"] == ["startranks"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [("--bnd", "did you mean '--bind'?"), ("--bind", "'--bind core' maps or binds ranks")],
)
def test_options_are_refused_by_the_words_that_were_typed(corewise, tmp_path, typed, said):
    words = ["run", "--placement", placement(tmp_path, [1, 0]), "--", "startranks", typed, "core", "true"]
    assert said in corewise(*words, code=2)
