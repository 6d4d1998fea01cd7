"""`corewise steer` over two nodes of the lab, which exchange the state of their ranks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from clusters import COREWISE
from corewise.steering.replay import replay
from mpis import ROOT, mpi_named


@pytest.mark.parametrize("name", ["openmpi4", "mpich5"])
def test_two_nodes_hear_of_each_other_and_every_decision_is_told(lab_folder, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    mpi = mpi_named(name)
    program = mpi.program(ROOT / "tests" / "mpi" / "programs" / "two_nodes.c")
    steered = f"{COREWISE} steer --json -o {tmp_path}/app.steer-log -- {mpi.mpirun} -n 4 {program} 3"
    words = ("run", "netns", "--nodes", "2", "--slots", "2", "--", "sh", "-c", steered)
    document = json.loads(lab_folder.lab(*words).stdout)
    assert (document["exit_code"], document["misplaced"], len(document["logs"])) == (0, [], 2)
    assert 0 < document["own_messages"] < 2 * 20 * 6  # at most one per node in 50 ms, for a few seconds
    # one log per node, named in one scheme
    assert document["logs"] == [f"{tmp_path}/app.steer-log", f"{tmp_path}/app-2.steer-log"]
    assert [replay(Path(path)).node for path in document["logs"]] == [0, 1]
    heard = {}
    for path in map(Path, document["logs"]):
        replayed = replay(path)
        assert replayed.differs is None and replayed.compared == replayed.intervals > 10
        ranks = set(re.findall(r"^rank id=(\d+) node=(\d+) ", path.read_text(), re.M))
        heard[replayed.node] = {int(rank) for rank, node in ranks if int(node) != replayed.node}
    assert heard == {0: {2, 3}, 1: {0, 1}}
    # Rank 2 waits while rank 0 computes with unsent data. The leader on node 0 notices it.
    first = replay(Path(document["logs"][0]))
    told = [decision for decision in first.decisions if decision.metric == "out-of-sync"]
    assert told and "rank 0 computes" in told[0].because and "leader rank 0" in told[0].because


# Prints for each process its host, and the shared files of steered jobs there.
SHARED = "sh -c 'echo on $(hostname): $(ls /dev/shm | grep ^corewise-)'"


@pytest.mark.parametrize("name", ["openmpi4", "mpich5"])
def test_a_job_that_is_aborted_leaves_nothing_in_any_node_s_memory(lab_folder, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    mpi = mpi_named(name)
    program = mpi.program(ROOT / "tests" / "mpi" / "programs" / "aborts.c")
    steered = f"{COREWISE} steer -o app.steer-log -- {mpi.mpirun} -n 4 {program} abort"
    script = f"{steered}; echo ended with $?; {mpi.mpirun} -n 4 {SHARED}"
    told = lab_folder.lab("run", "netns", "--nodes", "2", "--slots", "2", "--", "sh", "-c", script).stdout
    assert "ended with 9" in told
    assert set(re.findall("^on (.*)$", told, re.M)) == {"n0:", "n1:"}
