"""`run` and `tune` over two nodes: the host of every rank is compared, as well as its cores.

If the MPI permits it, both nodes have the same host name, so that only their addresses distinguish them.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from clusters import COREWISE, LabFolder, temporary_lab_folder
from corewise import machines
from corewise.clusters.netns import AGENT
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from mpis import MPIS, PROGRAMS, Mpi, mpi_named

HOSTS = ["10.77.0.1", "10.77.0.2"]
# Ranks 0 and 2 are on the second node. Neither block order nor round robin gives this, so a lost host is
# noticed.
CORES = [2, 0, 3, 1]
# Renames both nodes to "one" before a command. Open MPI 5 hangs on such nodes.
WITH_ONE_NAME = f'for host in {" ".join(HOSTS)}; do {AGENT} $host hostname one; done; exec "$@"'

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


@dataclass(frozen=True)
class TwoNodes:
    """A running cluster, an MPI, and a folder for the test. `agent` replaces ssh."""

    lab_folder: LabFolder
    mpi: Mpi
    folder: Path
    agent: str = str(AGENT)

    @property
    def job(self) -> list[str]:
        """A job of four ranks, two per host, which start and end. The test checks where they are."""
        hosts = ["-hosts" if self.mpi.family == "mpich" else "-H", ",".join(f"{host}:2" for host in HOSTS)]
        return [self.mpi.mpirun, *hosts, "-n", "4", self.mpi.program(PROGRAMS / "init.c")]

    def corewise(self, *words: str, expect: int = 0) -> subprocess.CompletedProcess:
        """Runs corewise on the cluster's head, in the folder, with the agent."""
        agents = ("OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent", "HYDRA_LAUNCHER_EXEC")
        start = ["env", "-C", str(self.folder), *(f"{name}={self.agent}" for name in agents)]
        return self.lab_folder.lab("run", "netns", "--", *start, COREWISE, *words, expect=expect)


def script(path: Path, before: str, program: str) -> str:
    """Writes a program that runs some shell commands and then another program."""
    path.write_text(f'#!/bin/sh\n{before}\nexec {program} "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.fixture(params=MPIS, scope="module")
def cluster(request) -> Iterator[tuple[LabFolder, Mpi]]:
    """Two nodes that run for all tests with an MPI."""
    mpi = mpi_named(request.param)
    with temporary_lab_folder() as lab_folder:
        lab_folder.lab("up", "netns", "--nodes", "2", "--slots", "2")
        if request.param != "openmpi5":
            lab_folder.lab("run", "netns", "--", "sh", "-c", WITH_ONE_NAME, "sh", "true")
        yield lab_folder, mpi


@pytest.fixture
def nodes(cluster, tmp_path) -> TwoNodes:
    return TwoNodes(*cluster, tmp_path)


@pytest.fixture
def placement(tmp_path) -> Placement:
    found = Placement.of(Assignment.from_cores(CORES), machines.here(2))
    found.write(tmp_path / "placement.json")
    return found


def test_every_rank_is_seen_on_the_host_that_was_asked_for(nodes, placement):
    done = nodes.corewise("run", "--json", "--placement", "placement.json", "--", *nodes.job)
    ranks = json.loads(done.stdout)["ranks"]
    assert [rank["host_wanted"] for rank in ranks] == [HOSTS[i] for i in (1, 0, 1, 0)]
    assert [rank["host"] for rank in ranks] == [rank["host_wanted"] for rank in ranks]
    assert all(rank["ok"] and rank["os_pus_seen"] == rank["os_pus_wanted"] for rank in ranks)


# A fault on purpose: the launcher reads the placement's hosts in reversed order.
SWAPPING = """\
for word; do
  case $word in
    */hosts | */rankfile) sed -i 's/{0}/first/; s/{1}/{0}/; s/first/{1}/' "${{word#*=}}" ;;
  esac
done""".format(*HOSTS)


def test_the_right_cores_on_the_wrong_host_are_a_difference(nodes, placement, tmp_path):
    mpirun, *words = nodes.job
    swapping = script(tmp_path / "mpirun", SWAPPING, mpirun)
    job = [swapping, *words]
    done = nodes.corewise("run", "--json", "--placement", "placement.json", "--", *job, expect=1)
    ranks = json.loads(done.stdout)["ranks"]
    assert [rank["os_pus_seen"] for rank in ranks] == placement.os_pus
    assert [(rank["host_wanted"], rank["host"]) for rank in ranks] == [
        (HOSTS[i], HOSTS[1 - i]) for i in (1, 0, 1, 0)
    ]
    assert not any(rank["ok"] for rank in ranks)


def test_the_default_is_where_the_launcher_put_each_rank_on_nodes_like_this_one(nodes, tmp_path):
    nodes.corewise("tune", "--json", "--dry-run", "-o", "tune", "--", *nodes.job)
    default = Placement.read(tmp_path / "tune" / "default.json")
    assert default.node == [0, 0, 1, 1]
    assert default.fingerprint == machines.here(2).fingerprint
    assert len(list((tmp_path / "tune" / "profile").glob("*.cwprof"))) == 2


# The second node may use only one core: its agent binds itself, and its children inherit the mask.
NARROW = """\
case " $* " in *" 10.77.0.2 "*) taskset -cp 0 $$ >/dev/null ;; esac"""


def test_nodes_that_are_not_alike_are_read_on_each_of_them(nodes, placement, tmp_path):
    narrow = replace(nodes, agent=script(tmp_path / "agent", NARROW, str(AGENT)))
    narrow.corewise("tune", "--json", "--dry-run", "-o", "tune", "--oversubscribe", "--", *nodes.job)
    found = json.loads((tmp_path / "tune" / "default.json").read_text())
    assert found["node_fingerprints"][0] == machines.here().fingerprint != found["node_fingerprints"][1]
    words = ("run", "--placement", "placement.json", "--", *nodes.job)
    refused = narrow.corewise(*words, expect=2).stderr
    assert "node 1 has fingerprint" in refused and "here it is" in refused
    assert not list(tmp_path.glob(".corewise*"))
