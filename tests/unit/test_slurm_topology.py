"""Slurm's topology.conf as levels of the network: where nodes meet, and topologies that are refused."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from corewise import machines
from corewise.errors import InputError, Note
from corewise.files.table import Table
from corewise.machines import node_shapes
from corewise.machines.slurm_topology import SlurmTopology
from corewise.model import CommMatrix, MappingProblem, Traffic, make_machine, solve
from corewise.nouns.machine import MachineColumns, machine_of
from corewise.nouns.placement import Placement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# The "hierarchical" example of topology.conf(5), and a node that is attached to a higher switch.
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


SMALL_NODE = """\
format = "corewise-machine"
version = 1
name = "small"
summary = "two cores"
node = "core:2 pu:1"
"""


def topology(folder: Path, text: str) -> SlurmTopology:
    path = folder / "topology.conf"
    path.write_text(text)
    return SlurmTopology.read(path)


def names(numbers: range | list[int]) -> list[str]:
    return [f"n{number}" for number in numbers]


@pytest.mark.parametrize(
    ("hosts", "children"),
    [
        (range(8), [2, 2, 2]),
        (range(7), [2, 2, 2]),  # the last switch joins fewer nodes
        ([0, 1, 4, 5], [2, 1, 2]),
        ([0, 2, 4, 6], [1, 2, 2]),
        ([5], [1, 1, 1]),
        ([0, 2, 3, 6], [[1, 2, 1], 2, 2]),  # switches that join different numbers of nodes
    ],
)
def test_an_allocation_has_the_switches_above_its_own_nodes(tmp_path, hosts, children):
    levels = topology(tmp_path, THREE_LEVELS).levels(names(hosts))
    assert levels == [*((f"switch{i}", n) for i, n in enumerate(children, 1)), ("network", 0)]


# text -> the number of nodes, and the children of each level of switches
SHAPES = {
    "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n": (4, [2]),  # nothing joins the switches
    "SwitchName=s Nodes=n[0-1]\nSwitchName=top Switches=s Nodes=n2\n": (3, [2, 2]),  # n2 hangs higher
    # top( rack( s0(n0 n1) s1(n2) )  s2(n3 n4 n5)  n6 ): s2 is a switch of level 1, as s0 and s1 are.
    "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n2\nSwitchName=s2 Nodes=n[3-5]\n"
    "SwitchName=rack Switches=s[0-1]\nSwitchName=top Switches=rack,s2 Nodes=n6\n": (
        7,
        [[2, 1, 3, 1], [2, 1, 1], 3],
    ),
    # Spine p joins a b, q joins b c, r is above d. Core switch x joins p q, y joins p r. All are connected.
    "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nSwitchName=c Nodes=n2\nSwitchName=d Nodes=n3\n"
    "SwitchName=p Switches=a,b\nSwitchName=q Switches=b,c\nSwitchName=r Switches=d\n"
    "SwitchName=x Switches=p,q\nSwitchName=y Switches=p,r\n": (4, [1, 3, 2]),
}


@pytest.mark.parametrize(("text", "expected"), SHAPES.items())
def test_switches_join_what_is_below_them(tmp_path, text, expected):
    n_nodes, children = expected
    levels = topology(tmp_path, text).levels(names(range(n_nodes)))
    assert levels == [*((f"switch{i}", n) for i, n in enumerate(children, 1)), ("network", 0)]


@pytest.mark.parametrize(
    ("hosts", "order", "children"),
    [
        ([0, 2, 1, 3], [0, 2, 1, 3], [2, 2, 1]),  # nodes of the two switches of a rack, in turn
        ([7, 0, 6, 2, 1], [0, 2, 1, 4, 3], [2, [1, 2], 2]),  # r1(s3(n7 n6)) r0(s0(n0 n1) s1(n2))
        ([5, 1, 3, 4], [0, 3, 1, 2], [[2, 1, 1], [1, 2], 2]),  # r1(s2(n5 n4)) r0(s0(n1) s1(n3))
    ],
)
def test_nodes_of_a_switch_need_not_follow_each_other(tmp_path, hosts, order, children):
    found = topology(tmp_path, THREE_LEVELS)
    assert found.order(names(hosts)) == order
    levels = [*((f"switch{i}", n) for i, n in enumerate(children, 1)), ("network", 0)]
    assert found.levels(names(hosts)) == levels


def test_a_node_that_no_switch_has_is_refused(tmp_path):
    with pytest.raises(InputError, match="no switch has node n9; expected one of its Nodes="):
        topology(tmp_path, THREE_LEVELS).levels(names([0, 9]))


def test_placements_on_switches_that_join_every_second_node_are_of_the_hosts_in_their_order(tmp_path):
    (tmp_path / "topology.conf").write_text(
        "SwitchName=even Nodes=n0,n2\nSwitchName=odd Nodes=n1,n3\nSwitchName=top Switches=even,odd\n"
    )
    node = tmp_path / "node.toml"
    node.write_text(SMALL_NODE)
    machine = machines.load(f"slurm:n[0-3]:{tmp_path}/topology.conf:{node}")
    assert [machine.first_core(i) for i in range(4)] == [0, 4, 2, 6]
    src = np.arange(7, dtype=np.int32)
    columns = src, src + np.int32(1), np.full(7, 8, np.uint64), np.ones(7, np.uint64)
    chain = Traffic.of(CommMatrix.from_columns(8, *columns))
    for solver, nodes in {"block": [0, 0, 1, 1, 2, 2, 3, 3], "round-robin": [0, 1, 2, 3] * 2}.items():
        solution = solve(MappingProblem(chain, machine), solver)
        found = Placement.of(solution.placement, machine)
        assert found.node == nodes
        assert found.on(machine).core_of_rank.tolist() == solution.placement.core_of_rank.tolist()
    best = Placement.of(solve(MappingProblem(chain, machine), "auto").placement, machine).node
    assert sum(a % 2 != b % 2 for a, b in pairwise(best)) == 1  # the order changes switches only once


# two switches and one above them, as Slurm 22.05 prints them
PRINTED = """\
SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1]
SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[2-4]
SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-5] Switches=s[0-1]
"""


def test_what_scontrol_prints_is_read_as_the_file_that_it_comes_from(tmp_path):
    found = topology(tmp_path, PRINTED)
    assert found.switch_of == {"n0": "s0", "n1": "s0", "n2": "s1", "n3": "s1", "n4": "s1", "n5": "top"}
    assert found.levels(names(range(6)))[:2] == [("switch1", [2, 3, 1]), ("switch2", 3)]


def test_a_line_may_go_on_after_a_backslash(tmp_path):
    found = topology(tmp_path, "SwitchName=s0 \\\n  Nodes=n[0-1]  # two\nSwitchName=top Switches=s0")
    assert found.switch_of == {"n0": "s0", "n1": "s0"}


@pytest.mark.parametrize("spines", [1, 2, 5])
def test_spines_over_the_same_leaves_are_one(tmp_path, spines):
    text = "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Nodes=n[4-5]\n"
    text += "".join(f"SwitchName=top{i} Switches=a,b,c\n" for i in range(spines))
    found = topology(tmp_path, text)
    assert found.levels(names(range(6))) == [("switch1", 2), ("switch2", 3), ("network", 0)]
    assert found.above == {"a": "top0", "b": "top0", "c": "top0"}


def test_a_link_past_a_switch_joins_no_switches(tmp_path):
    # b is attached to the spine and to the core switch above it; c only to the core switch.
    text = "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nSwitchName=c Nodes=n2\n"
    text += "SwitchName=spine Switches=a,b\nSwitchName=core Switches=spine,b,c\n"
    found = topology(tmp_path, text)
    assert found.above == {"a": "spine", "b": "spine", "c": "core", "spine": "core"}


def test_many_spines_over_many_leaves_are_read_at_once(tmp_path):
    text = "".join(f"SwitchName=leaf{i} Nodes=n[{8 * i}-{8 * i + 7}]\n" for i in range(300))
    text += "".join(f"SwitchName=spine{i} Switches=leaf[0-299]\n" for i in range(150))
    assert topology(tmp_path, text).levels(names(range(16)))[:2] == [("switch1", 8), ("switch2", 2)]


TWO_LEAVES = "SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-4]\nSwitchName=s2 Nodes=n[4-5]\n"


def test_a_node_under_two_leaves_matters_only_where_it_is_asked_for(tmp_path):
    found = topology(tmp_path, TWO_LEAVES)
    assert found.doubts(["n0", "n2", "n5"]) == []
    [doubt] = found.doubts(["n0", "n4"])
    assert doubt.endswith("node n4 is below s1 and below s2; s1 is used")
    with pytest.warns(Note, match="node n4 is below s1 and below s2"):
        machines.load(f"slurm:n[3-5]:{tmp_path}/topology.conf:draco")


BLOCKS = "".join(f"BlockName=b{i} Nodes=n[{4 * i}-{4 * i + 3}]\n" for i in range(5))


@pytest.mark.parametrize(
    ("text", "children"),
    [
        (BLOCKS, [4]),
        (BLOCKS + "BlockSizes=4\n", [4]),
        ("BlockSizes=4,8,16\n" + BLOCKS, [4, 2, 2]),  # b0 b1 | b2 b3 | b4; then four blocks, and one
        (BLOCKS.replace("BlockName", "blockname") + 'blocksizes="2,8" # four blocks at a time\n', [4, 4]),
        (
            BLOCKS.replace(" Nodes", " BlockIndex=0 Nodes").replace("\n", " BlockSize=4\n")
            + "AggregatedBlock=b[0-1] BlockIndex=5 Nodes=n[0-7] BlockSize=8\n"
            + "AggregatedBlock=b[2-3] BlockIndex=6 Nodes=n[8-15] BlockSize=8\n"
            + "AggregatedBlock=b[0-3] BlockIndex=7 Nodes=n[0-15] BlockSize=16\n",
            [4, 2, 2],
        ),
    ],
)
def test_blocks_and_what_joins_them_are_levels(tmp_path, text, children):
    found = topology(tmp_path, text)
    assert found.switch_of["n5"] == "b1"
    levels = found.levels(names(range(20)))
    assert levels == [*((f"block{i}", n) for i, n in enumerate(children, 1)), ("network", 0)]


YAML = """\
---
# the machine
- topology: fat   # of Slurm 25.05
  cluster_default: false
  tree:
    switches:
      - switch: top
        children: s[0-1]
      - switch: s0
        nodes: n[0-1]
      - nodes: "n[2-3],n4"
        switch: s1
- topology: nvl
  cluster_default: True
  block:
    block_sizes:
    - 2
    - 4
    blocks:
    - {key}: b0
      nodes: m[0-1]
    - block: b1
      nodes: [m2, m3]
- topology: rest
  flat: true
"""


def test_of_the_topologies_of_a_yaml_file_the_default_or_the_one_with_the_hosts_is_read(tmp_path):
    (tmp_path / "topology.yaml").write_text(YAML.replace("{key}", "block"))

    def levels(hosts):
        return SlurmTopology.read(tmp_path / "topology.yaml", hosts).levels(hosts)

    assert levels(["m0", "m1", "m2", "m3"]) == [("block1", 2), ("block2", 2), ("network", 0)]
    assert levels(names(range(5))) == [("switch1", [2, 3]), ("switch2", 2), ("network", 0)]
    assert levels(["n0", "m0"]) == [("network", 0)]  # the flat topology has every node


def test_nested_lists_without_end_are_refused(tmp_path):
    with pytest.raises(InputError, match="too many lists inside of each other"):
        topology(tmp_path, "- " * 4000 + "x\n")


@st.composite
def trees(draw) -> tuple[str, list[str], dict[str, list[str]]]:
    """A random topology.conf, its nodes in tree order, and the switches above each node, lowest first."""
    lines, nodes, ways = [], [], {}

    def grow(depth: int, above: list[str]) -> str:
        name = f"s{len(lines)}"
        lines.append("")
        place = len(lines) - 1
        below = [grow(depth - 1, [name, *above]) for _ in range(draw(st.integers(0, 2 if depth else 0)))]
        own = [f"n{len(nodes) + i}" for i in range(draw(st.integers(0 if below else 1, 3)))]
        nodes.extend(own)
        ways.update({node: [name, *above] for node in own})
        words = [f"SwitchName={name}", *([f"Nodes={','.join(own)}"] if own else [])]
        lines[place] = " ".join([*words, *([f"Switches={','.join(below)}"] if below else [])])
        return name

    grow(draw(st.integers(0, 3)), [])
    return "\n".join(draw(st.permutations(lines))), nodes, ways


@given(trees(), st.randoms(use_true_random=False))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_two_nodes_are_as_far_apart_as_the_level_of_their_lowest_common_switch(tmp_path, tree, random):
    text, nodes, ways = tree
    random.shuffle(nodes)
    heights: dict[str, int] = {}
    for way in ways.values():  # switch -> its longest path down to a node, in switches
        for height, switch in enumerate(way, 1):
            heights[switch] = max(height, heights.get(switch, 0))
    switches = topology(tmp_path, text)
    node = node_shapes.from_synthetic("core:2 pu:1")
    order = switches.order(nodes)
    machine = make_machine("m", [node], [0] * len(nodes), switches.levels(nodes), [], [], order)
    written = machine_of(Table(tmp_path, "", json.loads(json.dumps(MachineColumns.of(machine).to_json()))))
    assert written.fingerprint == machine.fingerprint
    for a, b in combinations(range(len(nodes)), 2):
        common = next(switch for switch in ways[nodes[a]] if switch in ways[nodes[b]])
        first, second = machine.first_core(a), machine.first_core(b)
        found = machine.levels[machine.meeting_level(first, second) - 1]
        assert f"switch{heights[common]}" in found.names
        assert written.distance(written.first_core(a), written.first_core(b)) == found.distance


@pytest.mark.parametrize(
    ("text", "hosts"), [(YAML.replace("{key}", "block"), ["m0", "m1"]), (THREE_LEVELS, names(range(8)))]
)
@given(data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_ends_in_one_sentence(tmp_path, text, hosts, data):
    damage = data.draw(st.text("SwitchName=odes,-: \n#[0-9]\\topologyreswichnd01", max_size=120))
    at = data.draw(st.integers(0, len(text)))
    try:
        levels = topology(tmp_path, text[:at] + damage + text[at:]).levels(hosts)
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        assert str(error).startswith(f"{tmp_path}/topology.conf: ")
    else:
        assert levels[-1] == ("network", 0)
