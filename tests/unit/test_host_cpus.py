"""HostCpus: this host, and a node of a machine."""

from __future__ import annotations

import os

from corewise.machines import load
from corewise.observe.host_cpus import of_node, this_host


def test_this_host_is_told_without_a_change_of_our_own_affinity():
    before = os.sched_getaffinity(0)
    host = this_host()
    assert os.sched_getaffinity(0) == before == host.affinity
    assert host.affinity <= host.allowed <= host.online


def test_a_node_of_a_machine_has_its_own_cores():
    # Node 1 of two: cores 4-7 of the machine are cores 0-3 of the node.
    host = of_node("n1", load("synthetic:2:core:4 pu:2"), 1)
    assert host.cores == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert host.first_threads(frozenset({1, 4, 5})) == [1, 4]
