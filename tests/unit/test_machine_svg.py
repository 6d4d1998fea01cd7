"""The drawing of a machine: what is drawn, what is counted only, and what each box says."""

import re
from xml.etree import ElementTree

import pytest
from corewise.machines import load
from corewise.plots.outline import Outline, tree_lines
from corewise.plots.tree import machine_svg


def texts(svg: str) -> list[str]:
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_logical_and_os_indices_are_both_there_and_labelled():
    found = texts(machine_svg(load("synthetic:1:pack:2 core:2 pu:2(indexes=2*4:1*2)")))
    assert "core 2" in found
    assert "PU 4 = OS 2" in found and "PU 5 = OS 6" in found


def test_many_nodes_alike_are_drawn_four_times_and_counted():
    found = texts(machine_svg(load("draco:16")))
    assert [text for text in found if text.startswith("node #")] == [f"node #{node}" for node in range(4)]
    assert found[found.index("+ 12 more") + 1] == "like node #3"


def test_a_last_node_that_differs_is_drawn():
    found = texts(machine_svg(load("jaguar-xt5:10+8")))
    assert "node #10" in found and "+ 6 more" in found


def test_ranks_stand_on_their_cores():
    # Core 9 of two Draco nodes is core 1 of the second one.
    found = texts(machine_svg(load("draco:2"), {0: [5], 9: [0, 1, 2, 7]}))
    assert found[found.index("rank 5") + 1] == "core 0"
    assert found[found.index("ranks 0-2,7") + 1 :][:2] == ["core 1", "PU 1 = OS 1"]


def test_link_loads_stand_at_the_box_that_they_leave():
    # One node of two packages of two cores: cores (not shown), then packages.
    svg = machine_svg(load("synthetic:1:pack:2 core:2 pu:1"), None, [[9, 9, 9, 9], [1024, 2048]])
    found = texts(svg)
    assert found[found.index("package #0") + 1] == "\N{UPWARDS ARROW} 1.00 KiB"
    assert found[found.index("package #1") + 1] == "\N{UPWARDS ARROW} 2.00 KiB"
    bars = [float(width) for width in re.findall(r'<rect width="([\d.]+)" fill="#d9822b"', svg)]
    assert bars[0] == pytest.approx(bars[1] / 2, abs=0.01)


def test_names_are_escaped():
    from corewise.model import NodeShape, make_machine

    shape = NodeShape(["<a&b>", "node"], [[0, 0, 1], [0, 0, 0]], [[0], [1], [2]])
    assert "<a&b> #0" in texts(machine_svg(make_machine("<script>", [shape], [0], [], [], [])))


@pytest.mark.parametrize("spec", ["tree:16:64:64", "perlmutter:64", "tree:1", "tree:300", "local"])
def test_a_drawing_stays_small_however_large_the_machine(spec):
    svg = machine_svg(load(spec))
    assert len(svg) < 256 * 600  # 256 cores at most, each some 500 bytes with its share of frames
    drawn = sum(bool(re.fullmatch(r"(core|leaf) \d+", text)) for text in texts(svg))
    assert 1 <= drawn <= 256


def test_siblings_of_one_kind_are_counted_in_the_outline():
    machine = load("jaguar-xt5:10+8")
    outline = Outline.of(machine)
    assert [n for n, _ in outline.root.runs] == [10, 1]
    assert outline.root.n_cores == 128
    assert list(outline.children(2, 10)) == [20, 21]  # node 10 has packages 20 and 21
    assert outline.first_core[1][21] == 126  # ten nodes of 12 cores, then a package of 6


def test_the_text_folds_what_is_alike():
    assert tree_lines(load("draco:16")) == ["network: 16 x node: 2 x package: 2 x l2: 2 x core"]
    assert tree_lines(load("jaguar-xt5:10+8")) == [
        "network",
        "  10 x node: 2 x package: 6 x core",
        "   1 x node",
        "         1 x package: 6 x core",
        "         1 x package: 2 x core",
    ]
