"""`corewise export`: the printed command puts every rank where the placement says, without corewise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from corewise import machines
from corewise.batch import BATCH_SYSTEMS
from corewise.launchers import EXPORTED, LAUNCHERS
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.start.programs import find_launcher
from mpis_here import SHOW_MASK

COREWISE = str(Path(sys.executable).with_name("corewise"))


def export(*words: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COREWISE, "export", *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def placement(folder: Path, cores: list[int], machine: str = "local", **more) -> str:
    path = folder / "placement.json"
    Placement.of(Assignment.from_cores(cores), machines.load(machine), **more).write(path)
    return str(path)


@pytest.mark.parametrize("cores", [[0, 1], [1, 0], [1, 1, 0, 0]])
def test_the_exported_command_binds_as_the_placement_says(mpi, two_cores, tmp_path, cores):
    place = placement(tmp_path, cores, oversubscribed=len(cores) > 2)
    launcher = find_launcher(mpi.mpirun)
    done = export(place, "--for", launcher.name, "-o", "launch", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    argv = json.loads(done.stdout)["argv"]
    assert (argv[0], argv[-1]) == (launcher.executables[0], "APP")
    ran = subprocess.run(
        [mpi.mpirun, *argv[1:-1], "bash", "-c", SHOW_MASK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert sorted(ran.stdout.splitlines()) == [f"{rank} {core}" for rank, core in enumerate(cores)], (
        ran.stderr
    )


def test_hosts_that_are_not_known_yet_are_counted_in_the_allocation_or_asked_for(tmp_path):
    place = placement(tmp_path, [0, 8], "draco:2")
    assert "rank 1=+n1 slot=0" in export(place, "--for", "openmpi4", folder=tmp_path).stdout
    asked = export(place, "--for", "hydra", folder=tmp_path)
    assert asked.returncode == 2
    assert "give --hosts" in asked.stderr
    named = export(place, "--for", "hydra", "--hosts", "n1,n2", folder=tmp_path)
    assert "n1:1\nn2:1\n" in named.stdout


SLURM = {"SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n[4-5]", "SLURM_TASKS_PER_NODE": "2(x2)"}


@pytest.mark.parametrize(
    ("launcher", "line"),
    [("srun", "n4\nn5\n"), ("hydra", "n4:1\nn5:1\n"), ("openmpi4", "rank 1=n5 slot=0\n")],
)
def test_an_allocation_says_its_hosts(tmp_path, monkeypatch, launcher, line):
    for name, value in SLURM.items():
        monkeypatch.setenv(name, value)
    document = json.loads(
        export(placement(tmp_path, [0, 8], "draco:2"), "--for", launcher, "--json", folder=tmp_path).stdout
    )
    assert any(line in text for text in document["files"].values())
    few = export(placement(tmp_path, [0, 16], "draco:3"), "--for", launcher, folder=tmp_path)
    assert few.returncode == 2 and "the allocation has 2 distinct hosts (n4, n5)" in few.stderr


def test_hydra_under_slurm_names_each_host_once(tmp_path, monkeypatch):
    for name, value in SLURM.items():
        monkeypatch.setenv(name, value)
    place = placement(tmp_path, [0, 8, 1], "draco:2")
    refused = export(place, "--for", "hydra", folder=tmp_path)
    assert refused.returncode == 2 and "start the program by srun" in refused.stderr
    monkeypatch.setenv("HYDRA_LAUNCHER", "ssh")
    assert "n4:1\nn5:1\nn4:1\n" in export(place, "--for", "hydra", folder=tmp_path).stdout


def test_ranks_near_gpus_are_each_shown_their_own_by_the_binder(tmp_path):
    gpus = str(Path(__file__).parents[2] / "fixtures" / "topologies" / "gpus.xml")
    place = placement(tmp_path, [1, 0, 4], gpus)
    words = (place, "--for", "intel-mpi", "--near", "gpu")
    document = json.loads(export(*words, "--machine", gpus, "--json", folder=tmp_path).stdout)
    lines = document["files"]["./bind.txt"].splitlines()
    assert [line for line in lines if "VISIBLE" in line] == [
        f"rank-env {rank} CUDA_VISIBLE_DEVICES={rank}" for rank in range(3)
    ]
    assert "rank-env 2 COREWISE_AFFINITY=near=0000:d8:00.0" in lines
    said = "corewise-bind gives each rank its own COREWISE_AFFINITY, CUDA_DEVICE_ORDER, CUDA_VISIBLE_DEVICES."
    assert document["notes"][-1] == said
    elsewhere = export(*words, "--machine", "draco:1", folder=tmp_path)
    assert elsewhere.returncode == 2
    assert "was made for machine" in elsewhere.stderr


def test_files_that_are_there_are_not_overwritten(tmp_path):
    place = placement(tmp_path, [0])
    (tmp_path / "launch").mkdir()
    (tmp_path / "launch" / "rankfile").write_text("mine")
    done = export(place, "--for", "openmpi4", "-o", "launch", folder=tmp_path)
    assert done.returncode == 2
    assert "rankfile already exists" in done.stderr
    assert (tmp_path / "launch" / "rankfile").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["PLACEMENT", "--for", "opnmpi4"], "did you mean 'openmpi4'"),
        (["PLACEMENT"], "expected PLACEMENT --for LAUNCHER"),
        (["nowhere.json", "--for", "hydra"], "nowhere.json"),
    ],
)
def test_what_can_not_be_exported_is_refused(tmp_path, words, sentence):
    place = placement(tmp_path, [0])
    done = export(*[place if word == "PLACEMENT" else word for word in words], folder=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_the_launchers_are_listed_and_then_the_batch_systems(tmp_path):
    lines = export("--list", folder=tmp_path).stdout.splitlines()
    names = sorted([*LAUNCHERS, *EXPORTED])
    assert [line.split()[0] for line in lines[: len(names)]] == names
    assert [line.split()[:2] for line in lines[len(names) :]] == [
        ["--script", name] for name in BATCH_SYSTEMS
    ]
    standings = {line.split()[0]: "(run and verified here)" in line for line in lines[: len(names)]}
    assert standings == {name: name in LAUNCHERS for name in standings}
    assert set(json.loads(export("--list", "--json", folder=tmp_path).stdout)) == {*LAUNCHERS, *EXPORTED}
