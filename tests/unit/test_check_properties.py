"""Checks on random hosts and masks: no crash, no false alarm; numbers outside the cpuset are found."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from check_cases import asked, situation
from corewise import machines
from corewise.checks import CHECKS, findings
from corewise.mapping.binding_request import with_width
from corewise.mapping.process_binding import binding_file
from corewise.observe.host_cpus import HostCpus
from hypothesis import given, settings
from hypothesis import strategies as st

LAUNCHERS = ("hydra", "openmpi4", "openmpi5", "srun")


@st.composite
def hosts(draw: st.DrawFn) -> HostCpus:
    """A random host: SMT on some cores, any numbering, offline threads, two kinds of cores, cgroup, mask."""
    numbers = draw(st.permutations(range(draw(st.integers(1, 16)))))
    n_offline = draw(st.integers(0, len(numbers) - 1))
    offline, online = numbers[:n_offline], numbers[n_offline:]
    cores: list[list[int]] = []
    for pu in online:
        if cores and len(cores[-1]) < 2 and draw(st.booleans()):
            cores[-1].append(pu)
        else:
            cores.append([pu])
    allowed = frozenset(draw(st.lists(st.sampled_from(online), min_size=1)))
    affinity = frozenset(draw(st.lists(st.sampled_from(sorted(allowed)), min_size=1)))
    n_slow = draw(st.integers(0, len(cores)))
    kinds = [frozenset(pu for core in part for pu in core) for part in (cores[:n_slow], cores[n_slow:])]
    named = (("IntelAtom", kinds[0]), ("IntelCore", kinds[1])) if all(kinds) else ()
    return HostCpus("n0", cores, allowed, affinity, frozenset(offline), named)


def masks_in(pus: frozenset[int]) -> st.SearchStrategy[list[set[int]]]:
    return st.lists(st.sets(st.sampled_from(sorted(pus)), min_size=1), min_size=1, max_size=12)


@given(hosts(), st.sampled_from(LAUNCHERS), st.integers(0, 8), st.data())
def test_every_finding_says_what_why_and_what_to_do(host, launcher, n_threads, data):
    masks = data.draw(masks_in(host.online))
    command = asked(launcher, f"LAUNCHER -n {len(masks)} ./app")
    variables = {"OMP_NUM_THREADS": str(n_threads)} if n_threads else {}
    for where in (situation(host, command, masks, **variables), situation(host, **variables)):
        for check, finding in findings(where):
            assert check.name in CHECKS
            assert finding.found and finding.why and finding.do
            assert finding.command is None or "None" not in finding.command


@given(hosts(), st.sampled_from(LAUNCHERS), st.data())
def test_ranks_with_a_core_each_of_the_faster_kind_are_no_trap(host, launcher, data):
    fast = host.core_kinds[-1][1] if host.core_kinds else host.online
    usable = [frozenset(core) & host.affinity for core in host.cores if set(core) & host.affinity & fast]
    if not usable:
        return
    chosen = data.draw(st.permutations(usable))[: data.draw(st.integers(1, len(usable)))]
    command = asked(launcher, f"LAUNCHER -n {len(chosen)} ./app")
    assert findings(situation(host, command, [set(pus) for pus in chosen])) == []


@given(hosts(), st.lists(st.integers(0, 20), min_size=1, max_size=6))
def test_a_number_outside_the_cpuset_is_always_found(host, numbers):
    words = f"LAUNCHER -n {len(numbers)} -bind-to user:{','.join(map(str, numbers))} ./app"
    found = CHECKS["absent-pus"].look(situation(host, asked("hydra", words)))
    assert bool(found) == bool(set(numbers) - host.allowed)


@given(hosts(), st.data())
def test_ranks_that_leave_the_mask_of_their_launcher_are_always_found(host, data):
    masks = data.draw(masks_in(host.online))
    command = asked("openmpi4", f"LAUNCHER -n {len(masks)} ./app")
    found = CHECKS["inherited-affinity"].look(situation(host, command, masks))
    assert bool(found) == any(not mask <= host.affinity for mask in masks)


SHAPES = ("pack:2 core:2 pu:2(indexes=2*4:1*2)", "pack:2 l2:2 core:2 pu:1", "pack:1 core:4 pu:2")


@pytest.mark.skipif(shutil.which("lstopo") is None, reason="lstopo not found")
@settings(max_examples=12)
@given(st.sampled_from(SHAPES), st.integers(1, 255))
def test_a_node_has_exactly_the_hardware_threads_that_a_cpuset_leaves(tmp_path_factory, shape, mask):
    # All bindings use only these hardware threads. A core that has one left gets that one.
    path = tmp_path_factory.mktemp("cpuset") / "node.xml"
    restrict = ["--restrict", hex(mask), "--of", "xml", str(path)]
    subprocess.run(["lstopo", "-i", shape, *restrict], check=True, timeout=60, capture_output=True)
    left = {pu for pu in range(8) if mask >> pu & 1}
    machine = machines.load(str(path))
    assert {pu for core in range(machine.n_cores) for pu in machine.os_pus(core)} == left
    by_core = binding_file(machine, "core")
    assert sorted(pu for pus in by_core.os_pus for pu in pus) == sorted(left)
    assert all(set(pus) == left for pus in with_width(by_core, machine, "node").os_pus)
    assert all(len(pus) == 1 and set(pus) <= left for pus in with_width(by_core, machine, "pu").os_pus)
