"""`corewise steer` over two nodes of the lab: each node is steered by itself and has its own log."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from clusters import COREWISE
from corewise.steering.replay import replay
from mpis import ROOT, mpi_named

PROGRAMS = ROOT / "tests" / "mpi" / "programs"
# Prints for each process its host, and the shared files of steered jobs there.
SHARED = "sh -c 'echo on $(hostname): $(ls /dev/shm | grep ^corewise-)'"


@pytest.mark.parametrize("name", ["openmpi4", "mpich5"])
def test_each_node_has_a_log_and_nothing_is_left_in_any_node_s_memory(
    lab_folder, tmp_path, monkeypatch, name
):
    monkeypatch.chdir(tmp_path)
    mpi = mpi_named(name)
    steered, aborts = (mpi.program(PROGRAMS / source) for source in ("steered.c", "aborts.c"))
    script = (
        f"{COREWISE} steer --json -o app.steer-log -- {mpi.mpirun} -n 4 {steered} 2 self > steered.json; "
        f"{COREWISE} steer -o aborted.steer-log -- {mpi.mpirun} -n 4 {aborts}; echo ended with $?; "
        f"{mpi.mpirun} -n 4 {SHARED}"
    )
    told = lab_folder.lab("run", "netns", "--nodes", "2", "--slots", "2", "--", "sh", "-c", script).stdout
    document = json.loads(Path("steered.json").read_text())
    assert (document["exit_code"], document["misplaced"], len(document["logs"])) == (0, [], 2)
    # one log per node, named in one scheme
    assert document["logs"] == ["app.steer-log", "app-2.steer-log"]
    replayed = [replay(Path(path)) for path in document["logs"]]
    assert [log.node for log in replayed] == [0, 1]
    assert all(log.differs is None and log.compared == log.intervals > 10 for log in replayed)
    ranks = [set(re.findall(r"^rank id=(\d+) ", Path(path).read_text(), re.M)) for path in document["logs"]]
    assert ranks == [{"0", "1"}, {"2", "3"}]
    assert "ended with 9" in told
    assert set(re.findall("^on (.*)$", told, re.M)) == {"n0:", "n1:"}
