"""Placements that are refused before the start: cores that a host lacks, this host or another one.

If a rankfile names a core that doesn't exist, Open MPI 4.1.4 ends without a message. MPICH 4 binds to all
cores.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from corewise import machines
from corewise.errors import InputError, MissingError
from corewise.launchers.hosts import Host
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.observe import preconditions
from corewise.observe.host_cpus import HostCpus
from corewise.observe.preconditions import HostsKnown, check_placement
from msgspec import structs

MACHINE = machines.load("synthetic:2:pack:2 core:2 pu:1")
PLACEMENT = Placement.of(Assignment.from_cores([0, 4]), MACHINE).named("p.json")
HERE = HostCpus(
    "here", [[0, 1], [2], [6, 7]], frozenset({0, 1, 2}), frozenset({0, 1, 2}), offline=frozenset({3, 4, 5})
)
JOB = SimpleNamespace(n_ranks=2, hosts=[Host("n1"), Host("n2")])


def check(placement: Placement, assumed: frozenset[int] = frozenset()) -> None:
    check_placement(placement, JOB, HostsKnown(["n1", "n2"], MACHINE, assumed))


@pytest.mark.parametrize("core", [4, 1000])
def test_a_core_that_another_host_lacks_is_refused_before_anything_starts(core):
    absent = structs.replace(PLACEMENT, cores=[[0], [core]], os_pus=[[0], [core]]).named("p.json")
    with pytest.raises(InputError, match=rf"p.json: cores\[1\]: core {core} of node 1, which has 4 cores"):
        check(absent)


def test_hardware_threads_of_another_core_are_refused():
    with pytest.raises(
        InputError, match=r"p.json: os_pus\[1\] is \[3\]; expected \[1\], the hardware threads"
    ):
        check(structs.replace(PLACEMENT, cores=[[0], [1]], os_pus=[[0], [3]]).named("p.json"))


def test_a_node_of_another_shape_is_refused_unless_nobody_asked_it():
    other = structs.replace(PLACEMENT, node_fingerprints=[MACHINE.node_fingerprint(0), "other"]).named(
        "p.json"
    )
    with pytest.raises(InputError, match="node 1 has fingerprint other, here it is"):
        check(other)
    check(other, assumed=frozenset({1}))


@pytest.mark.parametrize(
    ("os_pus", "sentence"),
    [
        (
            [2, 9],
            r"placed on core 0, hardware thread 9 \(os_index\), which is not here \(0-7 are\); make one",
        ),
        ([2, 3], r"rank 0 needs hardware thread 3 \(os_index\), which is offline \(0-2,6-7 run\)"),
        (
            [2, 6, 7],
            r"hardware thread 6-7 \(os_index\), but this process may use only 0-2: the cpuset is narr",
        ),
    ],
)
def test_a_hardware_thread_that_is_absent_offline_or_taken_away_here_is_called_so(
    monkeypatch, os_pus, sentence
):
    monkeypatch.setattr(preconditions, "this_host", lambda: HERE)
    monkeypatch.setattr(preconditions.os, "sched_getaffinity", lambda process: set(HERE.affinity))
    alone = SimpleNamespace(n_ranks=1, hosts=[Host("localhost")])
    placement = structs.replace(PLACEMENT, node=[0], cores=[[0]], os_pus=[os_pus]).named("p.json")
    with pytest.raises(MissingError, match=sentence):
        check_placement(placement, alone, HostsKnown(["localhost"], MACHINE))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"node": [0], "cores": [[0]], "os_pus": [[0]]}, "the command starts 2 ranks, p.json places 1"),
        ({"os_pus": None}, "which has no OS indices; expected a placement for the machine that runs it"),
        (
            {"node": [0, 2], "node_fingerprints": ["f"] * 3},
            r"p.json uses node 2, but the command runs on 2 hosts \(n1, n2\)",
        ),
    ],
)
def test_a_placement_that_is_not_of_the_command_is_refused(changed, sentence):
    with pytest.raises(InputError, match=sentence):
        check(structs.replace(PLACEMENT, **changed).named("p.json"))
