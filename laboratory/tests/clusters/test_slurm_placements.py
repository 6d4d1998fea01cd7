"""srun in Slurm on four nodes: an MPI program with a placement, whose hosts and cores are verified."""

from __future__ import annotations

import json
import os

import pytest
from clusters import COREWISE, LIMIT, TRIES
from corewise import machines
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from mpis import mpi_named

IN_ALLOCATION = ("salloc", "--quiet", "-N4", "--exclusive")

# Nodes of the lab have this machine's cores, so it must have the cores of the masks.
pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


def test_run_starts_an_mpi_program_under_srun_and_verifies_hosts_and_cores(lab_folder, tmp_path):
    lab_folder.lab("up", "slurm", "--nodes", "4", "--slots", "2")
    node = machines.load("local")
    cores = [3 * node.n_cores + 1, 0, node.n_cores, 2 * node.n_cores + 1]
    place = tmp_path / "placement.json"
    Placement.of(Assignment.from_cores(cores), machines.load("local:4")).write(place)
    words = (
        "run",
        "--json",
        "--placement",
        str(place),
        "--",
        "srun",
        "--mpi=pmix",
        "-n",
        "4",
        mpi_named("openmpi4").where,
        "silent",  # with messages over TCP one of 47 runs hung (Open MPI 4.1.4 on a busy machine)
    )
    output = lab_folder.lab("run", "slurm", "--", *IN_ALLOCATION, COREWISE, *words).stdout
    run = json.loads(output)
    assert run["verified"] is True
    assert [(rank["host"], rank["os_pus_seen"]) for rank in run["ranks"]] == [
        ("n3", node.os_pus(1)),
        ("n0", node.os_pus(0)),
        ("n1", node.os_pus(0)),
        ("n2", node.os_pus(1)),
    ]


def test_tune_maps_for_the_switches_that_scontrol_shows_and_runs_there(lab_folder, tmp_path):
    # The lab's Slurm has two switches, for n0 and n2 and for n1 and n3. The whole ring fits below one of
    # them.
    ring = f"{mpi_named('openmpi4').ring} --sizes 20000 --repeats 2 --warmup 1"
    machine = '--machine "slurm:$SLURM_JOB_NODELIST:switches:local"'
    tune = f"{COREWISE} tune --json --repeats 1 -o tune {machine} --objective hop-bytes"
    script = (
        f"cd {tmp_path} && scontrol show topology >switches && exec {tune} -- srun -n 4 --mpi=pmix {ring}"
    )
    job = (*IN_ALLOCATION, *LIMIT, "bash", "-c", script)
    words = ("run", "slurm", "--nodes", "4", "--slots", "2", "--", *job)
    output = lab_folder.lab(*words, tries=TRIES, leaves=tmp_path / "tune").stdout
    assert json.loads(output)["verified"] is True
    document = json.loads((tmp_path / "tune" / "tune.json").read_text())
    network = [(level["name"], level["children_per_group"]) for level in document["machine"]["network"]]
    # The network joins one switch2: such a level is kept in the document, but distinguishes no cores.
    assert network == [("switch1", 2), ("switch2", 2), ("network", 1)]
    best = json.loads((tmp_path / "tune" / "best.json").read_text())
    assert document["machine"]["node_order"] == [0, 2, 1, 3]
    assert sorted(set(best["node"])) in ([0, 2], [1, 3])
    assert {rank["host"] for rank in document["candidates"][1]["runs"][0]["ranks"]} == {
        f"n{node}" for node in best["node"]
    }
    assert len(document["candidates"][1]["runs"]) == 1
