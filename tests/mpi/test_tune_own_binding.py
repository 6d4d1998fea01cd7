"""`corewise tune` of commands that bind ranks: default runs keep that binding, placed runs replace it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from corewise import machines
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run

COREWISE = str(Path(sys.executable).with_name("corewise"))


def tune(folder: Path, *argv: str) -> subprocess.CompletedProcess:
    words = [COREWISE, "tune", "--json", "--repeats", "1", "-o", "out", "--", *argv]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=110, check=False)


def command_of(run: Run) -> str:
    return " ".join(run.command)


def test_the_users_own_binding_is_the_default_and_no_part_of_the_placed_runs(mpi, two_cores, tmp_path):
    # Rank 0 on the second core, as neither block order nor a launcher would place it.
    os_pu = [machines.load("local").os_pus(core)[0] for core in (1, 0)]
    if mpi.family == "mpich":
        own = ["-bind-to", f"user:{os_pu[0]},{os_pu[1]}"]
    else:
        (tmp_path / "ranks").write_text("rank 0=localhost slot=1\nrank 1=localhost slot=0\n")
        is_5 = "openmpi5" in mpi.mpirun
        own = ["--map-by", "rankfile:file=ranks"] if is_5 else ["-rf", "ranks"]
    done = tune(tmp_path, mpi.mpirun, *own, "-n", "2", mpi.ring)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verified"] is True
    assert [note for note in document["notes"] if f"own binding ('{' '.join(own)}') is the default" in note]

    default = Placement.read(tmp_path / "out/default.json")
    assert default.core == [1, 0]
    run = Run.read(tmp_path / "out/runs/default-1/run.json")
    assert " ".join(own) in command_of(run)
    assert [rank.os_pus_seen[0] for rank in run.ranks] == os_pu
    # Two equal cores: the best placement has the default's masks, so it doesn't run.
    plan = json.loads((tmp_path / "out/tune.json").read_text())["plan"]
    assert " ".join(own) not in " ".join(plan["argv"])


def test_a_wrapper_that_binds_is_left_out_of_the_placed_runs(mpi, two_cores, tmp_path):
    # Both ranks on one core, which a better placement avoids.
    os_pu = machines.load("local").os_pus(0)[0]
    done = tune(tmp_path, mpi.mpirun, "-n", "2", "taskset", "-c", str(os_pu), mpi.ring)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verified"] is True
    run = Run.read(tmp_path / "out/runs/default-1/run.json")
    assert [rank.os_pus_seen for rank in run.ranks] == [[os_pu], [os_pu]]
    assert "taskset" not in command_of(Run.read(tmp_path / "out/runs/best-1/run.json"))
