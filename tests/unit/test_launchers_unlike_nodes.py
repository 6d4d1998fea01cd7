"""Nodes that differ, under Open MPI: mpirun takes some of them for equal."""

from __future__ import annotations

import pytest
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.nouns.placement import Placement
from msgspec import structs

# Core 0 is hardware thread 0 on one node and 4 on the other, for example in the cgroup of a batch system.
UNLIKE = Placement("m", "f", ["a", "b"], [0, 1], [[0], [0]], [[0], [4]])
ALIKE = structs.replace(UNLIKE, node_fingerprints=["a", "a"], os_pus=[[0], [0]])


def plan(name: str, placement: Placement):
    command = parse_command(["mpirun", "./app"], LAUNCHERS[name].options)
    return LAUNCHERS[name].plan(placement, Job(command, ["n1", "n2"], "/job", Injection("binder"), "command"))


def test_open_mpi_4_leaves_their_cores_to_the_binder_and_those_of_like_nodes_to_the_rankfile():
    unlike, alike = plan("openmpi4", UNLIKE), plan("openmpi4", ALIKE)
    assert unlike.files["/job/bind.txt"] == "corewise-bind 1\nrank 0 0\nrank 1 4\n"
    assert unlike.argv[-4:] == ["binder", "/job/bind.txt", "--", "./app"]
    assert "the nodes differ" in unlike.notes[-1]
    assert (list(alike.files), alike.notes) == (["/job/rankfile"], [])


ONE_NODE = structs.replace(ALIKE, node=[0, 0], cores=[[0], [1]], os_pus=[[0], [1]])


@pytest.mark.parametrize(("placement", "n_times"), [(UNLIKE, 1), (ALIKE, 1), (ONE_NODE, 0)])
def test_open_mpi_5_has_every_daemon_tell_its_topology_where_there_are_several(placement, n_times):
    # Even if the fingerprints are equal, nodes may differ: `pack:2 core:1` and `core:2` have the same one.
    assert plan("openmpi5", placement).argv.count("prte_hetero_nodes") == n_times
