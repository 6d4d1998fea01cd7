"""`corewise run --binding` on real MPIs: ranks and threads stay on their board, socket or NUMA domain."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from corewise import machines
from cpusets import cpuset_mount, entering, made_cpuset
from mpis_here import SHOW_MASK
from test_run import corewise, placement


def pus_of_cores(cores: range) -> list[int]:
    return sorted(pu for core in cores for pu in machines.here().os_pus(core))


def run_bound(mpi, folder, *words: str) -> dict:
    done = corewise("run", "--json", "--binding", *words, mpi.ring, folder=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("binding", ["board", "socket", "numa"])
def test_ranks_divide_what_they_are_bound_to(mpi, two_cores, tmp_path, binding):
    machine = machines.here()
    if machine.n_levels > 1:
        pytest.skip("this machine has several packages or domains: the lab's virtual machine shows those")
    n_cores = machine.n_cores
    document = run_bound(mpi, tmp_path, binding, "--", mpi.mpirun, "-n", "2")
    assert document["verified"] is True
    seen = [rank["os_pus_seen"] for rank in document["ranks"]]
    assert seen == [pus_of_cores(range(n_cores // 2)), pus_of_cores(range(n_cores // 2, n_cores))]


def test_sharing_ranks_have_the_whole_board(mpi, two_cores, tmp_path):
    words = ("board", "--processes-per-object", "2", "--share", "--", mpi.mpirun)
    document = run_bound(mpi, tmp_path, *words)
    assert document["verified"] is True
    every_pu = pus_of_cores(range(machines.here().n_cores))
    assert [rank["os_pus_seen"] for rank in document["ranks"]] == [every_pu] * 2


@pytest.fixture(params=["taskset", "cgroup"])
def fence(request):
    """The words that leave the last hardware thread to a command, and its number."""
    last = max(os.sched_getaffinity(0))
    if request.param == "taskset":
        if shutil.which("taskset") is None:
            pytest.skip("needs taskset")
        yield ("taskset", "-c", str(last)), last
        return
    if cpuset_mount() is None:
        pytest.skip("no cpuset may be made here")
    with made_cpuset(frozenset({last})) as cgroup:
        yield tuple(entering(cgroup)), last


def test_ranks_get_exactly_what_a_fence_leaves(mpi, two_cores, tmp_path, fence):
    under, last = fence
    shows = ("bash", "-c", f'{SHOW_MASK}; exec "$@"', "bash", mpi.ring)
    words = ("run", "--json", "--binding", "node", "--share", "--", mpi.mpirun, "-n", "2", *shows)
    done = corewise(*words, folder=tmp_path, under=under)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verified"] is True
    assert [rank["os_pus_seen"] for rank in document["ranks"]] == [[last]] * 2
    assert {f"{rank} {last}" for rank in range(2)} <= set(done.stderr.splitlines())  # by the ranks themselves
    words = ("run", "--placement", placement(tmp_path, [0, 1]), "--", mpi.mpirun, "-n", "2", mpi.ring)
    stale = corewise(*words, folder=tmp_path, under=under)
    assert (stale.returncode, stale.stdout) == (3, "")
    assert "but this process may use only" in stale.stderr and len(stale.stderr.splitlines()) == 1
