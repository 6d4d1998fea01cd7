"""corewise map and score: their JSON and the placement file."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.nouns.placement import Placement
from profile_cases import two_phase_profile

MAP_KEYS = {
    "solver",
    "objective",
    "value",
    "unit",
    "scores",
    "proven",
    "bound",
    "cpu_s",
    "cut_short",
    "seed",
    "effort",
}


@pytest.fixture
def ring(tmp_path) -> str:
    """Eight ranks; each sends 100 bytes to the next."""
    matrix = np.roll(np.eye(8, dtype=np.int64), 1, axis=1)
    path = tmp_path / "ring.npz"
    np.savez(path, bytes=100 * matrix, msgs=matrix)
    return str(path)


def run(*words: str) -> str:
    return CliRunner().invoke(cli, words, catch_exceptions=False).stdout


def test_map_prints_the_keys_of_the_contract(tmp_path, ring):
    document = json.loads(
        run(
            *["map", ring, "--machine", "draco:1", "--solver", "exact", "--json"],
            *["-o", str(tmp_path / "placement.json")],
        )
    )
    assert document.keys() >= MAP_KEYS
    assert document["objective"] == "time"
    assert set(document["scores"]) == {"congestion", "hop-bytes", "link-load", "time"}
    assert document["placement"] == json.loads((tmp_path / "placement.json").read_text())
    assert document["placement"]["node"] == [0] * 8
    assert sorted(document["placement"]["core"]) == list(range(8))
    assert document["proven"] is True
    assert document["bound"] == document["value"]


def test_link_load_is_a_list_and_its_worst_ring_crosses_packages_with_every_message(ring):
    words = ("map", ring, "--machine", "draco:1", "--solver", "exact", "--objective", "link-load", "--json")
    assert json.loads(run(*words))["value"] == [200, 200]
    assert json.loads(run(*words, "--worst"))["value"] == [800, 400]


def test_a_bare_tree_is_one_node_and_has_no_time(ring):
    document = json.loads(run("map", ring, "--machine", "tree:2:4@1:10", "--solver", "block", "--json"))
    # Four edges inside pairs, four between them: 4 * 100 + 4 * 1000.
    assert (document["objective"], document["value"]) == ("hop-bytes", 4400)
    assert "time" not in document["scores"]
    assert document["placement"]["node"] == [0] * 8
    assert "os_pus" not in document["placement"]


def test_the_text_compares_with_placements_that_nobody_optimised(ring):
    text = run("map", ring, "--machine", "draco:2", "--solver", "exact", "--objective", "link-load")
    assert "proven optimal" in text
    for word in ("block", "round-robin", "random", "node 0"):
        assert word in text


def test_a_written_placement_scores_as_it_was_mapped(ring, tmp_path):
    path = str(tmp_path / "placement.json")
    mapped = json.loads(run("map", ring, "--machine", "draco:2", "--solver", "random", "-o", path, "--json"))
    scored = json.loads(run("score", path, ring, "--machine", "draco:2", "--json"))
    assert scored["scores"] == mapped["scores"]
    assert scored["block"].keys() == scored["scores"].keys()
    assert Placement.read(tmp_path / "placement.json").solver == "random"


def test_only_a_solver_that_looks_for_the_worst_is_said_to_have_found_it(ring):
    words = ["map", ring, "--machine", "draco:1", "--objective", "hop-bytes"]
    assert "hop-bytes, as block places them: " in run(*words, "--solver", "block", "--worst")
    assert json.loads(run(*words, "--solver", "block", "--worst", "--json"))["worst"] is False
    assert "hop-bytes, worst found by auto: " in run(*words, "--worst")
    assert "hop-bytes, best found by auto: " in run(*words)


def test_more_ranks_than_cores_need_oversubscribe(ring):
    words = ("map", ring, "--machine", "tree:4", "--solver", "block", "--json")
    document = json.loads(run(*words, "--oversubscribe"))
    assert document["placement"]["core"] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_list_prints_every_solver_and_objective():
    document = json.loads(run("map", "--list", "--json"))
    assert {"block", "exact", "spread"} <= {row["name"] for row in document["solvers"]}
    assert [row["name"] for row in document["objectives"]] == ["congestion", "hop-bytes", "link-load", "time"]
    assert "bytes of each pair" in run("map", "--list")


def test_ranks_with_several_cores_get_whole_caches_in_map_and_file(ring, tmp_path):
    path = str(tmp_path / "placement.json")
    words = ("map", ring, "--machine", "draco:2", "--cores-per-rank", "2", "-o", path, "--json")
    placement = json.loads(run(*words))["placement"]
    assert all(cores in ([0, 1], [2, 3], [4, 5], [6, 7]) for cores in placement["cores"])
    assert [len(pus) for pus in placement["os_pus"]] == [2] * 8
    assert json.loads(run("score", path, ring, "--machine", "draco:2", "--json"))["block"]
    assert "0-1:" in run(*words[:-1])


def test_fixed_ranks_stay_and_free_cores_stay_free(ring):
    words = ("map", ring, "--machine", "draco:2", "--fix", "5=1:3", "--fix", "0=1", "--free-per-node", "1")
    for objective in ("hop-bytes", "link-load", "congestion", "time"):
        placement = json.loads(run(*words, "--objective", objective, "--json", "--free", "0:0"))["placement"]
        pairs = list(zip(placement["node"], placement["core"], strict=True))
        assert pairs[5] == (1, 3)
        assert pairs[0][0] == 1
        assert not {(0, 0), (1, 7)} & set(pairs)
    assert "block" in run(*words)


def test_oversubscribed_ranks_are_dealt_evenly_over_the_nodes(ring):
    document = json.loads(
        run("map", ring, "--machine", "jaguar-xt5:2", "--free", "all:3-11", "--oversubscribe", "--json")
    )
    assert sorted(document["placement"]["node"]) == [0, 0, 0, 0, 1, 1, 1, 1]
    assert sorted(document["placement"]["core"]) == [0, 0, 0, 0, 1, 1, 2, 2]


@pytest.fixture
def two_phases(tmp_path) -> list[str]:
    """Two phases of 16 ranks: rings of 1 byte within groups of four, rings of 1000 bytes across groups."""
    paths = []
    for name, step, size in (("rows", 1, 1), ("columns", 4, 1000)):
        matrix = np.zeros((16, 16), dtype=np.int64)
        for rank in range(16):
            peer = rank // 4 * 4 + (rank + 1) % 4 if step == 1 else (rank + step) % 16
            matrix[rank, peer] = 1
        paths.append(str(tmp_path / f"{name}.npz"))
        np.savez(paths[-1], bytes=size * matrix, msgs=matrix)
    return paths


def test_phases_are_mapped_for_the_sum_of_their_values(two_phases):
    rows, columns = two_phases
    words = ("map", rows, "--phase", columns, "--machine", "tree:4:4@1:10", "--effort", "fast", "--json")
    # If columns are groups, their 16 messages of 1000 bytes stay inside; those of the rows cross.
    assert json.loads(run(*words))["value"] == 16 * 10 + 16000


def test_a_phase_is_mapped_by_its_number(tmp_path):
    profile = str(two_phase_profile().write(tmp_path / "two.profile"))
    words = ("map", profile, "--machine", "tree:2:2@1:10", "--objective", "hop-bytes", "--json")
    placed = {phase: json.loads(run(*words, "--phase", phase))["placement"]["core"] for phase in ("0", "1")}
    groups = {phase: [core // 2 for core in cores] for phase, cores in placed.items()}
    assert groups["0"][0] == groups["0"][1] != groups["0"][2] == groups["0"][3]
    assert groups["1"][0] == groups["1"][2] != groups["1"][1] == groups["1"][3]
    assert json.loads(run(*words))["value"] == 2 * 1600 * 1 + 2 * 1600 * 10
