"""Cray's rank order as a placement: the machine's slots in order, and what is refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from corewise.mapping.placement_input import is_rank_order, read_rank_order

MACHINE = "synthetic:2:pack:1 core:2 pu:1"


def placement_of(tmp_path, text: str):
    path = tmp_path / "MPICH_RANK_ORDER.Grid"
    path.write_text(text)
    return read_rank_order(path, load(MACHINE))


def test_each_slot_gets_the_next_rank_of_the_file(tmp_path):
    # Slots: node 0 cores 0 and 1, node 1 cores 0 and 1. They get the ranks 0, 2, 3 and 1.
    found = placement_of(tmp_path, "# grid_order -R\n0, 2-3\n1   # the last\n")
    assert (found.node, found.core) == ([0, 1, 0, 1], [0, 1, 1, 0])


@pytest.mark.parametrize("header", ["# Max PEs/Node: 1", "#  max pes per node 1"])
def test_the_header_of_craypat_says_how_many_ranks_a_node_gets(tmp_path, header):
    found = placement_of(tmp_path, f"{header}\n1,0\n")
    assert (found.node, found.core) == ([1, 0], [0, 0])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0,0\n", "line 1: rank 0 appears twice"),
        ("0,2\n", "rank 1 is missing"),
        ("0\nx\n", "line 2: found 'x'"),
        ("3-0\n", "expected rising ranges"),
        ("0-4\n", "at most 4 ranks"),
        ("# nothing\n", "no rank; expected"),
        ("# Max PEs/Node: 3\n0-2\n", "names 3 ranks a node, and node 0 has 2 cores"),
        ("# Max PEs/Node: 1\n0-2\n", "3 ranks, 1 a node as its header says, on 2 nodes"),
    ],
)
def test_what_is_no_order_of_all_ranks_is_refused(tmp_path, text, why):
    with pytest.raises(InputError, match=why):
        placement_of(tmp_path, text)


def test_score_takes_it_by_its_name(tmp_path):
    order = tmp_path / "MPICH_RANK_ORDER"
    order.write_text("0,2,1,3\n")
    (tmp_path / "m.txt").write_text("0 0 8 0\n0 0 0 8\n0 0 0 0\n0 0 0 0\n")
    assert is_rank_order(order)
    words = ["score", str(order), str(tmp_path / "m.txt"), "--machine", MACHINE, "--json"]
    scores = json.loads(CliRunner().invoke(cli, words, catch_exceptions=False).stdout)
    # Pairs 0-2 and 1-3 share nodes: 16 bytes at distance 1. In block order they cross the network.
    assert scores["scores"]["hop-bytes"] < scores["block"]["hop-bytes"]
