"""corewise advise, and the default placement that it compares with."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.files.model_errors import model_errors
from corewise.machines import load
from corewise.mapping import comparison
from corewise.mapping.comparison import compare
from corewise.mapping.default_placement import default_placement, slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.model import CommMatrix, MeasuredTimes, Traffic
from corewise.profile.inputs import read_input

MEASURED = """
format = "corewise-machine"
version = 1
name = "measured"
summary = "a node whose figures were measured"
nodes = 1
node = "pack:2 core:4 pu:1"

[levels.package]
latency_s = 1e-7
bandwidth_bytes_per_s = 4e9
source = "measured by hand"

[levels.node]
latency_s = 2e-7
bandwidth_bytes_per_s = 2e9
source = "measured by hand"
"""


@pytest.fixture
def strided(tmp_path) -> str:
    """Rank i sends a mebibyte to rank i + 4 of 8: block order puts each pair on two packages of Draco."""
    matrix = np.zeros((8, 8), np.int64)
    for rank in range(4):
        matrix[rank, rank + 4] = 1
    path = tmp_path / "strided.npz"
    np.savez(path, bytes=matrix << 20, msgs=matrix)
    return str(path)


def run(*words: str) -> str:
    return CliRunner().invoke(cli, words, catch_exceptions=False).stdout


def test_advise_prints_the_keys_of_the_contract(strided):
    document = json.loads(run("advise", strided, "--machine", "draco:1", "--json"))
    assert document["matters"] == "yes"
    assert 0 < document["gain"]["low"] < document["gain"]["expected"] < document["gain"]["high"] <= 1
    assert document["gain_confidence"] is None  # because draco's figures are assumed
    assert document["ratio"] == 0
    times = [document[label]["scores"]["time"] for label in ("best", "default", "worst")]
    assert times == sorted(times)
    assert document["gain"]["expected"] == pytest.approx(1 - times[0] / times[1])


def test_advise_says_in_one_sentence_why(strided):
    text = run("advise", strided, "--machine", "draco:1")
    assert text.startswith("Placement matters: all traffic stays on one node")
    assert "block order, node after node: a matrix doesn't say where its ranks ran" in text


def test_the_interval_of_a_gain_rests_on_the_measured_errors(strided, tmp_path):
    path = tmp_path / "measured.toml"
    path.write_text(MEASURED)
    errors = model_errors().gain
    gain = json.loads(run("advise", strided, "--machine", str(path), "--json"))["gain"]
    ratio = 1 - gain["expected"]
    assert gain["low"] == pytest.approx(1 - ratio / errors.low)
    assert gain["high"] == pytest.approx(1 - ratio / errors.high)


def test_confidence_is_claimed_only_as_errors_were_measured(strided, tmp_path, monkeypatch):
    """Of whole runs, placed by point-to-point traffic."""
    path = tmp_path / "measured.toml"
    path.write_text(MEASURED)
    found, machine = read_input(strided), load(str(path))

    def confidence(layer: str) -> float | None:
        return compare(replace(found, layer=layer), machine, MappingRequest(), [0]).gain_confidence

    assert confidence("p2p") is None  # communication alone
    monkeypatch.setattr(comparison, "measured_times", lambda _: MeasuredTimes(10.0, 5.0))
    assert (confidence("p2p"), confidence("coll")) == (model_errors().confidence, None)


def test_one_core_a_node_is_left_alone(strided):
    text = run("advise", strided, "--machine", "synthetic:8:core:1 pu:1")
    assert text.startswith(
        "Keep the default: the best and the worst placement are predicted to take the same time"
    )


def profiled(masks: list[list[int]], nodes: list[int] | None = None) -> SimpleNamespace:
    """An input whose ranks had these masks (os_index), on these nodes of the profile."""
    nodes = nodes or [0] * len(masks)
    ranks = [
        SimpleNamespace(node=node, os_pus=mask, threads=[], wall_s=2.0, mpi_s=0.5, cpu_s=None)
        for node, mask in zip(nodes, masks, strict=True)
    ]
    empty = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint64), np.zeros(0, np.uint64)
    traffic = Traffic.of(CommMatrix.from_columns(len(masks), *empty))
    return SimpleNamespace(traffic=traffic, profile=SimpleNamespace(ranks=ranks))


FOUR_CORES = "synthetic:1:core:4 pu:2"  # core i has the hardware threads 2 i and 2 i + 1


def test_a_rank_with_cores_of_its_own_keeps_them_all():
    default = default_placement(profiled([[0, 2], [4, 6]]), load(FOUR_CORES), [0])
    assert default.placement.cores(1).tolist() == [2, 3]


def test_without_hosts_the_node_of_the_first_rank_is_the_first():
    found = profiled([[1], [0], [0]], [2, 0, 2])
    found.profile.nodes = ["a", "idle", "c"]
    assert slots_in_order(found) == [1, 2, 0]


EVERYWHERE = list(range(8))
OF_TWO = "synthetic:2:core:2 pu:1"


@pytest.mark.parametrize(
    ("masks", "nodes", "spec", "slots", "cores", "note"),
    [
        ([[6, 7], [0], [2, 3]], None, FOUR_CORES, [0], [3, 0, 1], "bound"),
        ([EVERYWHERE, [6], EVERYWHERE], None, FOUR_CORES, [0], [0, 3, 2], "2 of 3 ranks were not bound"),
        # Unbound ranks stay on their node, as with mpirun --map-by node --bind-to none, and in their mask.
        ([[0, 1, 2, 3]] * 4, [0, 1, 0, 1], "synthetic:2:core:4 pu:1", [0, 1], [0, 4, 1, 5], ""),
        ([[2, 3], [0, 1], [2, 3], [0, 1]], None, "synthetic:2:core:4 pu:1", [0], [2, 0, 3, 1], ""),
        # Unbound ranks that outnumber their cores share them evenly.
        ([[0, 1]] * 4 + [[2, 3]], None, "synthetic:1:core:4 pu:1", [0], [0, 0, 1, 1, 2], ""),
        # The slots say which node of the machine each node of the profile is.
        ([[1], [0], [0]], [0, 1, 0], OF_TWO, [0, 1], [1, 2, 0], ""),
        ([[1], [0], [0]], [0, 1, 0], OF_TWO, [1, 0], [3, 0, 2], ""),
        # Masks of more nodes than the machine has, and of another machine, are not taken.
        ([[1], [0]], [0, 1], FOUR_CORES, [0, 1], [0, 1], "block order"),
        ([[7], [6]], None, FOUR_CORES, None, [0, 1], "block order"),
        ([[70], [6]], None, FOUR_CORES, [0], [0, 1], "block order"),
        ([[], [6]], None, FOUR_CORES, [0], [0, 1], "block order"),
    ],
)
def test_ranks_are_where_their_masks_say_or_in_block_order(masks, nodes, spec, slots, cores, note):
    default = default_placement(profiled(masks, nodes), load(spec), slots)
    assert default.placement.core_of_rank.tolist() == cores
    assert note in default.note
