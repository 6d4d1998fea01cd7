"""The affinity library's thread plans for the papers' machines, and the resulting places on a node."""

from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.text.quantities import index_text, indices_of
from corewise_laboratory.studies.thread_places import bindings_of, thread_places
from corewise_laboratory.studies.thread_plan import thread_plan
from hypothesis import given
from hypothesis import strategies as st

FIXTURES = Path(__file__).parents[3] / "fixtures" / "affinity"
DEVCLUSTER, DECEPTION, PERLMUTTER = (
    FIXTURES / f"{name}.xml" for name in ("devcluster", "deception", "perlmutter")
)


@given(st.frozensets(st.integers(0, 300)))
def test_a_list_of_indices_reads_back(indices):
    assert indices_of(index_text(indices)) == indices


def test_a_plan_has_its_roles_places_and_the_card():
    # Ten cores of package 0; the card is on package 1. So 1 comm_server, 1 helper (per eight threads), 8
    # workers.
    plan = thread_plan("new_pin", DEVCLUSTER, frozenset(range(10)))
    assert (plan.policy, plan.n_cores, plan.os_pus) == ("topology", 10, frozenset(range(10)))
    assert [len(plan.role(name)) for name in ("worker", "helper", "comm_server")] == [8, 1, 1]
    assert (plan.role("comm_server")[0].core, plan.role("helper")[0].core) == (0, 1)
    assert (plan.card.name, plan.card.near) == ("mlx5_0", "Machine")
    assert thread_plan("new_pin", DEVCLUSTER).card.os_pus == frozenset(range(10, 20))


def test_a_policy_that_is_none_is_the_library_s_own_sentence():
    with pytest.raises(InputError, match="there is no policy 'new'; there are balanced"):
        thread_plan("new", DEVCLUSTER)


def test_one_domain_a_socket_makes_two_bindings_the_same():
    wanted = ["board", "socket", "numa"]
    assert bindings_of(machines.load(str(DEVCLUSTER)), wanted) == {
        "board": None,
        "socket": None,
        "numa": "socket",
    }
    assert set(bindings_of(machines.load(str(PERLMUTTER)), wanted).values()) == {None}


def test_the_legacy_pin_puts_both_sockets_threads_on_the_first_cores():
    places = thread_places(DEVCLUSTER, "socket", "pin")
    assert (places.n_processes, places.n_threads, places.n_pinned) == (2, 20, 20)
    assert (places.shared_cores, places.most_on_a_core, places.idle_cores) == (10, 2, 10)
    assert places.outside == 10  # all threads of process 1
    assert places.sharing == "core 0: worker 0 of process 0, worker 0 of process 1"
    # DevCluster with one process: 20 threads on 20 CPUs, as pin expects.
    assert thread_places(DEVCLUSTER, "board", "pin").shared_cores == 0


def test_the_legacy_pin_takes_hardware_threads_for_cores():
    # Perlmutter's CPUs t and t + 128 are one core: 256 threads share 128 cores in pairs.
    board = thread_places(PERLMUTTER, "board", "pin")
    assert (board.shared_cores, board.most_on_a_core, board.idle_cores) == (128, 2, 0)
    # 8 processes of 32 threads, all on CPUs 0 to 31.
    numa = thread_places(PERLMUTTER, "numa", "pin")
    assert (numa.shared_cores, numa.most_on_a_core, numa.idle_cores, numa.outside) == (32, 8, 96, 224)


@pytest.mark.parametrize("xml", [DEVCLUSTER, DECEPTION, PERLMUTTER], ids=lambda path: path.stem)
@pytest.mark.parametrize("binding", ["board", "socket", "numa"])
def test_new_pin_gives_a_core_to_each_thread_near_its_role_and_the_card(xml, binding):
    places = thread_places(xml, binding, "new_pin")
    assert places.n_pinned == places.n_threads == machines.load(str(xml)).n_cores
    assert (places.shared_cores, places.idle_cores, places.outside, places.mixed_cores) == (0, 0, 0, 0)
    assert places.adjacent
    assert places.at_card == places.near_card == 1


def test_the_comm_server_meets_the_card_as_near_as_its_process_allows():
    # Perlmutter's card is on domain 2 of package 0: one process is on it, three in its package, four
    # elsewhere.
    nearest = thread_places(PERLMUTTER, "numa", "new_pin").card_distance
    assert nearest == {"NUMA domain": 1, "package": 3, "machine": 4}
    # pin: all eight are on CPU 31, in domain 1. default on the board: may run on both packages.
    assert thread_places(PERLMUTTER, "numa", "pin").card_distance == {"package": 8}
    assert thread_places(DEVCLUSTER, "board", "default").card_distance == {"machine": 1}
    assert thread_places(DEVCLUSTER, "socket", "default").card_distance == {"NUMA domain": 1, "machine": 1}


def test_singlified_is_default_without_smt_and_leaves_one_hardware_thread_a_core_with_it():
    assert thread_places(DECEPTION, "socket", "default").doubled_cores == 0
    assert thread_places(PERLMUTTER, "numa", "default").doubled_cores == 128
    assert thread_places(PERLMUTTER, "numa", "singlified").doubled_cores == 0
    assert thread_places(PERLMUTTER, "numa", "singlified").adjacent is None
