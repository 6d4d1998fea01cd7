"""Golden output of `corewise topo`, text and JSON, for machines that differ in structure."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.machines import presets
from golden_files import compare_with_golden

FOLDER = Path(__file__).parent / "topo"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "topologies"

# golden file -> machine
CASES = {
    "draco": "draco:16",  # three levels in a node, with figures
    "jaguar-uneven": "jaguar-xt5:10+8",  # the last node ends within its second package
    "perlmutter-smt": "perlmutter:2",  # two hardware threads per core; groups merged with NUMA domains
    "hybrid": "hybrid.xml",  # siblings with different structure
    "gpus": "gpus.xml",  # GPUs and network cards on packages
    "gpu-nodes": "gpus.xml:2",  # the same devices on each node
    "one-core": "synthetic:1:pu:1",  # no level above the core
    "one-core-nodes": "synthetic:4:core:1 pu:1",  # a network, and no levels within nodes
    "tree": "tree:4:8:32@1:10:100",  # no OS indices, no figures
}


def topo(*words: str):
    return CliRunner().invoke(cli, ["topo", *words], catch_exceptions=False, standalone_mode=False)


@pytest.fixture(autouse=True)
def among_the_fixtures(monkeypatch):
    monkeypatch.chdir(FIXTURES)


@pytest.mark.parametrize("case", CASES)
def test_the_text_is_the_golden_one(case):
    compare_with_golden(topo("--machine", CASES[case]).stdout, FOLDER / f"{case}.txt")


@pytest.mark.parametrize("case", ["draco", "gpus", "tree"])
def test_the_json_is_the_golden_one(case):
    compare_with_golden(topo("--machine", CASES[case], "--json").stdout, FOLDER / f"{case}.json")


def test_the_list_is_the_golden_one():
    compare_with_golden(topo("--list").stdout, FOLDER / "list.txt")
    assert [row["name"] for row in json.loads(topo("--list", "--json").stdout)["presets"]] == presets()


def test_a_picture_names_nodes_caches_cores_and_hardware_threads(tmp_path):
    topo("--machine", "hybrid.xml:2", "--picture", str(tmp_path / "m.svg"))
    drawing = (tmp_path / "m.svg").read_text()
    assert all(f">{text}<" in drawing for text in ("node #1", "l2 #2", "core 5", "PU 7 = OS 22"))
    assert list(tmp_path.iterdir()) == [tmp_path / "m.svg"]


def test_a_file_that_is_no_svg_stays_as_it_is(tmp_path):
    from corewise.errors import InputError

    kept = tmp_path / "thesis.txt"
    kept.write_text("years of work")
    with pytest.raises(InputError, match="thesis.txt: exists and is no SVG file"):
        topo("--machine", "draco:1", "--svg", str(kept))
    assert kept.read_text() == "years of work"
