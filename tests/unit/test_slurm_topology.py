"""Slurm's topology.conf as network levels: which nodes meet where, and what is no network of a machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.machines.slurm_topology import SlurmTopology

# The example of topology.conf(5), "hierarchical", and a node that hangs higher than the others.
THREE_LEVELS = """\
# two racks of two switches each
SwitchName=s0 Nodes=n[0-1]
switchname=s1 nodes=n[2-3] LinkSpeed=100
SwitchName=s2 Nodes=n[4-5]   # the second rack

SwitchName=s3 Nodes=n[6-7]
SwitchName=r0 Switches=s[0-1]
SwitchName=r1 Switches=s2,s3
SwitchName=top Switches=r[0-1] Nodes=login
"""


def topology(folder: Path, text: str) -> SlurmTopology:
    path = folder / "topology.conf"
    path.write_text(text)
    return SlurmTopology.read(path)


def names(numbers: range | list[int]) -> list[str]:
    return [f"n{number}" for number in numbers]


def test_distances_between_nodes_are_those_of_their_switches(tmp_path):
    topology(tmp_path, THREE_LEVELS)
    machine = machines.load(f"slurm:n[0-7]:{tmp_path}/topology.conf:devcluster")
    first = [node * 20 for node in range(8)]  # the first core of each node
    levels = [machine.meeting_level(first[0], core) - machine.node_level for core in first[1:]]
    assert levels == [1, 2, 2, 3, 3, 3, 3]
    assert machine.levels[-1].names == ["switch3", "network"]


@pytest.mark.parametrize(
    ("hosts", "children"),
    [
        (range(8), [2, 2, 2]),
        (range(7), [2, 2, 2]),  # the last switch joins fewer
        ([0, 1, 4, 5], [2, 1, 2]),
        ([0, 2, 4, 6], [1, 2, 2]),
        ([5], [1, 1, 1]),
    ],
)
def test_an_allocation_has_the_switches_above_its_own_nodes(tmp_path, hosts, children):
    levels = topology(tmp_path, THREE_LEVELS).levels(names(hosts))
    assert levels == [*((f"switch{i}", n) for i, n in enumerate(children, 1)), ("network", 0)]


def test_switches_that_nothing_joins_meet_in_the_network(tmp_path):
    found = topology(tmp_path, "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n")
    assert found.levels(names(range(4))) == [("switch1", 2), ("network", 0)]


def test_a_node_that_hangs_higher_is_alone_on_the_levels_below(tmp_path):
    text = "SwitchName=s Nodes=n[0-1]\nSwitchName=top Switches=s Nodes=n2\n"
    assert topology(tmp_path, text).levels(names(range(3))) == [
        ("switch1", 2),
        ("switch2", 2),
        ("network", 0),
    ]


@pytest.mark.parametrize(
    ("hosts", "sentence"),
    [
        ([0, 2, 1, 3], "the nodes of switch s0 don't follow each other; name the nodes in the order"),
        ([0, 2, 3], "switch s0 joins 1 of these nodes or switches and s1 2; expected as many for each"),
        ([0, 9], "no switch has node n9; expected one of its Nodes="),
    ],
)
def test_nodes_that_make_no_levels_are_refused(tmp_path, hosts, sentence):
    with pytest.raises(InputError, match=sentence):
        topology(tmp_path, THREE_LEVELS).levels(names(hosts))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("SwitchName=s0 Nodes=n[0-1]\nBlockName=b Nodes=n[2-3]\n", "line 2: found 'BlockName=b"),
        ("Nodes=n0\n", "line 1: found 'Nodes=n0'; expected SwitchName=NAME"),
        ("SwitchName=s Nodes=n[1-\n", "line 1: .*is no node list"),
    ],
)
def test_what_is_no_tree_of_switches_is_refused_with_its_line(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        topology(tmp_path, text)


def test_switches_in_a_circle_end(tmp_path):
    text = "SwitchName=a Nodes=n0 Switches=b\nSwitchName=b Switches=a\n"
    assert topology(tmp_path, text).levels(["n0"])[-1] == ("network", 0)


@pytest.mark.parametrize(
    "spec", ["slurm:n[0-3]", "slurm:n[0-3]:topology.conf", "slurm:n[0-3]:topology.conf:"]
)
def test_a_machine_without_its_parts_is_refused_with_the_form(spec):
    with pytest.raises(InputError, match="expected slurm:NODES:TOPOLOGY_CONF:NODE"):
        machines.load(spec)
