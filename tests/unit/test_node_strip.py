"""The strip of nodes: the node of each square, and the meaning of its shade."""

from xml.etree import ElementTree

import pytest
from corewise.plots.node_strip import legend_entries, node_strip_svg, nodes_a_cell, shade_of

SVG = "{http://www.w3.org/2000/svg}"


def squares(svg: str) -> list[tuple[str, str]]:
    """(class, title) of each square in order."""
    rects = ElementTree.fromstring(svg).iter(f"{SVG}rect")
    return [(rect.get("class"), rect.find(f"{SVG}title").text) for rect in rects]


def test_each_node_is_a_square_shaded_by_its_share_of_the_greatest_load():
    # Eighths of 8 KiB: none, one, exactly two, just above two, eight.
    svg = node_strip_svg([0.0, 1, 2048, 2049, 8192], 8192, opened=[4])
    assert squares(svg) == [
        ("cell shade-0", "node 0: 0 B"),
        ("cell shade-1", "node 1: 1 B"),
        ("cell shade-2", "node 2: 2.00 KiB"),
        ("cell shade-3", "node 3: 2.00 KiB"),
        ("cell shade-8 opened", "node 4: 8.00 KiB"),
    ]


def test_the_legend_says_the_same_as_the_shades():
    assert legend_entries(8192)[:3] == [(0, "none"), (1, "up to 1.00 KiB"), (2, "up to 2.00 KiB")]
    assert legend_entries(0.0) == [(0, "none")]
    assert [shade_of(1024 * part, 8192) for part in range(9)] == list(range(9))


def test_rows_start_with_the_number_of_their_first_node():
    svg = ElementTree.fromstring(node_strip_svg([1.0] * 70, 1.0))
    assert [text.text for text in svg.iter(f"{SVG}text")] == ["0", "32", "64"]


def test_of_very_many_nodes_a_square_shows_the_most_loaded_of_its_neighbours():
    loads = [0.0] * 2500  # three nodes per square
    loads[4] = 10.0
    found = squares(node_strip_svg(loads, 10.0))
    assert nodes_a_cell(2500) == 3 and len(found) == 834
    assert found[1] == ("cell shade-8", "nodes 3-5: at most 10 B")
    assert found[-1][1] == "node 2499: 0 B"


@pytest.mark.parametrize("greatest", [0.0, 1.0])
def test_a_machine_without_traffic_has_empty_squares(greatest):
    assert {css_class for css_class, _ in squares(node_strip_svg([0.0, 0.0], greatest))} == {"cell shade-0"}
