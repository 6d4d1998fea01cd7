"""Constraints as users write them: option texts and files are parsed, and wrong ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.mapping.constraints import (
    ConstraintRequest,
    FixedRank,
    FreeCores,
    parse_fix,
    parse_free,
    read_constraints,
)
from corewise.mapping.request import request_of

DRACO = machines.load("draco:2")  # nodes of 2 packages of 4 cores


def refusal(call, *arguments, **keywords) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **keywords)
    return str(error.value)


def free_cores(**request) -> list[int]:
    capacity = ConstraintRequest(**request).on(DRACO, 4).core_capacity
    return [core for core, takes in enumerate(capacity) if takes == 0]


def test_free_cores_are_named_by_node_and_logical_index():
    assert parse_free("0:0-1,all:7") == [FreeCores(0, 0, 1), FreeCores(None, 7, 7)]
    assert free_cores(free=parse_free("0:0-1,all:7")) == [0, 1, 7, 15]


def test_free_per_node_takes_the_last_core_of_each_package_in_turn():
    assert free_cores(free_per_node=1) == [7, 15]
    assert free_cores(free_per_node=3) == [3, 6, 7, 11, 14, 15]
    assert free_cores(free_per_node=1, free=parse_free("0:0")) == [0, 15]  # node 0 has one free core already


def test_a_rank_is_fixed_to_a_core_or_to_a_node():
    request = ConstraintRequest(cores_per_rank=2, fixed=[parse_fix("1=1:4-5"), parse_fix("2=0")])
    columns = request.on(DRACO, 3)
    assert columns.cores_per_rank == [2, 2, 2]
    assert columns.core_of_rank.tolist() == [-1, 12, -1]
    assert columns.node_of_rank.tolist() == [-1, 1, 0]


FILE = """
format = "corewise-constraints"
version = 1
cores_per_rank = [1, 2, 1]
free_per_node = 1
[[free]]
cores = "0"
[[free]]
node = 1
cores = "2-3"
[[fix]]
rank = 1
node = 0
cores = "4-5"
[[fix]]
rank = 2
node = 1
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "constraints.toml"
    path.write_text(text)
    return path


def test_a_file_says_what_the_options_say(tmp_path):
    assert read_constraints(written(tmp_path, FILE)) == ConstraintRequest(
        cores_per_rank=[1, 2, 1],
        free_per_node=1,
        free=[FreeCores(None, 0, 0), FreeCores(1, 2, 3)],
        fixed=[FixedRank(1, 0, 4, 5), FixedRank(2, 1)],
    )


def test_options_add_to_a_file_and_a_number_given_there_wins(tmp_path):
    path = written(tmp_path, FILE)
    file = read_constraints(path)
    both = request_of(
        constraints=path, cores_per_rank=4, free=["0:1"], fix=["0=0"], oversubscribe=True
    ).constraints
    assert (both.cores_per_rank, both.free_per_node, both.oversubscribe) == (4, 1, True)
    assert both.free == [*file.free, FreeCores(0, 1, 1)]
    assert both.fixed == [*file.fixed, FixedRank(0, 0)]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("version = 1", "version = 2", "version"),
        ("free_per_node = 1", "free_per_nod = 1", "did you mean 'free_per_node'"),
        ("[1, 2, 1]", "[1, 0, 1]", "one for each rank"),
        ("free_per_node = 1", "free_per_node = -1", "from 0"),
        ('cores = "2-3"', 'cores = "3-2"', "such as '4' or '4-7'"),
        ("rank = 1", "", "rank is missing"),
    ],
)
def test_a_wrong_file_is_told_with_its_key(tmp_path, old, new, sentence):
    path = written(tmp_path, FILE.replace(old, new, 1))
    assert sentence in refusal(read_constraints, path)
