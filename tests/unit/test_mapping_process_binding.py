"""Ranks bound to boards, sockets and NUMA domains: their cores, and how ranks share one object."""

from __future__ import annotations

import pytest
from corewise import machines
from corewise.mapping.process_binding import BINDINGS, bind_processes, binding_file, bound_objects
from corewise.model import validate
from hypothesis import given
from hypothesis import strategies as st

# Two nodes of two sockets of four cores. DOMAINS has two NUMA domains per socket: 0 1 | 2 3
# 4 5 | 6 7.
SMALL = "synthetic:2:pack:2 [numa] l3:2 core:2 pu:1"
DOMAINS = "synthetic:2:pack:2 group:2 [numa] core:2 pu:1"


def cores(spec: str, binding: str, n_ranks: int | None = None, share: bool = False) -> list[list[int]]:
    placement = bind_processes(machines.load(spec), binding, n_ranks, share)
    return [placement.cores(rank).tolist() for rank in range(placement.n_ranks)]


@pytest.mark.parametrize(
    ("spec", "n_objects"),
    [
        # board, numa, socket. In DevCluster and Deception a domain is a socket; Perlmutter has four per
        # socket.
        ("devcluster:8", (8, 16, 16)),
        ("deception:8", (8, 16, 16)),
        ("perlmutter:8", (8, 64, 16)),
        # one domain for two sockets
        ("draco:2", (2, 2, 4)),
        # Ten whole nodes and a node of 8 cores, which ends within its second socket.
        ("jaguar-xt5:10+8", (11, 22, 22)),
        # No packages or domains: the node serves as both.
        ("synthetic:3:core:1 pu:1", (3, 3, 3)),
        ("tree:4:8", (1, 1, 1)),
    ],
)
def test_by_default_there_is_a_rank_for_every_object(spec, n_objects):
    machine = machines.load(spec)
    for binding, n in zip(("board", "numa", "socket"), n_objects, strict=True):
        assert bind_processes(machine, binding).n_ranks == n
        assert sum(bound_objects(machine, binding), []) == list(range(machine.n_cores))


def test_a_rank_gets_all_cores_of_its_object():
    assert cores(DOMAINS, "board") == [list(range(8)), list(range(8, 16))]
    assert cores(DOMAINS, "socket") == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    assert cores(DOMAINS, "numa")[:3] == [[0, 1], [2, 3], [4, 5]]


def test_ranks_of_one_object_divide_it_in_tree_order():
    assert cores(SMALL, "socket", 8)[:4] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    # Three ranks on four cores: 0*4/3 = 0, 1*4/3 = 1, 2*4/3 = 2, as `part` of cw_thread_plan_options_t
    # divides.
    assert cores("synthetic:1:pack:1 core:4 pu:1", "socket", 3) == [[0], [1], [2, 3]]


def test_ranks_that_do_not_come_out_even_go_to_the_first_objects():
    assert cores(DOMAINS, "socket", 5) == [[0, 1], [2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    assert cores(DOMAINS, "socket", 1) == [[0, 1, 2, 3]]


def test_a_package_is_a_socket_and_a_node_a_board():
    for one, other in (("package", "socket"), ("node", "board")):
        assert cores(DOMAINS, one) == cores(DOMAINS, other)
    assert cores(SMALL, "core") == [[core] for core in range(16)]


def test_l3_groups_are_those_of_the_caches_that_are_shown():
    assert cores("synthetic:1:pack:1 [numa] l3:2 core:2 pu:1", "l3") == [[0, 1], [2, 3]]
    assert len(cores("perlmutter:1", "l3")) == 16


def test_sharing_ranks_have_all_cores_of_their_object():
    assert cores(SMALL, "board", 4, share=True) == [list(range(8))] * 2 + [list(range(8, 16))] * 2
    assert binding_file(machines.load(SMALL), "board", 4, share=True).oversubscribed
    assert not binding_file(machines.load(SMALL), "board", 2, share=True).oversubscribed


def test_a_rank_is_bound_to_every_hardware_thread_of_its_cores():
    # Perlmutter numbers all first hardware threads before the second ones.
    file = binding_file(machines.load("perlmutter:1"), "numa")
    assert file.os_pus[1] == [*range(16, 32), *range(144, 160)]


@given(
    st.lists(st.integers(1, 4), min_size=4, max_size=4), st.sampled_from(sorted(BINDINGS)), st.integers(1, 99)
)
def test_no_core_is_given_twice_and_nothing_is_left_when_every_object_has_a_rank(counts, binding, n_ranks):
    nodes, packages, domains, per_domain = counts
    per_domain += binding == "l3"  # a level whose objects have one child each is merged
    machine = machines.load(
        f"synthetic:{nodes}:pack:{packages} group:{domains} [numa] l3:1 core:{per_domain} pu:1"
    )
    objects = bound_objects(machine, binding)
    n_ranks = min(n_ranks, len(objects) * min(map(len, objects)))
    placement = bind_processes(machine, binding, n_ranks)
    validate(placement, machine)
    taken = [core for rank in range(n_ranks) for core in placement.cores(rank).tolist()]
    if n_ranks >= len(objects):
        assert taken == list(range(machine.n_cores))
