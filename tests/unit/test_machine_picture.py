"""The picture of a machine: what is drawn, what is only counted, and the text of each box."""

import re

import pytest
from corewise.machines import load
from corewise.model import Assignment, NodeShape, make_machine
from corewise.nouns.placement import Placement
from corewise.plots.drawing import svg_of
from corewise.plots.outline import Outline, tree_lines
from corewise.plots.tree import LOAD, machine_figure, most_loaded_nodes, placed_figure
from matplotlib.colors import to_rgba


def texts(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def placed(machine, nodes, cores: list[list[int]], loads=None):
    """The picture of a placement; `cores` are by rank, over the whole machine."""
    return placed_figure(machine, nodes, Placement.of(Assignment.from_core_lists(cores), machine), loads)


def test_logical_and_os_indices_are_both_there_and_labelled():
    found = texts(machine_figure(load("synthetic:1:pack:2 core:2 pu:2(indexes=2*4:1*2)")))
    assert "core 2" in found
    assert "PU 4 = OS 2" in found and "PU 5 = OS 6" in found


def test_many_nodes_alike_are_drawn_four_times_and_counted():
    found = texts(machine_figure(load("draco:16")))
    assert [text for text in found if text.startswith("node #")] == [f"node #{node}" for node in range(4)]
    assert found[found.index("+ 12 more") + 1] == "of the shape of node #3"


def test_a_last_node_that_differs_is_drawn():
    found = texts(machine_figure(load("jaguar-xt5:10+8")))
    assert "node #10" in found and "+ 6 more" in found


def test_ranks_stand_on_their_cores():
    # Core 9 of two Draco nodes is core 1 of the second one.
    machine = load("draco:2")
    loads = [[0.0] * machine.n_groups(level) for level in range(machine.n_levels)]
    found = texts(placed(machine, [0, 1], [[9], [9], [9], [0]], loads))
    assert found[0] == "draco:2, nodes 0-1 of 2"
    assert found[found.index("rank 3") + 1] == "core 0"
    assert found[found.index("ranks 0-2") + 1 :][:2] == ["core 1", "PU 1 = OS 1"]


def test_link_loads_stand_at_the_box_that_they_leave():
    # One node of two packages of two cores: cores (not shown), then packages.
    machine = load("synthetic:1:pack:2 core:2 pu:1")
    figure = placed(machine, [0], [[0]], [[9, 9, 9, 9], [1024, 2048]])
    found = texts(figure)
    assert found[found.index("package #0") + 1] == "\N{UPWARDS ARROW} 1.00 KiB"
    assert found[found.index("package #1") + 1] == "\N{UPWARDS ARROW} 2.00 KiB"
    bars = [one.get_width() for one in figure.axes[0].patches if one.get_facecolor() == to_rgba(LOAD)]
    assert bars[0] == pytest.approx(bars[1] / 2, abs=0.01)


def test_ranks_that_are_not_drawn_are_counted():
    # A node of 300 cores: 256 are drawn; rank 1 has two of the 44 others, rank 2 one.
    machine = load("tree:300")
    found = texts(placed(machine, [0], [[0], [298, 299], [299]], [[0.0] * 300]))
    assert found[found.index("+ 44 more") + 1] == "2 ranks"
    assert not any(text.startswith("of the shape") for text in found)


def test_the_most_loaded_nodes_are_opened_as_far_as_they_fit():
    draco, perlmutter = load("draco:16"), load("perlmutter:8")  # 8 and 128 cores per node; 256 drawn
    assert most_loaded_nodes(draco, [1.0] * 6 + [5.0] + [2.0] * 9) == [6, 7, 8, 9]
    assert most_loaded_nodes(perlmutter, [0.0, 3, 1, 2, 0, 0, 0, 0]) == [1, 3]
    assert most_loaded_nodes(draco, [0.0] * 14 + [1.0, 0.0]) == [14]  # idle nodes are not shown
    assert most_loaded_nodes(draco, [0.0] * 16) == [0, 1, 2, 3]
    assert most_loaded_nodes(load("synthetic:6:core:300 pu:1"), [1.0] * 6) == [0]


def test_names_stay_text():
    shape = NodeShape(["<a&b>", "node"], [[0, 0, 1], [0, 0, 0]], [[0], [1], [2]])
    assert "<a&b> #0" in texts(machine_figure(make_machine("<script>", [shape], [0], [], [], [])))


@pytest.mark.parametrize("spec", ["tree:16:64:64", "perlmutter:64", "tree:1", "tree:300", "local"])
def test_a_drawing_stays_small_however_large_the_machine(spec):
    figure = machine_figure(load(spec))
    assert len(svg_of(lambda: figure)) < 256 * 1200  # 256 cores at most, about 1 kB each with its frames
    drawn = sum(bool(re.fullmatch(r"(core|leaf) \d+", text)) for text in texts(figure))
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
