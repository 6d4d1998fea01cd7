"""The patterns of the micro-benchmarks, small enough to check by hand."""

from __future__ import annotations

import pytest
from corewise.profile import patterns
from corewise.profile.tables import block_ratio, nodes_ratio
from hypothesis import given
from hypothesis import strategies as st


def entries(matrix) -> list[tuple[int, int, int, int]]:
    """(src, dst, bytes, messages), sorted."""
    return list(zip(*(column.tolist() for column in matrix.columns()), strict=True))


def pairs(matrix) -> list[tuple[int, int]]:
    return [entry[:2] for entry in entries(matrix)]


def test_ring_of_three_passes_every_block_twice():
    assert entries(patterns.ring(3, 10)) == [(0, 1, 20, 2), (1, 2, 20, 2), (2, 0, 20, 2)]


def test_ring_over_11_jaguar_nodes_has_the_papers_ratio():
    # 11 of the 128 messages of a step leave their node: 11 / 117 (the paper's section V.A: 0.09).
    assert block_ratio(patterns.ring(128, 1), 12).inter_over_intra_messages == pytest.approx(11 / 117)


def test_recursive_doubling_of_four_doubles_the_message_at_each_step():
    assert entries(patterns.recursive_doubling(4, 8)) == [
        (0, 1, 8, 1),
        (0, 2, 16, 1),
        (1, 0, 8, 1),
        (1, 3, 16, 1),
        (2, 0, 16, 1),
        (2, 3, 8, 1),
        (3, 1, 16, 1),
        (3, 2, 8, 1),
    ]


def test_the_two_binomial_orders_build_different_trees():
    assert pairs(patterns.binomial(8, 1)) == [(0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 6), (3, 7)]
    assert pairs(patterns.binomial(8, 1, "mpich")) == [(0, 1), (0, 2), (0, 4), (2, 3), (4, 5), (4, 6), (6, 7)]


@given(st.integers(1, 70), st.sampled_from(["paper", "mpich"]))
def test_a_binomial_broadcast_reaches_every_rank_once(n_ranks, order):
    receivers = [dst for _, dst in pairs(patterns.binomial(n_ranks, 1, order))]
    assert sorted(receivers) == list(range(1, n_ranks))


@given(st.integers(1, 5), st.integers(3, 6), st.integers(0, 6), st.floats(0, 1), st.integers(0, 2**40))
def test_random_draws_exactly_what_was_asked_for(n_nodes, ranks_per_node, intra_node, ratio, seed):
    if n_nodes == 1:
        ratio = 0.0
    drawn = entries(patterns.random(n_nodes * ranks_per_node, ranks_per_node, intra_node, ratio, 5, seed))
    nodes = [(src // ranks_per_node, dst // ranks_per_node) for src, dst, _, _ in drawn]
    assert all(src != dst and amount == 5 and messages == 1 for src, dst, amount, messages in drawn)
    assert [nodes.count((node, node)) for node in range(n_nodes)] == [intra_node] * n_nodes
    assert sum(a != b for a, b in nodes) == int(ratio * intra_node * n_nodes + 0.5)


def test_random_is_the_same_for_the_same_seed_and_another_for_another():
    drawn = [pairs(patterns.random(16, 8, 10, 0.5, 1, seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_hosts_of_a_job_are_its_nodes():
    # Round robin over two hosts: every message of the ring crosses.
    ratio = nodes_ratio(patterns.ring(4, 1), [0, 1, 0, 1])
    assert (ratio.ranks_per_node, ratio.n_nodes, ratio.inter_over_intra_bytes) == (2, 2, None)
    uneven = nodes_ratio(patterns.ring(4, 1), [2, 2, 2, 0])
    assert (uneven.ranks_per_node, uneven.inter_over_intra_messages) == (None, 1.0)
