"""The placement file: what is written is read again, and anything else is refused in one sentence."""

from __future__ import annotations

import json

import pytest
from corewise.errors import InputError
from corewise.placement_file import PlacementFile, placement_from_json, read_placement
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


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="could not be read"):
        read_placement(tmp_path / "nowhere.json")
