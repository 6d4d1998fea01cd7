"""Cray's rank order as a placement: the machine's slots in order, and what is refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import cli
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


def test_score_takes_it_by_its_name(tmp_path):
    order = tmp_path / "MPICH_RANK_ORDER"
    order.write_text("0,2,1,3\n")
    (tmp_path / "m.txt").write_text("0 0 8 0\n0 0 0 8\n0 0 0 0\n0 0 0 0\n")
    assert is_rank_order(order)
    words = ["score", str(order), str(tmp_path / "m.txt"), "--machine", MACHINE, "--json"]
    scores = json.loads(CliRunner().invoke(cli, words, catch_exceptions=False).stdout)
    # Pairs 0-2 and 1-3 share nodes: 16 bytes at distance 1. In block order they cross the network.
    assert scores["scores"]["hop-bytes"] < scores["block"]["hop-bytes"]
