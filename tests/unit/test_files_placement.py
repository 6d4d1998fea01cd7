"""The placement file: it is read as it was written, and other content is refused in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.model import Assignment, NodeShape, make_machine, make_tree_machine
from corewise.nouns.placement import Placement
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

TWO_RANKS = Placement(
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

indices = st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True)


@st.composite
def placements(draw) -> Placement:
    n_ranks = draw(st.integers(1, 6))
    columns = st.lists(indices, min_size=n_ranks, max_size=n_ranks)
    return Placement(
        machine=draw(st.text(max_size=8)),
        fingerprint="f",
        node_fingerprints=["f"] * 3,
        node=draw(st.lists(st.integers(0, 2), min_size=n_ranks, max_size=n_ranks)),
        cores=draw(columns),
        os_pus=draw(st.none() | columns),
        oversubscribed=True,
    )


@given(placements())
def test_a_placement_survives_writing_and_reading(placement):
    document = json.loads(json.dumps(placement.to_json()))
    assert Placement.from_table(Table(Path("p.json"), "", document)) == placement


def test_a_written_file_is_read_again_and_nothing_else_is_left_beside_it(tmp_path):
    TWO_RANKS.write(tmp_path / "p.json")
    assert Placement.read(tmp_path / "p.json") == TWO_RANKS
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


def test_ranks_share_a_core_where_that_was_asked_for(tmp_path):
    path = tmp_path / "p.json"
    shared = {"core": [1, 1], "cores": [[1], [1]], "os_pus": [[1], [1]], "oversubscribed": True}
    path.write_text(json.dumps(TWO_RANKS.to_json() | shared))
    assert Placement.read(path).cores == [[1], [1]]


def test_a_binary_file_is_refused_without_showing_it(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(InputError, match="not a text file") as refusal:
        Placement.read(path)
    assert "PK" not in str(refusal.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="could not be read"):
        Placement.read(tmp_path / "nowhere.json")


def two_nodes_of_two_cores():
    # Core 0 of each node has hardware threads 0 and 2, core 1 has 1 and 3.
    shape = NodeShape(level_names=["node"], group=[[0, 0]], os_pus=[[0, 2], [1, 3]])
    return make_machine("two", [shape], [0, 0], [("network", 0)], [], [])


def test_columns_name_node_cores_and_hardware_threads_and_lead_back_to_the_placement():
    machine = two_nodes_of_two_cores()
    placement = Assignment.from_core_lists([[3], [0, 1]])
    columns = Placement.of(placement, machine, objective="time", solver="exact", seed=7)
    assert (columns.node, columns.cores) == ([1, 0], [[1], [0, 1]])
    assert columns.os_pus == [[1, 3], [0, 1, 2, 3]]
    assert (columns.objective, columns.solver, columns.seed) == ("time", "exact", 7)
    assert [list(columns.on(machine).cores(rank)) for rank in range(2)] == [[3], [0, 1]]


def test_hardware_threads_that_are_not_those_of_the_cores_are_refused():
    # Core 3 of the whole machine is core 1 of node 1, with hardware threads 1 and 3.
    machine = two_nodes_of_two_cores()
    placed = Placement.of(Assignment.from_cores([3]), machine)
    edited = structs.replace(placed, os_pus=[[0, 2]]).named("p.json")
    with pytest.raises(InputError, match=r"p.json: os_pus\[0\] is \[0, 2\]; expected \[1, 3\], the hardware"):
        edited.on(machine)


def test_a_core_that_the_machine_lacks_is_named_by_its_key():
    machine = two_nodes_of_two_cores()
    placed = Placement.of(Assignment.from_cores([3]), machine)
    edited = structs.replace(placed, cores=[[7]]).named("p.json")
    with pytest.raises(InputError, match=r"p.json: cores\[0\]: core 7 of node 1, which has 2 cores"):
        edited.on(machine)


def test_a_bare_tree_has_no_hardware_threads_to_bind_to():
    tree = make_tree_machine([2], [])
    assert Placement.of(Assignment.from_cores([1, 0]), tree).os_pus is None


def test_a_placement_of_another_machine_is_refused():
    columns = Placement.of(Assignment.from_cores([0]), two_nodes_of_two_cores())
    with pytest.raises(InputError, match="made for machine 'two'"):
        columns.on(make_tree_machine([2, 2], []))
