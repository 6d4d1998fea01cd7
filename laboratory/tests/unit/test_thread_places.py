"""The affinity library's thread plans for the papers' machines, and the resulting places on a node."""

from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise_laboratory.studies.threads import bindings_of, planned_threads, thread_places

FIXTURES = Path(__file__).parents[3] / "fixtures" / "affinity"
DEVCLUSTER, DECEPTION, PERLMUTTER = (
    FIXTURES / f"{name}.xml" for name in ("devcluster", "deception", "perlmutter")
)


def test_a_plan_has_its_roles_and_places():
    # Ten cores of package 0: 1 comm_server, 1 helper (per eight threads), 8 workers.
    threads = planned_threads("new_pin", DEVCLUSTER, frozenset(range(10)))
    cores = {
        role: [one["core"] for one in threads if one["role"] == role] for role in ("comm_server", "helper")
    }
    assert cores == {"comm_server": [0], "helper": [1]}
    assert len(threads) == 10
    assert {pu for one in threads for pu in one["cpuset"]} == set(range(10))


def test_a_policy_that_is_none_is_the_library_s_own_sentence():
    with pytest.raises(InputError, match="there is no policy 'new'; there are balanced"):
        planned_threads("new", DEVCLUSTER, frozenset(range(10)))


def test_one_domain_a_socket_makes_two_bindings_the_same():
    wanted = ["board", "socket", "numa"]
    assert list(bindings_of(machines.load(str(DEVCLUSTER)), wanted).values()) == [None, None, "socket"]
    assert set(bindings_of(machines.load(str(PERLMUTTER)), wanted).values()) == {None}


@pytest.mark.parametrize(
    ("xml", "binding", "policy", "places"),
    [
        # Both processes' threads are on the first ten cores.
        (DEVCLUSTER, "socket", "pin", {"pinned": 20, "shared_cores": 10, "idle_cores": 10, "outside": 10}),
        # One process: 20 threads on 20 CPUs, as pin expects.
        (DEVCLUSTER, "board", "pin", {"shared_cores": 0, "idle_cores": 0, "outside": 0}),
        (DECEPTION, "socket", "pin", {"shared_cores": 32}),
        # CPUs t and t + 128 are one core: 256 threads share 128 cores in pairs.
        (PERLMUTTER, "board", "pin", {"threads": 256, "shared_cores": 128, "idle_cores": 0}),
        # Two processes of 128 threads, all on CPUs 0 to 127.
        (PERLMUTTER, "socket", "pin", {"shared_cores": 128}),
        # Eight processes of 32 threads, all on CPUs 0 to 31.
        (PERLMUTTER, "numa", "pin", {"shared_cores": 32, "idle_cores": 96, "outside": 224}),
        # Without SMT, singlified is default; with it, one hardware thread a core remains.
        (DECEPTION, "socket", "default", {"doubled_cores": 0, "narrowed": 0}),
        (PERLMUTTER, "numa", "default", {"doubled_cores": 128, "narrowed": 0}),
        (PERLMUTTER, "numa", "singlified", {"doubled_cores": 0}),
    ],
)
def test_the_policies_put_threads_where_the_paper_says(xml, binding, policy, places):
    found = thread_places(xml, binding, policy)
    assert {name: found[name] for name in places} == places


@pytest.mark.parametrize("xml", [DEVCLUSTER, DECEPTION, PERLMUTTER], ids=lambda path: path.stem)
@pytest.mark.parametrize("binding", ["board", "socket", "numa"])
def test_new_pin_gives_a_core_to_each_thread(xml, binding):
    found = thread_places(xml, binding, "new_pin")
    assert found["pinned"] == found["threads"] == machines.load(str(xml)).n_cores
    assert [found[name] for name in ("shared_cores", "idle_cores", "outside")] == [0] * 3
