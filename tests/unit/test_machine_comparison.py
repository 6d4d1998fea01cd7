"""corewise advise for several machines and inputs: the gain as a function of scale."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.machines import without_count
from corewise.profile import patterns


@pytest.fixture
def inputs(tmp_path):
    """Writes named patterns as files; returns their paths by name."""

    def write(**matrices) -> dict[str, str]:
        paths = {}
        for name, matrix in matrices.items():
            src, dst, sent, messages = matrix.columns()
            dense = {"bytes": sent, "msgs": messages}
            arrays = {key: np.zeros((matrix.n_ranks,) * 2, np.int64) for key in dense}
            for key, values in dense.items():
                arrays[key][src, dst] = values
            paths[name] = str(tmp_path / f"{name}.npz")
            np.savez(paths[name], **arrays)
        return paths

    return write


def strided(n_ranks: int):
    """Rank i sends a mebibyte to the rank half of all ranks further: block order separates every pair."""
    half = np.arange(n_ranks // 2, dtype=np.int32)
    sizes = np.full(len(half), 1 << 20, np.uint64)
    return patterns.CommMatrix.from_columns(n_ranks, half, half + n_ranks // 2, sizes, np.ones_like(sizes))


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, ["advise", *words, "--effort", "fast"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_each_machine_gets_the_input_that_fits_it(inputs):
    paths = inputs(eight=strided(8), sixteen=strided(16))
    machines = ("draco:1", "draco:2", "jaguar-xt5:1")
    words = [word for spec in machines for word in ("--machine", spec)]
    cases = json.loads(run(*paths.values(), *words, "--json"))["cases"]
    assert [(case["machine"], case["n_ranks"]) for case in cases] == [
        ("draco:1", 8),
        ("draco:2", 16),
        ("jaguar-xt5:1", 8),
    ]
    alone = json.loads(run(paths["sixteen"], "--machine", "draco:2", "--json"))
    assert cases[1]["gain"] == alone["gain"]
    assert cases[1]["matters"] == alone["matters"] == "yes"


def test_nodes_left_empty_are_told(inputs):
    ring = inputs(ring=patterns.ring(8, 65536))["ring"]
    text = run(ring, "--machine", "draco:1", "--machine", "draco:2")
    assert "draco:2: 8 ranks leave 1 of 2 nodes empty in block order" in text


def test_an_input_that_no_machine_takes_is_told(inputs):
    paths = inputs(eight=strided(8), sixteen=strided(16))
    assert "eight.npz: no machine given is of its size." in run(*paths.values(), "--machine", "draco:2")


def test_pictures_of_the_gain_against_scale(inputs, tmp_path):
    ring = inputs(ring=patterns.ring(8, 65536))["ring"]
    png, svg = tmp_path / "gain.png", tmp_path / "gain.svg"
    words = ("--machine", "draco:1", "--machine", "draco:2")
    run(ring, *words, "--picture", str(png), "--picture", str(svg))
    assert png.read_bytes().startswith(b"\x89PNG")
    drawing = svg.read_text()
    assert drawing.startswith("<?xml")
    for text in ("ranks", "draco"):
        assert f">{text}<" in drawing


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("draco:16", "draco"),
        ("jaguar-xt5:10+8", "jaguar-xt5"),
        ("draco", "draco"),
        ("mine.toml:4", "mine.toml"),
        ("synthetic:16:pack:2 core:4 pu:1", "synthetic:pack:2 core:4 pu:1"),
        ("tree:4:8@1:10", "tree:4:8@1:10"),
    ],
)
def test_the_kind_of_a_machine_is_its_name_without_the_number_of_nodes(spec, kind):
    assert without_count(spec) == kind
