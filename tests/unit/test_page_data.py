"""The data of a page's script, exact or as maxima of blocks; the built script must be up to date."""

import base64
import gzip
import hashlib
import json

import numpy as np
from corewise.machines import load
from corewise.model import CommMatrix, Traffic, make_machine, read_topology_synthetic
from corewise.page import data, tune_page
from msgspec import structs
from report_cases import REPEATS, machine_of, tune_result
from sources import PACKAGE


def test_the_script_is_built_from_its_present_sources():
    folder = PACKAGE / "page" / "script"
    sources = [*sorted(folder.glob("*.js")), folder / "package-lock.json"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    built = (PACKAGE / "page" / "templates" / "page.js").read_text()
    assert f"sha256 {digest};" in built.splitlines()[0], "run scripts/build-page"


def test_equal_nodes_are_described_once_and_every_core_is_in_its_groups():
    machine = data.page_machine(machine_of(64))
    (shape,) = machine["shapes"]
    assert machine["shape_of_node"] == [0] * 64
    assert shape["groups"] == [[0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert machine["network"] == [[0] * 64] and machine["node_level"] == 3
    assert machine["levels"] == ["l2", "package", "node", "network"]


def test_the_page_has_the_document_and_the_placements_of_the_result():
    result = tune_result(n_nodes=2, n_ranks=16, times_s=REPEATS)
    packed = tune_page(result).split('id="page-data">')[1].split("<")[0]
    document = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert document == json.loads(json.dumps(data.page_data(result)))
    tune = json.loads(json.dumps(result.to_json()))
    for one in tune["candidates"]:
        for run in one["runs"]:
            run["ranks"] = []
    assert document["tune"] == tune  # tune.json without the bindings
    assert document["machine"]["hosts"] == ["n000", "n001"]


def test_of_many_pairs_the_greatest_of_each_block_is_kept(monkeypatch):
    # A ring of 5 and messages to oneself; 2 x 2 blocks, of which one has 3 ranks and the other 2.
    monkeypatch.setattr(data, "MOST_PAIRS", 4)
    pairs = {(0, 1): 5, (1, 2): 9, (0, 4): 7, (1, 3): 6, (4, 3): 1, (4, 4): 50}
    src, dst = (np.array(ends, np.int32) for ends in zip(*pairs, strict=True))
    sent = np.array(list(pairs.values()), np.uint64)
    traffic = Traffic.of(CommMatrix.from_columns(5, src, dst, sent, sent))
    shown = data.page_data(structs.replace(tune_result(n_ranks=5), traffic=traffic))
    (kept,) = shown["tune"]["phases"]
    assert (shown["block"], shown["n_pairs"], kept["n_ranks"]) == (3, 5, 5)
    assert (kept["src"], kept["dst"], kept["bytes"]) == ([0, 0, 1], [0, 1, 1], [9, 7, 1])


def test_the_machine_is_a_file_of_the_page_that_reads_as_the_same_machine(tmp_path):
    result = tune_result(n_nodes=2, n_ranks=16)
    (tmp_path / "machine.toml").write_text(data.page_data(result)["files"]["machine.toml"])
    assert load(str(tmp_path / "machine.toml")).fingerprint == result.machine.fingerprint


def test_the_file_of_a_machine_with_gpus_has_them(tmp_path):
    machine = load(str(PACKAGE.parents[1] / "fixtures" / "topologies" / "gpus.xml"))
    text = data.page_data(tune_result(machine=machine))["files"]["machine.toml"]
    (tmp_path / "machine.toml").write_text(text)
    found = load(str(tmp_path / "machine.toml")).devices(0)
    assert [device.bus_id for device in found] == [device.bus_id for device in machine.devices(0)] != []


def test_a_machine_with_two_levels_of_one_name_is_no_file_of_the_page():
    networks = [("switch", 2), ("switch", 0)]
    machine = make_machine("m", [read_topology_synthetic("core:2 pu:1")], [0] * 4, networks, [], [])
    assert "machine.toml" not in data.page_data(tune_result(machine=machine))["files"]
