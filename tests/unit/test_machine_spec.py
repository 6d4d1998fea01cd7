"""The argument of `--machine M`: the machine for each form, and the error for each wrong one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load

TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"


@pytest.mark.parametrize(
    ("spec", "n_nodes", "n_cores"),
    [
        ("draco:2", 2, 16),
        ("jaguar-xt5:10+8", 11, 128),  # ten whole nodes of 12 cores and one of 8
        ("jaguar-xt5:0+8", 1, 8),
        ("jaguar-xt5:1+12", 2, 24),  # the last node is a whole node, too
        ("synthetic:16:pack:2 l2:2 core:2 pu:1", 16, 128),
        ("synthetic:1+3:pack:2 core:2 pu:2", 2, 7),
        (f"{TOPOLOGIES}/hybrid.xml", 1, 6),
        (f"{TOPOLOGIES}/hybrid.xml:3", 3, 18),
        ("tree:4:8:32@1:10:100", 1, 1024),
        ("tree:7", 1, 7),
    ],
)
def test_a_machine_has_the_nodes_and_cores_that_its_name_says(spec, n_nodes, n_cores):
    machine = load(spec)
    assert (machine.n_nodes, machine.n_cores, machine.name) == (n_nodes, n_cores, spec)


def test_a_preset_without_a_number_is_as_large_as_in_its_paper():
    assert load("draco").name == "draco:16"
    assert load("jaguar-xt5").name == "jaguar-xt5:10+8"


def test_the_last_node_of_an_uneven_machine_keeps_the_first_cores_of_the_tree():
    machine = load("synthetic:1+3:pack:2 core:2 pu:1(indexes=0,2,1,3)")
    assert [machine.os_pus(core) for core in range(machine.n_cores)] == [[0], [2], [1], [3], [0], [2], [1]]
    assert machine.meeting_level(4, 5) == machine.meeting_level(0, 1)


def test_tree_distances_are_those_of_the_literature():
    machine = load("tree:4:8:32@1:10:100")
    assert [machine.distance(0, leaf) for leaf in (0, 1, 3, 4, 31, 32, 1023)] == [0, 1, 1, 10, 10, 100, 100]


def test_logical_and_os_indices_stay_apart():
    # Core 4 is the first of the second package; its hardware threads are OS 4 and 12; there is no core 12.
    machine = load(f"{TOPOLOGIES}/smt-interleaved.xml")
    assert machine.os_pus(4) == [4, 12]
    assert machine.pus(4) == [(8, 4), (9, 12)]
    with pytest.raises(InputError, match="core 12 of a machine with 8 cores"):
        machine.os_pus(12)


def test_this_machine_is_a_machine_of_one_node():
    machine = load("local")
    assert machine.n_nodes == 1 and machine.n_cores >= 1 and machine.has_os_indices
    assert load("local:2").node_fingerprint(1) == machine.fingerprint


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("drako:2", r"unknown machine 'drako'; .* did you mean 'draco'\?"),
        ("", "unknown machine ''; expected a preset"),
        ("draco:", "'' is no number of nodes; expected a whole number such as 16, or 10\\+8"),
        ("draco:x", "machine 'draco:x': 'x' is no number of nodes"),
        ("draco:-1", "'-1' is no number of nodes"),
        ("draco:1.5", "'1.5' is no number of nodes"),
        ("draco:0", "machine 'draco:0': 0 nodes; expected at least 1"),
        ("draco:1+0", "the last node has 0 cores"),
        ("draco:1+9", "9 cores in the last node; expected at most the 8 of a whole one"),
        ("draco:999999999", "more than 16777216 cores"),
        ("local:0", "machine 'local:0': 0 nodes"),
        ("synthetic:pack:2 core:2 pu:1", "has no number of nodes; expected synthetic:NODES:STRING"),
        ("synthetic:2", "has no number of nodes"),
        ("synthetic:2:pack:2 nonsense", "doesn't understand the synthetic string 'pack:2 nonsense'"),
        ("nowhere.toml", "nowhere.toml: could not be read"),
        ("nowhere.xml:2", "nowhere.xml: could not be read .No such file or directory."),
        ("tree:", "'' as children an object"),
        ("tree:4:0", "machine 'tree:4:0': '0' as children an object; expected a whole number from 1"),
        ("tree:4:-8", "'-8' as children an object"),
        ("tree:4:8.5", "'8.5' as children an object"),
        ("tree:9999:9999", "more than 16777216 leaves"),
        ("tree:4:8@1", "2 levels and 1 distances; expected one distance a level"),
        ("tree:4:8@", "'' as distance"),
        ("tree:4:8@1:2.5", "'2.5' as distance; expected a whole number from 1"),
        ("tree:4:8@0:1", "'0' as distance"),
        ("tree:4:8@10:1", "distance 1 after 10; expected distances from 1 that don't fall on the way up"),
        ("tree:4@99999999999", "'99999999999' as distance"),
    ],
)
def test_a_wrong_machine_gets_one_sentence(spec, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        load(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this process has a single CPU already")
def test_cores_outside_the_cpuset_of_this_process_are_left_out():
    last = max(os.sched_getaffinity(0))
    script = (
        f"import os; os.sched_setaffinity(0, [{last}]); from corewise.machines import load; "
        "m = load('local'); print([m.os_pus(core) for core in range(m.n_cores)])"
    )
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert seen == f"[[{last}]]\n"
