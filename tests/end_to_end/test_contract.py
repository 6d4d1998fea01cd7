"""The command line against the independent check: `map` and `score` print what the definitions require."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from math import prod
from pathlib import Path

import numpy as np
import oracle
import pytest
from oracle import RegularTree

TREES = {
    "synthetic:2:pack:2 l2:2 core:2 pu:1": RegularTree((2, 2, 2, 2), node_level=3),
    "draco:2": RegularTree((2, 2, 2, 2), node_level=3),
    "jaguar-xt5:2": RegularTree((6, 2, 2), node_level=2),
    "tree:4:2:3@1:10:100": RegularTree((4, 2, 3), node_level=3, distances=(1, 10, 100)),
    "synthetic:1:pack:1 l3:1 l2:4 core:2 pu:1": RegularTree((2, 4), node_level=2),
}
LISTED_SOLVERS = ["auto", "block", "round-robin", "random", "spread", "frequency-major", "size-major"]


def corewise(*arguments: str | Path, expect: int = 0) -> dict:
    """Runs `corewise ... --json` and returns its document."""
    command = [str(Path(sys.executable).parent / "corewise"), *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == expect, done.stderr
    return json.loads(done.stdout)


def random_matrix(n_ranks: int, seed: int, density: float = 0.4) -> oracle.Matrix:
    """Messages for about `density` of all ordered pairs, self-messages included; sizes over four decades."""
    draw = random.Random(seed)
    pairs = [(src, dst) for src in range(n_ranks) for dst in range(n_ranks) if draw.random() < density]
    return {pair: (int(10 ** draw.uniform(0, 4)), draw.randint(1, 9)) for pair in pairs}


def write_npz(path: Path, n_ranks: int, matrix: oracle.Matrix) -> Path:
    """The dense [src, dst] form of INPUT."""
    size, messages = np.zeros((2, n_ranks, n_ranks), dtype=np.int64)
    for (src, dst), (pair_bytes, pair_messages) in matrix.items():
        size[src, dst], messages[src, dst] = pair_bytes, pair_messages
    np.savez(path, bytes=size, msgs=messages)
    return path


def cores_of(document: dict, tree: RegularTree) -> list[int]:
    """Leaf numbers over the whole machine, from the node and core columns of the placement."""
    per_node = prod(tree.arities[: tree.node_level])
    return [
        n * per_node + c
        for n, c in zip(document["placement"]["node"], document["placement"]["core"], strict=True)
    ]


@pytest.fixture(params=TREES, ids=lambda spec: spec.split(":")[0] + spec.split(":")[1])
def spec(request) -> str:
    return request.param


@pytest.mark.parametrize("solver", LISTED_SOLVERS)
def test_scores_of_every_solvers_placement_follow_the_definitions(tmp_path, spec, solver):
    tree, n_ranks = TREES[spec], min(TREES[spec].n_cores, 12)
    matrix = random_matrix(n_ranks, seed=len(spec))
    path = write_npz(tmp_path / "m.npz", n_ranks, matrix)

    document = corewise("map", path, "--machine", spec, "--solver", solver, "--objective", "hop-bytes")

    cores = cores_of(document, tree)
    assert len(set(cores)) == n_ranks and all(0 <= core < tree.n_cores for core in cores)
    assert document["value"] == document["scores"]["hop-bytes"] == oracle.hop_bytes(tree, matrix, cores)
    assert document["scores"]["link-load"] == oracle.link_load(tree, matrix, cores)
    assert document["scores"]["congestion"] == oracle.congestion(tree, matrix, cores)


def test_time_is_the_slowest_link_or_rank_with_the_figures_that_topo_prints(tmp_path):
    spec, tree = "draco:2", TREES["draco:2"]
    levels = sorted(corewise("topo", "--machine", spec)["levels"], key=lambda level: -level["count"])
    figures = [(level["latency_s"], level["bandwidth_bytes_per_s"]) for level in levels if level["latency_s"]]
    assert len(figures) == len(tree.arities)
    for seed in range(4):
        matrix = random_matrix(16, seed)
        path = write_npz(tmp_path / f"m{seed}.npz", 16, matrix)
        document = corewise("map", path, "--machine", spec, "--solver", "random", "--seed", str(seed))
        cores = cores_of(document, tree)
        assert document["scores"]["time"] == pytest.approx(
            oracle.time_s(tree, matrix, cores, figures), rel=1e-9
        )


@pytest.mark.parametrize("objective", ["hop-bytes", "link-load", "congestion"])
def test_exact_finds_the_best_and_the_worst_of_all_mappings_of_a_node(tmp_path, objective):
    spec, tree = "synthetic:1:pack:2 l2:2 core:2 pu:1", RegularTree((2, 2, 2), node_level=3)
    score = {"hop-bytes": oracle.hop_bytes, "link-load": oracle.link_load, "congestion": oracle.congestion}[
        objective
    ]
    for seed, n_ranks in [(1, 8), (2, 6)]:
        matrix = random_matrix(n_ranks, seed)
        path = write_npz(tmp_path / f"m{seed}.npz", n_ranks, matrix)
        best, worst = oracle.best_and_worst(tree, matrix, n_ranks, score)
        common = ("map", path, "--machine", spec, "--objective", objective, "--solver", "exact")
        for extra, expected in [((), best), (("--worst",), worst)]:
            document = corewise(*common, *extra)
            assert document["proven"] is True
            assert document["value"] == expected
