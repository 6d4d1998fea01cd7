"""The placement file: what is written is read again, and anything else is refused in one sentence."""

from __future__ import annotations

import json

import pytest
from corewise.errors import InputError
from corewise.files.placement import (
    PlacementFile,
    placement_from_json,
    read_placement,
)
from corewise.model import NodeShape, Placement, make_machine, make_tree_machine
from hypothesis import given
from hypothesis import strategies as st

TWO_RANKS = PlacementFile(
    machine="local",
    fingerprint="0123456789abcdef",
    node_fingerprints=["0123456789abcdef"],
    node=[0, 0],
    cores=[[1], [0]],
    os_pus=[[1], [0]],
    objective="hop-bytes",
    solver="exact",
    seed=1,
)

indices = st.lists(st.integers(0, 7), min_size=1, max_size=4)


@st.composite
def placements(draw) -> PlacementFile:
    n_ranks = draw(st.integers(1, 6))
    columns = st.lists(indices, min_size=n_ranks, max_size=n_ranks)
    return PlacementFile(
        machine=draw(st.text(max_size=8)),
        fingerprint="f",
        node_fingerprints=["f"] * 3,
        node=draw(st.lists(st.integers(0, 2), min_size=n_ranks, max_size=n_ranks)),
        cores=draw(columns),
        os_pus=draw(st.none() | columns),
        oversubscribed=draw(st.booleans()),
    )


@given(placements())
def test_a_placement_survives_writing_and_reading(placement):
    assert placement_from_json(json.loads(json.dumps(placement.to_json()))) == placement


def test_a_written_file_is_read_again_and_nothing_else_is_left_beside_it(tmp_path):
    TWO_RANKS.write(tmp_path / "p.json")
    assert read_placement(tmp_path / "p.json") == TWO_RANKS
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 2}, "version 2"),
        ({"format": "corewise-run"}, "corewise-run"),
        ({"n_ranks": 3}, "differ in length"),
        ({"cores": [[0], []]}, "no core"),
        ({"node": [0, 1]}, "node 1 has no fingerprint"),
        ({"node": [0, -1]}, "numbers from 0"),
        ({"node": "01"}, "numbers from 0"),
        ({"os_pus": [[0]]}, "differ in length"),
    ],
)
def test_an_unsound_file_is_refused_in_one_sentence(tmp_path, change, sentence):
    path = tmp_path / "p.json"
    path.write_text(json.dumps(TWO_RANKS.to_json() | change))
    with pytest.raises(InputError, match=sentence):
        read_placement(path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "null", '{"format": "corewise-placement", "version": 1}']
)
def test_a_file_that_is_no_placement_is_refused(tmp_path, text):
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"p\.json"):
        read_placement(path)


def test_a_binary_file_is_refused_without_showing_it(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(InputError, match="not a text file") as refusal:
        read_placement(path)
    assert "PK" not in str(refusal.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="could not be read"):
        read_placement(tmp_path / "nowhere.json")


def two_nodes_of_two_cores():
    # Core 0 of each node has hardware threads 0 and 2, core 1 has 1 and 3.
    shape = NodeShape(level_names=["node"], group=[[0, 0]], os_pus=[[0, 2], [1, 3]])
    return make_machine("two", [shape], [0, 0], [("network", 0)], [], [])


def test_columns_name_node_cores_and_hardware_threads_and_lead_back_to_the_placement():
    machine = two_nodes_of_two_cores()
    placement = Placement.from_core_lists([[3], [0, 1]])
    columns = PlacementFile.of(placement, machine, objective="time", solver="exact", seed=7)
    assert (columns.node, columns.cores) == ([1, 0], [[1], [0, 1]])
    assert columns.os_pus == [[1, 3], [0, 1, 2, 3]]
    assert (columns.objective, columns.solver, columns.seed) == ("time", "exact", 7)
    assert [list(columns.on(machine).cores(rank)) for rank in range(2)] == [[3], [0, 1]]


def test_a_bare_tree_has_no_hardware_threads_to_bind_to():
    tree = make_tree_machine([2], [])
    assert PlacementFile.of(Placement.from_cores([1, 0]), tree).os_pus is None


def test_a_placement_of_another_machine_is_refused():
    columns = PlacementFile.of(Placement.from_cores([0]), two_nodes_of_two_cores())
    with pytest.raises(InputError, match="made for machine 'two'"):
        columns.on(make_tree_machine([2, 2], []))
