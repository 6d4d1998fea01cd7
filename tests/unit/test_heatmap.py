"""The heat map as text and as PNG. It replaces no file except a PNG."""

from __future__ import annotations

import io

import numpy as np
import pytest
from corewise.errors import InputError
from corewise.model import CommMatrix
from corewise.plots.heatmap import binned, heatmap, text_heatmap
from corewise.plots.picture_file import SIGNATURE, Picture
from corewise.profile import patterns
from hypothesis import given
from hypothesis import strategies as st


def matrix_of(dense) -> CommMatrix:
    dense = np.array(dense, dtype=np.uint64)
    src, dst = np.nonzero(dense)
    sent = dense[src, dst]
    return CommMatrix.from_columns(
        len(dense), src.astype(np.int32), dst.astype(np.int32), sent, np.ones_like(sent)
    )


def test_rows_are_sources_and_columns_destinations():
    # 1000 bytes from 0 to 1, 10 from 1 to 2: two decades apart, so these are the ends of the scale.
    lines = text_heatmap(matrix_of([[0, 1000, 0], [0, 0, 10], [0, 0, 0]]), 80)
    assert lines == [
        "   0-2",
        " 0   @@",
        " 1     ..",
        " 2",
        "bytes a pair, log scale: '.' from 10 B, '@' to 1000 B",
    ]


def test_equal_traffic_looks_equal_and_full():
    lines = text_heatmap(patterns.ring(4, 8), 80)
    assert [line[3:] for line in lines[1:-1]] == ["  @@", "    @@", "      @@", "@@"]


def test_neighbours_share_a_cell_where_ranks_are_too_many():
    cells = binned(patterns.ring(8, 1), 4)
    # Ranks 0 and 1: 7 bytes within the cell, 7 to the next cell.
    assert cells.tolist() == [[7, 7, 0, 0], [0, 7, 7, 0], [0, 0, 7, 7], [7, 0, 0, 7]]


def test_a_silent_matrix_says_so():
    assert text_heatmap(matrix_of(np.zeros((2, 2))), 80)[-1] == "no bytes at all"


@given(st.integers(1, 300), st.integers(20, 120))
def test_text_keeps_to_the_width(n_ranks, width):
    matrix = patterns.ring(n_ranks, 1)
    assert max(len(line) for line in text_heatmap(matrix, width)[:-1]) <= width


def drawn(figure) -> bool:
    """Writes the figure; returns whether the file is a PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue().startswith(SIGNATURE)


def test_png_replaces_a_png_and_nothing_else(tmp_path):
    figure = heatmap(patterns.ring(16, 1024), "ring", 8)
    for _ in range(2):
        Picture.by_ending(tmp_path / "map.png").write_figure(lambda: figure)
    assert (tmp_path / "map.png").read_bytes().startswith(SIGNATURE)

    (tmp_path / "notes.txt").write_text("keep me")
    with pytest.raises(InputError, match="is no PNG file"):
        Picture(tmp_path / "notes.txt", "png").write_figure(lambda: figure)
    assert (tmp_path / "notes.txt").read_text() == "keep me"
    with pytest.raises(InputError, match="its folder does not exist"):
        Picture(tmp_path / "no" / "folder.png", "png").write_figure(lambda: figure)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.png", "notes.txt"]


def test_single_bytes_have_a_scale_too():
    # For example a METIS graph without weights: one byte per pair.
    assert text_heatmap(patterns.ring(2, 1), 80)[-1] == "bytes a pair, log scale: '.' from 0.1 B, '@' to 1 B"


def test_a_dollar_in_a_title_is_a_dollar():
    assert drawn(heatmap(patterns.ring(2, 1), "a$\\b_{$"))


def test_a_png_of_a_silent_and_of_a_single_rank_matrix_is_drawn():
    for matrix in (matrix_of(np.zeros((3, 3))), matrix_of([[5]])):
        assert drawn(heatmap(matrix, "odd"))
