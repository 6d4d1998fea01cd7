"""Which host of a job a reporting node is: every kind of evidence, and what must not count as evidence."""

from __future__ import annotations

import os
import socket
from types import SimpleNamespace

import pytest
from corewise.launchers.hosts import same_name
from corewise.observe.node_topologies import slots_of
from corewise.start.this_node import own_id

OWN = socket.gethostname()
ELSEWHERE = "00000000-1"


def node(host: str, *addresses: str, id: str = ELSEWHERE, batch_name: str = "") -> SimpleNamespace:
    return SimpleNamespace(host=host, id=id, batch_name=batch_name, addresses=list(addresses))


def slots(hosts: list[str], *nodes: SimpleNamespace, **names: str) -> list[set[int]]:
    """`names` are the addresses to which names resolve: `n1_ib="10.1.0.1"` for n1-ib."""
    known = {name.replace("_", "-"): {address} for name, address in names.items()}
    return slots_of(hosts, nodes, resolve=lambda host: known.get(host, set()))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("n1", "n1", True),
        ("n1", "N1.cluster.org", True),
        ("n1.cluster.org.", "n1.cluster.org", True),
        ("n1.a", "n1.b", False),
        ("n1", "n10", False),
        ("10", "10.0.0.1", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "", False),
    ],
)
def test_a_short_name_is_the_first_label_of_a_full_one(a, b, same):
    assert same_name(a, b) is same
    assert same_name(b, a) is same


def test_names_are_matched_with_the_order_of_the_command():
    assert slots(["n1", "n2"], node("n2.cluster"), node("n1.cluster")) == [{1}, {0}]


def test_an_address_of_the_hostfile_is_one_of_the_node():
    hosts = ["10.77.0.1", "10.77.0.2"]
    assert slots(hosts, node("vm", "10.77.0.2", "fd00::2"), node("vm", "10.77.0.1")) == [{1}, {0}]


def test_another_name_of_a_node_is_resolved():
    assert slots(["n1-ib", "n2-ib"], node("n2", "10.1.0.2"), n1_ib="10.1.0.1", n2_ib="10.1.0.2") == [{1}]


def test_a_name_that_several_nodes_share_tells_nothing():
    # Nodes emulated on one kernel: the second node is not the command's host "vm".
    assert slots(["vm", "10.77.0.1"], node("vm"), node("vm", "10.77.0.1")) == [set(), {1}]


def test_this_host_is_told_by_its_id_and_not_by_its_name():
    for name in ("localhost", OWN):
        assert slots([name], node(OWN, id=own_id())) == [{0}]
        assert slots([name], node(OWN, id=ELSEWHERE)) == [set()]


def test_this_host_of_an_earlier_boot_is_told_by_its_name():
    assert slots_of(["localhost"], [node(OWN)], is_now=False) == [{0}]
    assert slots_of(["localhost"], [node("another")], is_now=False) == [set()]


def test_daemons_on_one_host_are_told_by_the_batch_system():
    nodes = [node(OWN, id=own_id(), batch_name=f"n{i}") for i in (1, 0)]
    assert slots(["n0", "n1"], *nodes) == [{1}, {0}]


def test_a_batch_name_in_a_copied_environment_does_not_move_a_node():
    # mpiexec passed on SLURMD_NODENAME=n0, the name of the node that it runs on.
    assert slots(["n0", "n1"], node("n1", batch_name="n0")) == [{1}]


def test_two_names_of_one_node_both_mean_it():
    assert slots(["localhost", OWN], node(OWN, id=own_id())) == [{0, 1}]


def test_a_node_outside_of_the_job_is_none_of_its_hosts():
    assert slots(["n1"], node("n2", "10.0.0.2"), n1="10.0.0.1") == [set()]


def test_our_own_id_is_the_one_that_the_node_library_writes():
    boot, network = own_id().split("-")
    assert len(boot) == 8
    assert int(network) == os.stat("/proc/self/ns/net").st_ino
