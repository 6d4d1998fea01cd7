"""The argument of `--machine M`: the machine for each form. Sizes and refusals: test_machine_texts.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load

TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"


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


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this process has a single CPU already")
def test_cores_outside_the_cpuset_of_this_process_are_left_out():
    last = max(os.sched_getaffinity(0))
    script = (
        f"import os; os.sched_setaffinity(0, [{last}]); from corewise.machines import load; "
        "m = load('local'); print([m.os_pus(core) for core in range(m.n_cores)])"
    )
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert seen == f"[[{last}]]\n"
