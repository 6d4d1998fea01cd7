"""Machines with a torus: files and the platform for SimGrid."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.files.document import read_json
from corewise.machines import MachineFile, load
from corewise.machines.machine_file import Heading, machine_toml
from corewise.model import Torus
from corewise.nouns.machine import MachineColumns, machine_of
from corewise.simulation.smpi_platform import platform_xml

FILE = """
format = "corewise-machine"
version = 1
name = "ring"
summary = "six nodes of two cores in a torus of 3 x 2"
nodes = 6
node = "core:2 pu:1"

[levels.node]
latency_s = 1e-6
bandwidth_bytes_per_s = 4e9
source = "a test"

[levels.network]
latency_s = 5e-6
bandwidth_bytes_per_s = 1e9
source = "a test"

[torus]
sizes = [3, 2]
bandwidth_bytes_per_s = 2e9
hop_latency_s = 1e-7
source = "a test"
"""


@pytest.fixture
def written(tmp_path):
    """Writes the file with some text replaced; returns its path."""

    def write(**replaced: str) -> Path:
        text = FILE
        for old, new in replaced.items():
            line = next(line for line in text.splitlines() if line.startswith(f"{old} ="))
            text = text.replace(line, new)
        path = tmp_path / "torus.toml"
        path.write_text(text)
        return path

    return write


def facts(torus: Torus) -> tuple:
    figures = (torus.bandwidth_bytes_per_s, torus.hop_latency_s, torus.source)
    return (torus.sizes, torus.point_of_node, *figures)


def test_nodes_fill_the_points_in_their_order(written):
    torus = load(str(written())).torus
    assert facts(torus) == ([3, 2], [0, 1, 2, 3, 4, 5], 2e9, 1e-7, "a test")
    assert torus.route(0, 5) == [(0, 0, True), (2, 1, False)]  # from (0, 0) around to (2, 0), then to (2, 1)


def test_nodes_fill_boxes_or_have_their_points(written):
    boxes = load(str(written(sizes="sizes = [3, 2]\nbox = [1, 2]"))).torus
    assert boxes.point_of_node == [0, 3, 1, 4, 2, 5]
    points = load(str(written(sizes="sizes = [3, 2]\npoint_of_node = [5, 4, 3, 2, 1, 0]"))).torus
    assert points.point_of_node == [5, 4, 3, 2, 1, 0]


def test_a_single_node_has_none(written):
    assert load(f"{written()}:1").torus is None


def test_a_machine_is_read_again_with_its_torus(written, tmp_path):
    machine = load(str(written(sizes="sizes = [3, 2]\nbox = [1, 2]")))
    path = tmp_path / "machine.json"
    path.write_text(json.dumps(MachineColumns.of(machine).to_json()))
    assert facts(machine_of(read_json(path, "a machine")).torus) == facts(machine.torus)
    again = tmp_path / "again.toml"
    again.write_text(machine_toml(machine, Heading("again", "a copy", "a test", {}), {}))
    assert facts(MachineFile.read(again).machine(None, "again").torus) == facts(machine.torus)


def test_topo_tells_of_the_torus(written):
    words = ["topo", "--machine", str(written())]
    text = CliRunner().invoke(cli, words, catch_exceptions=False).stdout
    assert (
        "Nodes form a torus of 3 x 2; a link carries 2.00 GB/s each way, a hop takes 100.0 ns: a test" in text
    )
    document = json.loads(CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False).stdout)
    assert document["torus"]["sizes"] == [3, 2]
    draco = json.loads(CliRunner().invoke(cli, ["topo", "--machine", "draco:2", "--json"]).stdout)
    assert draco["torus"] is None


def test_each_two_nodes_have_a_route_in_dimension_order(written):
    machine = load(str(written()))
    zone = ElementTree.fromstring(platform_xml(machine, range(0, 12, 2))).find("zone")
    routes = {
        (route.get("src"), route.get("dst")): [(ctn.get("id"), ctn.get("direction")) for ctn in route]
        for route in zone.findall("route")
    }
    nodes = [f"group-1-{node}" for node in range(6)]
    assert {ends for ends in routes if "core" not in "".join(ends)} == set(permutations(nodes, 2))
    # From (0, 0) back to (2, 0), by the link that begins at (2, 0), then to (2, 1).
    inside = [("torus-0-2", "DOWN"), ("torus-1-2", "UP")]
    assert routes["group-1-0", "group-1-5"] == [("link-2-0", "UP"), *inside, ("link-2-5", "DOWN")]
    links = {link.get("id"): link.attrib for link in zone.findall("link")}
    assert {name for route in routes.values() for name, _ in route} == set(links)
    assert links["torus-0-2"]["bandwidth"] == "2e+09Bps" and links["torus-0-2"]["latency"] == "1e-07s"
