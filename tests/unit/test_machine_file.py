"""Machine files: their fields, bases, hwloc XML next to them, and the error for each wrong field."""

import re
import shutil
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load

TOPOLOGIES = Path(__file__).parents[2] / "fixtures" / "topologies"

PLAIN = """
format = "corewise-machine"
version = 1
name = "two"
summary = "two nodes of two packages of two cores"
nodes = 2
node = "pack:2 core:2 pu:1"
"""


def write(folder: Path, text: str, name: str = "m.toml") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_a_file_needs_no_more_than_a_node(tmp_path):
    machine = load(write(tmp_path, PLAIN))
    assert (machine.n_nodes, machine.n_cores) == (2, 8)
    assert all(level.assumed for level in machine.levels)
    assert load(f"{tmp_path}/m.toml:5+1").n_cores == 21


def test_figures_and_distances_go_to_the_levels_of_their_names(tmp_path):
    text = (
        PLAIN
        + """
[[network]]
name = "rack"
children = 2
[[network]]
name = "spine"
[levels.package]
latency_s = 4e-7
bandwidth_bytes_per_s = 3e9
source = "measured 2026-01-02 on the real one"
[levels.spine]
latency_s = 5e-6
bandwidth_bytes_per_s = 1e9
source = "link speed"
assumed = true
[distances]
package = 1
node = 2
rack = 10
spine = 30
"""
    )
    machine = load(write(tmp_path, text) + ":4")
    found = [(level.name, level.distance, level.latency_s, level.assumed) for level in machine.levels]
    assert found[0] == ("package", 1, 4e-7, False)
    assert found[2][:2] == ("rack", 10) and found[2][3]
    assert found[3] == ("spine", 30, 5e-6, True)
    assert machine.levels[3].source == "assumed: link speed"
    assert machine.distance(0, 4) == 10 and machine.distance(0, 8) == 30  # nodes 0 and 1 share a rack


def test_a_base_lies_beneath_and_tables_merge(tmp_path):
    levels = "[levels.{}]\nlatency_s = {}\nbandwidth_bytes_per_s = 1e9\nsource = '{}'\n"
    below = levels.format("package", 1e-7, "p") + levels.format("node", 2e-7, "n")
    write(tmp_path, PLAIN + below, "base.toml")
    head = 'format = "corewise-machine"\nversion = 1\nbase = "base.toml"\nname = "over"\n'
    machine = load(write(tmp_path, head + levels.format("node", 9e-7, "over")))
    assert [level.source for level in machine.levels[:2]] == ["p", "over"]
    assert machine.n_cores == 8


def test_a_node_may_be_hwloc_xml_beside_the_file(tmp_path):
    shutil.copy(TOPOLOGIES / "smt-interleaved.xml", tmp_path / "node.xml")
    text = PLAIN.replace('node = "pack:2 core:2 pu:1"', 'node_xml = "node.xml"')
    assert load(write(tmp_path, text)).os_pus(1) == [1, 9]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text + "[[[", "m.toml: can't be read as TOML"),
        (lambda text: text.replace("corewise-machine", "corewise-run"), "format is 'corewise-run'"),
        (lambda text: text.replace("version = 1", "version = 2"), "version is 2; expected 1, the only"),
        (lambda text: text.replace('name = "two"', ""), "name is missing; expected a text"),
        (lambda text: text.replace('name = "two"', "name = 2"), "name is 2; expected a text"),
        (lambda text: text.replace("nodes = 2", "nodes = 0"), "0 nodes"),
        (lambda text: text.replace("nodes = 2", "nodes = 2.5"), "'2.5' is no number of nodes"),
        (lambda text: text.replace("node = ", "nodule = "), "expected either node"),
        (lambda text: text.replace("pack:2", "park:2"), "synthetic string 'park:2 core:2 pu:1'"),
        (lambda text: text + "[levels]\npackage = 3", "levels.package is 3; expected a table"),
        (lambda text: text + "[levels.package]", "levels.package.source is missing"),
        (lambda text: text + "[levels.package]\nsource='x'", "levels.package.latency_s is missing"),
        (
            lambda text: text + "[levels.package]\nsource='x'\nlatency_s='1'",
            "latency_s is '1'; expected a finite number",
        ),
        (
            lambda text: text + "[levels.pakage]\nsource='x'\nlatency_s=1\nbandwidth_bytes_per_s=1",
            "did you mean 'package'",
        ),
        (
            lambda text: text + "[levels.node]\nsource='x'\nlatency_s=nan\nbandwidth_bytes_per_s=1",
            "levels.node.latency_s is NaN; expected a finite number",
        ),
        (lambda text: text + "[distances]\npackage = 0", "distances.package is 0"),
        (lambda text: text + "[distances]\npackage = 1", "no distance for level 'node'"),
        (
            lambda text: text + "[[network]]\nname='rack'\nchildren=-1",
            r"network\[0\].children is -1; expected a whole number from 0",
        ),
        (lambda text: text + "network = 3", "network is 3; expected a list"),
        (lambda text: text + "base = 'm.toml'", "is the base of .* and has a base itself"),
        (lambda text: text + "[facts]\npaper = [1]", "facts.paper is \\[1\\]; expected a list of texts"),
    ],
)
def test_a_wrong_field_is_named_with_its_file(tmp_path, change, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        load(write(tmp_path, change(PLAIN)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("absent.toml", "could not be read (No such file"),
        ("folder.toml", "is a directory; expected a machine file"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason_alone(tmp_path, name, reason):
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match=re.escape(f"{name}: {reason}")) as refusal:
        load(f"{tmp_path}/{name}")
    assert "Errno" not in str(refusal.value)
