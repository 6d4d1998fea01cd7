"""Files and texts that would hang a reader or fill the memory are refused quickly, in one sentence."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.machines import load
from sources import ROOT

CG = str(ROOT / "fixtures" / "matrices" / "npb" / "cg.C.16.npz")

# commands that read a file that the user names
READERS = {
    "matrix": ["show", "FILE"],
    "machine": ["topo", "--machine", "FILE.toml"],
    "xml": ["topo", "--machine", "FILE.xml"],
    "placement": ["score", "FILE", CG, "--machine", "draco:2"],
    "tune or run": ["report", "FILE", "-o", "page.html"],
}


def refused(words: list[str]) -> str:
    """The error message of a refused command line."""
    with pytest.raises(InputError) as raised:
        CliRunner().invoke(cli, words, catch_exceptions=False)
    return str(raised.value)


def words_for(reader: str, path: Path, monkeypatch) -> tuple[list[str], Path]:
    monkeypatch.chdir(path.parent)
    suffix = next((word[4:] for word in READERS[reader] if word.startswith("FILE")), "")
    target = path.with_name(path.name + suffix)
    return [str(target) if word.startswith("FILE") else word for word in READERS[reader]], target


@pytest.mark.parametrize("reader", READERS)
def test_a_fifo_or_a_device_is_refused_rather_than_waited_for(tmp_path, monkeypatch, reader):
    words, target = words_for(reader, tmp_path / "input", monkeypatch)
    os.mkfifo(target)
    assert "is a device, FIFO or socket; expected" in refused(words)
    target.unlink()
    target.symlink_to("/dev/zero")
    assert "is a device, FIFO or socket; expected" in refused(words)


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        ("placement", "nested too deep"),
        ("tune or run", "expected numbers, or a first row"),  # `report` reads it as a matrix
        ("machine", "nested too deep"),
    ],
)
def test_brackets_nested_a_hundred_thousand_deep_are_one_sentence(tmp_path, monkeypatch, reader, said):
    words, target = words_for(reader, tmp_path / "input", monkeypatch)
    target.write_text("[" * 100_000 if target.suffix == "" else "a = " + "[" * 100_000)
    assert said in refused(words)


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_no_text_is_one_sentence(tmp_path, monkeypatch, reader):
    words, target = words_for(reader, tmp_path / "input", monkeypatch)
    target.write_bytes(b"\xff\xfe\x00\x9f" * 100)
    assert str(target.name) in refused(words)


def test_an_archive_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("msgs.npy", "w", force_zip64=True) as entry:
            for _ in range(1100):
                entry.write(bytes(2**20))
        archive.writestr("bytes.npy", b"")
    assert "write a larger matrix as Matrix Market" in refused(["show", str(tmp_path / "bomb.npz")])


def test_a_topology_on_which_hwloc_crashes_is_refused(tmp_path):
    text = (ROOT / "fixtures" / "topologies" / "smt-interleaved.xml").read_text()
    machine, numa = 'allowed_nodeset="', 'complete_nodeset="0x00000001" gp_index="10"'
    assert machine in text
    broken = text.replace(machine, machine + "9" * 400, 1).replace(numa, numa.replace("_nod", "_nkd"))
    (tmp_path / "node.xml").write_text(broken)
    assert "node.xml" in refused(["topo", "--machine", str(tmp_path / "node.xml")])


@pytest.mark.parametrize("suffix", [".toml", ".json", ".xml"])
def test_a_file_of_gigabytes_is_refused_before_it_is_read(tmp_path, suffix):
    path = tmp_path / f"large{suffix}"
    with path.open("wb") as file:
        file.truncate(2**32)
    words = ["report", str(path)] if suffix == ".json" else ["topo", "--machine", str(path)]
    assert "4294967296 bytes; expected" in refused(words)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("a." * 100_000 + "b = 1", "a key of more than 64 parts"),
        ("a = {" + "a." * 100_000 + "b = 1}", "a key of more than 64 parts"),
        ("a = 0x" + "f" * 10_000, "a whole number of more than 64 bits"),
        ("a = " + "9" * 10_000, "a number of thousands of digits"),
    ],
)
def test_toml_that_its_parser_is_slow_or_loud_about_is_one_sentence(tmp_path, more, sentence):
    (tmp_path / "m.toml").write_text(more)
    assert sentence in refused(["topo", "--machine", str(tmp_path / "m.toml")])


def test_numbers_of_attributes_do_not_count_as_threads():
    attributes = "[numa(memory=8589934592)] pack:2 l2:2(size=4194304) core:2 pu:1"
    assert load(f"synthetic:1:{attributes}").n_cores == 8
