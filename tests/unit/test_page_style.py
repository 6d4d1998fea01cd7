"""Pictures have the page's colours, whatever their file, and fit a column of a paper."""

from corewise.nouns.run import RunKey
from corewise.plots.drawing import saved, svg_of
from corewise.plots.repeats import repeats_figure
from corewise.plots.style import COLOURS, COLUMN_INCHES, fitted, width_inches

TIMES = {RunKey("default", "measured"): [2.0, 2.1], RunKey("best", "measured"): [1.0, 1.2]}


def test_every_repeat_is_a_dot_in_the_colour_of_its_placement():
    axes = repeats_figure(TIMES).axes[0]
    assert [(line.get_color(), line.get_xdata().tolist()) for line in axes.lines] == [
        (COLOURS["default"], [2.0, 2.1]),
        (COLOURS["best"], [1.0, 1.2]),
    ]


def test_equal_pictures_have_equal_files_without_a_date():
    svg = svg_of(lambda: repeats_figure(TIMES))
    assert svg == svg_of(lambda: repeats_figure(TIMES)) and "<dc:date>" not in svg
    assert COLOURS["best"] in svg and ">default</text>" in svg
    with fitted(lambda: repeats_figure(TIMES), "page") as figure:
        assert b"CreationDate" not in saved(figure, "pdf")


def test_a_picture_for_a_paper_is_as_wide_as_a_column():
    with fitted(lambda: repeats_figure(TIMES), "paper") as figure:
        assert figure.get_size_inches()[0] == COLUMN_INCHES
    assert width_inches(14.0, "paper") == 7.0 and width_inches(2.0, "paper") == 2.0
