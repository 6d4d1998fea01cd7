"""The data of a page's script, exact or as maxima of blocks; the built script must be up to date."""

import base64
import gzip
import hashlib
import json

import numpy as np
import pytest
from corewise.machines import load
from corewise.model import Assignment, CommMatrix, make_machine, read_topology_synthetic
from corewise.nouns.page_data import PageColumn, PageTable
from corewise.nouns.placement import Placement
from corewise.page import data, tune_page
from corewise.page.rank_tables import between_ranks, rank_table
from report_cases import REPEATS, machine_of, tune_result
from sources import PACKAGE


def test_the_script_is_built_from_its_present_sources():
    folder = PACKAGE / "page" / "script"
    sources = [*sorted(folder.glob("*.js")), folder / "package-lock.json"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    built = (PACKAGE / "page" / "templates" / "page.js").read_text()
    assert f"sha256 {digest};" in built.splitlines()[0], "run scripts/build-page"


def test_few_pairs_are_kept_exactly_and_without_messages_to_oneself():
    src, dst = np.array([1, 0, 2], np.int32), np.array([0, 2, 2], np.int32)
    sent = np.array([30, 10, 99], np.uint64)
    matrix = CommMatrix.from_columns(3, src, dst, sent, np.ones(3, np.uint64))
    traffic = data.page_traffic(between_ranks(matrix), 3)
    assert (traffic.block, traffic.n_pairs, traffic.total_bytes) == (1, 2, 40)
    assert (traffic.src, traffic.dst, traffic.bytes, traffic.messages) == ([0, 1], [2, 0], [10, 30], [1, 1])


def test_of_many_pairs_the_greatest_of_each_block_is_kept(monkeypatch):
    # 4 entries: 2 x 2 blocks. Of 5 ranks one block has 3 and the other 2.
    monkeypatch.setattr(data, "MOST_PAIRS", 4)
    pairs = {(0, 1): 5, (1, 2): 9, (0, 4): 7, (1, 3): 6, (4, 3): 1}
    src, dst = (np.array(ends, np.int32) for ends in zip(*pairs, strict=True))
    sent = np.array(list(pairs.values()), np.uint64)
    traffic = data.page_traffic(between_ranks(CommMatrix.from_columns(5, src, dst, sent, sent)), 5)
    assert (traffic.block, traffic.n_pairs, traffic.total_bytes) == (3, 5, 28)
    assert (traffic.src, traffic.dst, traffic.bytes) == ([0, 0, 1], [0, 1, 1], [9, 7, 1])


def test_blocks_of_each_placement_are_of_ranks_that_are_neighbours_on_the_machine(monkeypatch):
    # A ring of 16. Default: ranks 0, 8, 1, 9, ... on cores 0, 1, 2, 3, ...; best: rank r on core r.
    monkeypatch.setattr(data, "MOST_PAIRS", 4)
    monkeypatch.setattr(data, "MOST_BLOCKS", 64)  # 8 x 8 blocks of 2 cores each
    shown = data.page_data(tune_result(n_nodes=2, n_ranks=16))
    default, best = (one.traffic for one in shown.placements[:2])
    assert default.block == best.block == 2 and default.n_pairs == 16
    # best: 0-1, 1-2, 2-3, ...: from each block to itself and to the next
    assert (best.src, best.dst) == (
        [i for i in range(8) for _ in range(2)],
        [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 0, 7],
    )
    # default: ranks 0 and 8 are in block 0, 1 and 9 in block 1, ..., 7 and 15 in block 7
    assert (default.src, default.dst) == (list(range(8)), [1, 2, 3, 4, 5, 6, 7, 0])


def test_where_blocks_are_kept_each_rank_has_its_partners_with_most_bytes(monkeypatch):
    monkeypatch.setattr(data, "MOST_PARTNERS", 8)  # two partners for each of 4 ranks
    src, dst = np.array([0, 1, 0, 3, 2]), np.array([1, 0, 2, 0, 1])
    sent = np.array([5, 6, 10, 12, 1])  # 0 and 1 exchange 11, 0 and 2 10, 0 and 3 12, 1 and 2 1
    kept = data.greatest_partners((src, dst, sent, sent), 4)
    assert kept.most == 2
    assert list(zip(kept.rank, kept.partner, kept.bytes, strict=True)) == [
        (0, 3, 12), (0, 1, 11), (1, 0, 11), (1, 2, 1), (2, 0, 10), (2, 1, 1), (3, 0, 12)
    ]  # fmt: skip


def test_equal_nodes_are_described_once_and_every_core_is_in_its_groups():
    machine = data.page_machine(machine_of(64))
    assert len(machine.shapes) == 1 and machine.shape_of_node == [0] * 64
    assert machine.shapes[0].groups == [[0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert machine.network == [[0] * 64] and machine.node_level == 3
    assert [level.link for level in machine.levels][-1] == "node to network"


def test_the_page_has_the_document_and_the_placements_of_the_result():
    result = tune_result(n_nodes=2, n_ranks=16, times_s=REPEATS)
    html = tune_page(result)
    packed = html.split('id="page-data">')[1].split("<")[0]
    document = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert document["format"] == "corewise-page" and document == data.page_data(result).to_json()
    for shown, candidate in zip(document["placements"], result.candidates, strict=True):
        assert (shown["name"], shown["node"]) == (candidate.label, candidate.placement.node)
        assert shown["link_bytes"] == candidate.link_bytes
    gains = [shown["gain"] for shown in document["placements"]]
    assert gains[0] is None and gains[1]["expected"] == result.gain.expected
    assert gains[1]["confidence"] == result.gain.confidence and gains[1]["n_repeats"] == 6
    assert document["machine"]["hosts"] == ["n000", "n001"]


def test_without_runs_only_the_best_placement_has_a_gain_and_it_is_predicted():
    gains = [shown.gain for shown in data.page_data(tune_result()).placements]
    assert gains[0] is None and gains[2] is None
    assert (gains[1].source, gains[1].expected) == ("predicted", 0.11)


def test_the_machine_is_a_file_of_the_page_that_reads_as_the_same_machine(tmp_path):
    result = tune_result(n_nodes=2, n_ranks=16)
    (tmp_path / "machine.toml").write_text(data.page_data(result).files["machine.toml"])
    assert load(str(tmp_path / "machine.toml")).fingerprint == result.machine.fingerprint


def test_the_file_of_a_machine_with_gpus_has_them(tmp_path):
    machine = load(str(PACKAGE.parents[1] / "fixtures" / "topologies" / "gpus.xml"))
    text = data.page_data(tune_result(machine=machine)).files["machine.toml"]
    (tmp_path / "machine.toml").write_text(text)
    found = load(str(tmp_path / "machine.toml")).devices(0)
    assert [device.bus_id for device in found] == [device.bus_id for device in machine.devices(0)] != []


def test_a_machine_with_two_levels_of_one_name_is_no_file_of_the_page():
    networks = [("switch", 2), ("switch", 0)]
    machine = make_machine("m", [read_topology_synthetic("core:2 pu:1")], [0] * 4, networks, [], [])
    assert "machine.toml" not in data.page_data(tune_result(machine=machine)).files


def test_the_table_of_ranks_has_most_bytes_first():
    src, dst = np.array([2, 9], np.int32), np.array([5, 11], np.int32)
    sent = np.array([100, 50], np.uint64)
    matrix = CommMatrix.from_columns(16, src, dst, sent, sent)
    machine = machine_of(2)
    placement = Placement.of(Assignment.from_cores(list(range(16))), machine)
    table = rank_table(between_ranks(matrix), matrix.n_ranks, machine, {"default": placement})
    ranks, sent_bytes, _, partners, places, crossing = (column.values for column in table.columns)
    assert ranks[:5] == [2, 5, 9, 11, 0] and sent_bytes[:5] == [100, 100, 50, 50, 0]
    assert partners[:5] == [1, 1, 1, 1, 0] and places[2] == "node 1, core 1" and crossing[0] == 0


def test_columns_of_a_table_have_the_same_length():
    with pytest.raises(ValueError, match="2 values"):
        PageTable(
            name="t", title="T", columns=[PageColumn("a", "count", [1, 2]), PageColumn("b", "count", [1])]
        )
