"""`corewise run --binding` on real MPIs: ranks and threads stay on their board, socket or NUMA domain."""

from __future__ import annotations

import json

import pytest
from corewise import machines
from test_run import corewise


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


def test_a_number_of_ranks_that_differs_from_the_bindings_is_refused(mpi, tmp_path):
    words = ("run", "--binding", "board", "--processes-per-object", "1", "--", mpi.mpirun, "-n", "3", "true")
    done = corewise(*words, folder=tmp_path)
    assert done.returncode == 2
    assert "the command starts 3 ranks, --binding board places 1; expected as many" in done.stderr
