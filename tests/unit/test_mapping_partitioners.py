"""Partitioners: exact numbers of ranks on every core, equal results for equal seeds, one-sentence errors."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from corewise import model
from corewise.cli import cli
from corewise.errors import MissingError
from corewise.mapping.partitioners.bisection import map_on_tree, with_exact_sizes
from corewise.mapping.partitioners.task_graph import TaskGraph
from hypothesis import given, settings
from hypothesis import strategies as st


def matrix_of(n_ranks: int, edges: list[tuple[int, int, int]]) -> model.CommMatrix:
    src, dst, size_bytes = zip(*edges, strict=True) if edges else ([], [], [])
    ranks = [np.array(column, dtype=np.int32) for column in (src, dst)]
    counts = [np.array(column, dtype=np.uint64) for column in (size_bytes, [1] * len(edges))]
    return model.CommMatrix.from_columns(n_ranks, *ranks, *counts)


def path(n_ranks: int) -> list[tuple[int, int, int]]:
    return [(rank, rank + 1, 10) for rank in range(n_ranks - 1)]


@st.composite
def traffic_on_trees(draw):
    n_ranks = draw(st.integers(2, 40))
    rank = st.integers(0, n_ranks - 1)
    edges = draw(st.lists(st.tuples(rank, rank, st.integers(0, 2**55)), max_size=60))
    arities = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    return n_ranks, edges, arities


def test_a_task_graph_adds_both_ways_and_leaves_out_loops_and_silence():
    graph = TaskGraph.of(matrix_of(3, [(0, 1, 5), (1, 0, 7), (2, 2, 9), (1, 2, 0)]))
    assert graph.start.tolist() == [0, 1, 2, 2]
    assert graph.peer.tolist() == [1, 0]
    assert graph.weight.tolist() == [12, 12]


def test_weights_that_would_not_be_exact_are_scaled_down():
    graph = TaskGraph.of(matrix_of(3, [(0, 1, 2**61), (1, 2, 2**60), (0, 2, 1)]))
    assert graph.weight.sum() < 2**54
    assert graph.weight[0] == 2 * graph.weight[-1]
    assert graph.weight.min() == 1


def test_a_part_keeps_the_edges_among_its_members():
    graph = TaskGraph.of(matrix_of(4, path(4)))
    part = graph.part(np.array([False, True, True, True]))
    assert part.n == 3
    assert part.vertex.tolist() == [0, 1, 1, 2]
    assert part.peer.tolist() == [1, 0, 2, 1]


def test_what_is_too_much_moves_over_at_the_least_loss():
    # The path 0-1-2-3-4-5 cut after 4: if 4 and then 3 move, only one edge is cut.
    graph = TaskGraph.of(matrix_of(6, path(6)))
    assert with_exact_sizes(graph, np.array([0, 0, 0, 0, 0, 1]), 3).tolist() == [0, 0, 0, 1, 1, 1]
    assert with_exact_sizes(graph, np.array([0, 1, 1, 1, 1, 1]), 3).tolist() == [0, 0, 0, 1, 1, 1]


def test_the_tree_is_split_at_the_highest_level_first():
    # Three groups of two cores. The first cut is between groups. Once the time is up, ranks are assigned in
    # order.
    machine = model.make_tree_machine([2, 3], [1, 10])
    graph = TaskGraph.of(matrix_of(12, path(12)))
    sizes = []

    def record(part: TaskGraph, n_first: int) -> list[np.ndarray]:
        sizes.append((part.n, n_first))
        return [np.arange(part.n) >= n_first]

    cores = map_on_tree(graph, machine, np.full(6, 2), record, lambda: False)
    assert cores.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert sizes == [(12, 4), (8, 4), (4, 2), (4, 2), (4, 2)]
    assert map_on_tree(graph, machine, np.full(6, 2), record, lambda: True).tolist() == cores.tolist()


@settings(max_examples=60)
@given(traffic_on_trees(), st.randoms())
def test_every_core_gets_its_ranks_whatever_the_partitioner_answers(case, chance):
    n_ranks, edges, arities = case
    machine = model.make_tree_machine(arities, list(range(1, len(arities) + 1)))
    wanted = np.bincount(
        [chance.randrange(machine.n_cores) for _ in range(n_ranks)], minlength=machine.n_cores
    )

    def guess(part: TaskGraph, n_first: int) -> list[np.ndarray]:
        return [np.array([chance.randrange(2) for _ in range(part.n)])]

    graph = TaskGraph.of(matrix_of(n_ranks, edges))
    cores = map_on_tree(graph, machine, wanted, guess, lambda: False)
    assert np.bincount(cores, minlength=machine.n_cores).tolist() == wanted.tolist()


@pytest.fixture
def clusters(tmp_path) -> str:
    """240 ranks: 8 cliques of 30, with little traffic between cliques. Rank i is in clique i mod 8."""
    rank = np.arange(240)
    size_bytes = np.where(rank[:, None] % 8 == rank % 8, 100, 0) + (abs(rank[:, None] - rank) == 1)
    np.fill_diagonal(size_bytes, 0)
    file = tmp_path / "clusters.npz"
    np.savez(file, bytes=size_bytes, msgs=(size_bytes > 0).astype(np.int64))
    return str(file)


SHARED_TREE = ("--machine", "tree:2:4@1:10", "--objective", "hop-bytes", "--oversubscribe")
KAMINPAR = (*SHARED_TREE, "--solver", "kaminpar")


def mapped(*words: str) -> dict:
    result = CliRunner().invoke(cli, ("map", *words, "--json"), catch_exceptions=False)
    return json.loads(result.stdout)


def test_kaminpar_finds_clusters_and_fills_every_core_evenly(clusters):
    pytest.importorskip("kaminpar", reason="KaMinPar is not installed here (pip install kaminpar)")
    found = mapped(clusters, *KAMINPAR)
    cores = np.array(found["placement"]["core"])
    assert np.bincount(cores).tolist() == [30] * 8
    assert all(len(set(cores[first::8])) == 1 for first in range(8))  # one clique per core
    again = mapped(clusters, *KAMINPAR, "--threads", "2")
    assert again["placement"] == found["placement"]


def test_kaminpar_cut_short_still_fills_every_core(clusters):
    pytest.importorskip("kaminpar", reason="KaMinPar is not installed here (pip install kaminpar)")
    found = mapped(clusters, *KAMINPAR, "--deadline", "0.000001")
    assert found["cut_short"] is True
    assert np.bincount(found["placement"]["core"]).tolist() == [30] * 8


@settings(max_examples=15)
@given(traffic_on_trees(), st.integers(0, 2**64 - 1))
def test_kaminpar_maps_whatever_it_is_given(case, seed):
    pytest.importorskip("kaminpar", reason="KaMinPar is not installed here (pip install kaminpar)")
    from corewise.mapping.partitioners import kaminpar

    n_ranks, edges, arities = case
    machine = model.make_tree_machine(arities, list(range(1, len(arities) + 1)))
    graph, sizes = TaskGraph.of(matrix_of(n_ranks, edges)), np.zeros(machine.n_cores, dtype=np.int64)
    np.add.at(sizes, np.arange(n_ranks) % machine.n_cores, 1)
    found = [
        map_on_tree(graph, machine, sizes, kaminpar.load(seed, "fast"), lambda: False).tolist() for _ in "ab"
    ]
    assert np.bincount(found[0], minlength=machine.n_cores).tolist() == sizes.tolist()
    assert found[0] == found[1]


def test_a_partitioner_that_is_not_installed_says_so_and_stays_in_the_list(clusters, monkeypatch):
    monkeypatch.setitem(sys.modules, "kaminpar", None)
    with pytest.raises(
        MissingError, match=r"pip install 'corewise\[kaminpar\]', or take --solver auto"
    ) as error:
        mapped(clusters, *KAMINPAR)
    assert error.value.exit_code == 3
    rows = {row["name"]: row for row in mapped("--list")["solvers"]}
    assert "not installed" in rows["kaminpar"]["missing"]
    assert list(rows) == sorted(rows)
    assert "pip install" in CliRunner().invoke(cli, ("map", "--list")).stdout
