"""Invalid specifications of sweeps are refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from fuzz_runs import assert_only_sentences


def refused(path: Path) -> str:
    """The error of `corewise sweep` for the file."""
    with pytest.raises(InputError) as raised:
        CliRunner().invoke(cli, ["sweep", str(path), "--dry-run"], catch_exceptions=False)
    return str(raised.value)


def test_no_damaged_specification_is_more_than_a_sentence(tmp_path):
    assert_only_sentences(Path(__file__).with_name("sweep_fuzz_drive.py"), "sweep", tmp_path)


def test_what_is_no_text_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo.toml")
    assert "is a device, FIFO or socket; expected" in refused(tmp_path / "fifo.toml")
    (tmp_path / "nested.toml").write_text("a = " + "[" * 100_000)
    assert "nested too deep" in refused(tmp_path / "nested.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00\x9f" * 100)
    assert "bytes.toml" in refused(tmp_path / "bytes.toml")


def test_a_grid_of_millions_is_refused_before_it_is_built(tmp_path):
    axis = "[" + ", ".join(map(str, range(2000))) + "]"
    head = 'format = "corewise-sweep"\nversion = 1\ncommand = ["true", "{a}", "{b}"]\n'
    (tmp_path / "s.toml").write_text(f"{head}[axes]\na = {axis}\nb = {axis}\n")
    sentence = "4000000 combinations and 24000000 runs; expected at most 100000 and 1000000"
    assert sentence in refused(tmp_path / "s.toml")
    (tmp_path / "s.toml").write_text(f"{head}[axes]\na = [1]\nb = [1]\n[runs]\nrepeats = 1000000000\n")
    assert "1 combinations and 1000000001 runs" in refused(tmp_path / "s.toml")
