"""HostCpus: cpusets as both versions of cgroups report them, and this host."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from corewise.machines import load
from corewise.observe.host_cpus import cpusets_of, of_node, this_host


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return folder


VERSION_1 = {
    "cgroup": "4:memory:/m\n3:cpuset,cpu:/job/step\n0::/",
    "cpuset/cpuset.effective_cpus": "0-7",
    "cpuset/job/cpuset.cpus": "0-3",
    "cpuset/job/step/cpuset.cpus": "1",
}
VERSION_2 = {
    "cgroup": "0::/job/step",
    "cpuset.cpus.effective": "0-7",
    "job/cpuset.cpus.effective": "0-3",
    "job/step/cpuset.cpus.effective": "1",
}


@pytest.mark.parametrize("files", [VERSION_1, VERSION_2], ids=["version 1", "version 2"])
def test_the_cpusets_around_a_process_are_told_outermost_first(files, tmp_path):
    write(tmp_path, files)
    found = cpusets_of(tmp_path / "cgroup", tmp_path)
    assert [(cpuset.path, sorted(cpuset.os_pus)) for cpuset in found] == [
        ("/", list(range(8))),
        ("/job", [0, 1, 2, 3]),
        ("/job/step", [1]),
    ]


def test_cpusets_that_can_t_be_seen_are_none(tmp_path):
    assert cpusets_of(tmp_path / "missing", tmp_path) == ()
    write(tmp_path, {"cgroup": "0::/job"})
    assert cpusets_of(tmp_path / "cgroup", tmp_path) == ()


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
