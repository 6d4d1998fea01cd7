"""OTF2: archives of Score-P and other writers as INPUT."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corewise.errors import InputError, MissingError
from corewise.files import otf2_archive
from corewise.files.otf2_archive import Sums
from corewise.profile import otf2_input
from corewise.profile.inputs import read_input
from otf2_cases import write_as_others


def pairs(path: Path, layer: str) -> list[tuple[int, ...]]:
    """(src, dst, bytes, messages), sorted."""
    columns = read_input(str(path), layer).traffic.folded().columns()
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    return write_as_others(tmp_path_factory.mktemp("otf2") / "others")


def test_messages_are_read_in_world_ranks(archive):
    # Rank 0 of `turned` is world rank 1. Threads count as their rank. `turned` and `self` have messages to
    # themselves.
    found = read_input(str(archive))
    assert pairs(archive, "p2p") == [(0, 0, 8 + 5, 2), (0, 1, 8 + 40000 + 8, 3)]
    assert found.traffic.large.matrix.bytes == 40000
    assert found.faults == ("1 message not counted: the archive doesn't define the receiver",)


def test_collectives_are_read_and_those_without_pairs_are_reported(archive):
    found = read_input(str(archive), "coll")
    assert pairs(archive, "coll") == [(1, 0, 100, 1)]
    assert found.complete is False
    assert "1 collective call not counted: OTF2 has sums instead of pairs" in found.faults[0]


def test_another_layer_is_refused(archive):
    with pytest.raises(InputError, match='for the layer rma; expected layer="p2p" or layer="coll"'):
        read_input(str(archive), "rma")


def test_the_directory_of_a_score_p_measurement_is_an_input(archive):
    found = read_input(str(archive.parent))
    assert (found.kind, found.traffic.n_ranks) == ("otf2", 2)


def test_without_the_bindings_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(otf2_archive.sys, "executable", str(tmp_path / "no-python"))
    monkeypatch.setattr(otf2_archive, "SYSTEM_PYTHON", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    otf2_archive.interpreter.cache_clear()
    (tmp_path / "a.otf2").write_bytes(b"")
    try:
        with pytest.raises(MissingError, match="apt-get install python3-otf2") as missing:
            read_input(str(tmp_path / "a.otf2"))
    finally:
        otf2_archive.interpreter.cache_clear()
    assert missing.value.exit_code == 3


def damaged_copy(archive: Path, folder: Path, part: str, damage) -> Path:
    """A copy of the archive with one damaged file."""
    shutil.copytree(archive.parent, folder)
    path = folder / part
    path.write_bytes(damage(path.read_bytes()))
    return folder / archive.name


@pytest.mark.parametrize("part", ["traces.otf2", "traces.def", "traces/0.evt"])
@pytest.mark.parametrize("n_left", [0, 30])
def test_a_truncated_archive_is_one_sentence_or_says_what_is_missing(archive, tmp_path, part, n_left):
    anchor = damaged_copy(archive, tmp_path / "cut", part, lambda content: content[:n_left])
    try:
        found = read_input(str(anchor))
    except InputError as refused:
        assert str(anchor) in str(refused)
        assert "\n" not in str(refused)
    else:
        assert "missing: the archive's files lack them" in found.faults[0]


# Two calls in a communicator of world ranks 2 and 0; for both [rank, calls, bytes sent, bytes received].
@pytest.mark.parametrize(
    ("operation", "root", "calls", "expected"),
    [
        # 8 bytes per call to both members; half of that is the member's own share.
        pytest.param(
            "ALLTOALL", -1, [[0, 2, 32, 32], [2, 2, 32, 32]], [(0, 2, 16, 2), (2, 0, 16, 2)], id="all"
        ),
        # The root is rank 1 of the communicator, world rank 0. The receiver got 8 bytes per call.
        pytest.param("SCATTER", 1, [[0, 2, 32, 16], [2, 2, 0, 16]], [(0, 2, 16, 2)], id="scatter"),
        pytest.param(
            "SCATTER", 1, [[0, 2, 32, 0], [2, 2, 0, 0]], [(0, 2, 16, 2)], id="receivers not recorded"
        ),
        pytest.param("REDUCE", 0, [[0, 2, 16, 0], [2, 2, 16, 32]], [(0, 2, 16, 2)], id="reduce"),
        # The first member sends its 8 bytes to the second; the last member sends nothing.
        pytest.param("EXSCAN", -1, [[0, 2, 0, 16], [2, 2, 16, 0]], [(2, 0, 16, 2)], id="exscan"),
        pytest.param("BARRIER", -1, [[0, 2, 0, 0], [2, 2, 0, 0]], [], id="barrier"),
        # All partners of a rank together: the bytes of a pair are unknown.
        pytest.param("ALLTOALLV", -1, [[0, 2, 32, 32], [2, 2, 32, 32]], [], id="sums alone"),
        # The root is given as a third rank, but the communicator has two.
        pytest.param("BCAST", 2, [[0, 2, 32, 16], [2, 2, 0, 16]], [], id="no such root"),
    ],
)
def test_collectives_become_messages_between_world_ranks(monkeypatch, operation, root, calls, expected):
    collectives = [(operation, 4, root, *call) for call in calls]
    sums = Sums(3, [], {"4": [2, 0]}, collectives, n_foreign=0, n_lost_events=0)
    monkeypatch.setattr(otf2_input, "read_sums", lambda *_: sums)
    found = otf2_input.read_otf2(Path("a.otf2"), "coll", 2**15)
    columns = found.traffic.folded().columns()
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert len(found.faults) == (operation in ("BCAST", "ALLTOALLV"))
