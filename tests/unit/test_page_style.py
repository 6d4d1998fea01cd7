"""Pictures outside the page use its colours, and nothing of an SVG is lost when it is drawn."""

import re
from xml.etree import ElementTree

from corewise.nouns.run import RunKey
from corewise.plots.matrix import matrix_svg
from corewise.plots.repeats import repeats_svg
from corewise.plots.style import COLOURS, COLUMN_INCHES, themed, width_inches
from corewise.plots.svg import element, figure
from corewise.plots.svg_figure import drawn
from report_cases import ring

TIMES = {RunKey("default", "measured"): [2.0, 2.1], RunKey("best", "measured"): [1.0, 1.2]}


def test_a_shape_has_the_light_colours_of_the_style_sheet_and_the_last_rule_wins():
    cell = themed(figure(10, 10, "", element("rect", class_="cell opened shade-1")))
    assert f'<rect stroke="{COLOURS["marked"]}" stroke-width="2" fill="{COLOURS["shade-1"]}" />' in cell
    assert COLOURS["page"] == "#ffffff"


def test_a_themed_svg_needs_no_style_sheet():
    svg = themed(repeats_svg(TIMES))
    assert "class=" not in svg and "currentColor" not in svg
    assert COLOURS["best"] in svg and COLOURS["default"] in svg


def test_a_picture_for_a_paper_is_as_wide_as_a_column():
    root = ElementTree.fromstring(themed(repeats_svg(TIMES, 360), "paper"))
    assert root.get("width") == f"{COLUMN_INCHES}in"
    assert width_inches(14.0, "paper") == 7.0 and width_inches(2.0, "paper") == 2.0


def test_every_shape_of_an_svg_is_drawn():
    svg = themed(repeats_svg(TIMES))
    axes = drawn(svg, "page").axes[0]
    counted = {tag: len(re.findall(rf"<{tag}\b", svg)) for tag in ("circle", "rect", "line", "text")}
    assert len(axes.patches) == counted["circle"] + counted["rect"]
    assert len(axes.lines) == counted["line"] and len(axes.texts) == counted["text"]


def test_a_cell_of_the_matrix_is_where_the_svg_has_it():
    # 4 ranks in 390 px: the square of (0, 1) is 97.5 wide, at x 56 + 97.5 and y 40.
    axes = drawn(themed(matrix_svg(ring(4).folded())), "page").axes[0]
    corners = {tuple(patch.get_window_extent().min) for patch in axes.patches}
    assert len(corners) >= 1
    path = next(patch for patch in axes.patches if type(patch).__name__ == "PathPatch")
    box = path.get_path().transformed(path.get_transform() - axes.transData).get_extents()
    assert (round(box.x0, 1), round(box.y0, 1)) == (56.0, 40.0)
    assert (round(box.x1, 1), round(box.y1, 1)) == (446.0, 430.0)
