"""OTF2: an events profile as an archive that OTF2's own tools open, and archives as INPUT."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError, MissingError
from corewise.files import otf2_archive
from corewise.files.otf2_archive import Sums
from corewise.profile import otf2_input
from corewise.profile.inputs import read_input
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from otf2_cases import events_profile, needs_otf2, read_by_otf2, write_as_others
from profile_cases import two_phase_profile

MS = 1_000_000  # ns


def show(*words: str):
    return CliRunner().invoke(cli, ["show", *words], catch_exceptions=False)


def pairs(path: Path, layer: str) -> list[tuple[int, ...]]:
    """(src, dst, bytes, messages), sorted."""
    columns = read_input(str(path), layer).traffic.folded().columns()
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """The events profile, and its archive next to it."""
    needs_otf2()
    folder = tmp_path_factory.mktemp("otf2")
    profile = events_profile().write(folder / "app.profile")
    anchor = folder / "app.otf2"
    assert show("--timeline", str(anchor), str(profile)).exit_code == 0
    return anchor


@pytest.fixture(scope="module")
def events(archive) -> dict[str, list]:
    """The events that OTF2's reader finds, by rank."""
    return read_by_otf2(archive)["events"]


def of_kinds(events: list, *kinds: str) -> list[list]:
    return [event for event in events if event[0] in kinds]


def test_a_blocking_message_is_sent_at_the_begin_and_received_at_the_end(events):
    message = {"msg_tag": 5, "msg_length": 8, "communicator": "MPI_COMM_WORLD"}
    assert events["MPI Rank 0"][:3] == [
        ["Enter", 100 * MS, {"region": "MPI_Send"}],
        ["MpiSend", 100 * MS, {"receiver": 1, **message}],
        ["Leave", 150 * MS, {"region": "MPI_Send"}],
    ]
    # Rank 0 of the reversed communicator is world rank 2.
    back = {"msg_tag": 3, "msg_length": 40, "communicator": "back"}
    assert of_kinds(events["MPI Rank 0"], "MpiRecv") == [["MpiRecv", 200 * MS, {"sender": 0, **back}]]


def test_a_request_is_named_where_it_starts_and_where_it_completes(events):
    posted, received = of_kinds(events["MPI Rank 1"], "MpiIrecvRequest", "MpiIrecv")
    assert (posted[1], received[1]) == (20 * MS, 150 * MS)
    assert (received[2]["sender"], received[2]["msg_length"]) == (0, 8)  # not the 64 of the receive
    sent, completed = of_kinds(events["MPI Rank 2"], "MpiIsend", "MpiIsendComplete")
    assert (sent[2]["receiver"], sent[1], completed[1]) == (2, 110 * MS, 200 * MS)
    for one, other in ((posted, received), (sent, completed)):
        assert one[2]["request_id"] == other[2]["request_id"]


def test_collectives_have_the_sizes_that_score_p_writes(events):
    found = {
        rank: {
            fields["op"]: (fields["size_sent"], fields["size_received"])
            for _, _, fields in of_kinds(list_, "MpiCollectiveEnd", "NonBlockingCollectiveComplete")
        }
        for rank, list_ in events.items()
    }
    # Three ranks: 100 bytes broadcast from 1, 10 gathered to 2, 24 reduced, 16 scanned.
    assert found["MPI Rank 0"] == {
        "BCAST": (0, 100),
        "GATHER": (10, 0),
        "ALLREDUCE": (72, 72),
        "SCAN": (48, 16),
        "ALLTOALLV": (1 + 2, 0),
    }
    assert found["MPI Rank 1"]["BCAST"] == (300, 100)
    assert found["MPI Rank 2"]["SCAN"] == (16, 48)


def test_every_region_that_is_entered_is_left_and_time_never_goes_back(events):
    for of_rank in events.values():
        times = [time for _, time, _ in of_rank]
        assert times == sorted(times)
        regions = [(kind, fields["region"]) for kind, _, fields in of_rank if kind in ("Enter", "Leave")]
        assert [name for kind, name in regions if kind == "Enter"] == [
            name for kind, name in regions if kind == "Leave"
        ]


def test_the_clock_counts_nanoseconds(archive):
    found = read_by_otf2(archive)
    last = max(time for of_rank in found["events"].values() for _, time, _ in of_rank)
    assert (found["resolution"], found["length"]) == (10**9, last)


@pytest.mark.skipif(shutil.which("otf2-print") is None, reason="no otf2-print here (Debian: otf2-tools)")
def test_otf2_print_reads_definitions_and_events(archive):
    def printed(*words: str) -> str:
        return subprocess.run(
            ["otf2-print", *words, str(archive)], capture_output=True, text=True, timeout=60, check=True
        ).stdout

    definitions = printed("-G")
    assert 'Name: "MPI Rank 2"' in definitions
    assert "Type: COMM_GROUP" in definitions
    assert re.search('Name: "corewise::clock_error_s".*Value: "0"', definitions)
    assert printed().count("MPI_SEND ") == 1
    assert 'Communicator: "back"' in printed()


@pytest.mark.parametrize("layer", ["p2p", "coll"])
def test_an_archive_has_the_matrix_of_its_profile(archive, layer):
    assert pairs(archive, layer) == pairs(archive.with_suffix(".profile"), layer) != []


def test_collectives_whose_pairs_otf2_lacks_are_told(archive):
    document = json.loads(show("--json", "--layer", "coll", str(archive)).stdout)
    assert document["complete"] is False
    assert "1 collective call not counted: OTF2 has sums instead of pairs" in document["faults"][0]
    assert json.loads(show("--json", str(archive)).stdout)["complete"] is True


def test_another_layer_is_refused(archive):
    with pytest.raises(InputError, match='for the layer rma; expected layer="p2p" or layer="coll"'):
        read_input(str(archive), "rma")


def test_the_directory_of_a_score_p_measurement_is_an_input(archive, tmp_path):
    for part in (".otf2", ".def"):
        shutil.copy(archive.with_suffix(part), tmp_path / f"traces{part}")
    shutil.copytree(archive.with_suffix(""), tmp_path / "traces")
    found = read_input(str(tmp_path))
    assert (found.kind, found.traffic.n_ranks) == ("otf2", 3)


def test_nothing_that_is_there_is_replaced(archive):
    profile = archive.with_suffix(".profile")
    with pytest.raises(InputError, match="app: already exists and is not replaced; give another name"):
        show("--timeline", str(archive), str(profile))
    assert [path.name for path in archive.parent.glob(".corewise-*")] == []


def test_a_profile_without_events_has_no_archive(tmp_path):
    profile = two_phase_profile().write(tmp_path / "two.profile")
    with pytest.raises(InputError, match="has no events"):
        show("--timeline", str(tmp_path / "two.otf2"), str(profile))
    assert [path.name for path in tmp_path.iterdir()] == ["two.profile"]


def test_without_the_bindings_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(otf2_archive.sys, "executable", str(tmp_path / "no-python"))
    monkeypatch.setattr(otf2_archive, "SYSTEM_PYTHON", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    otf2_archive.interpreter.cache_clear()
    (tmp_path / "a.otf2").write_bytes(b"")
    try:
        with pytest.raises(MissingError, match="apt-get install python3-otf2") as missing:
            show(str(tmp_path / "a.otf2"))
    finally:
        otf2_archive.interpreter.cache_clear()
    assert missing.value.exit_code == 3


def damaged_copy(archive: Path, folder: Path, part: str, damage) -> Path:
    """A copy of the archive with one damaged file."""
    shutil.copytree(archive.parent, folder, ignore=shutil.ignore_patterns("*.profile"))
    path = folder / part
    path.write_bytes(damage(path.read_bytes()))
    return folder / archive.name


@pytest.mark.parametrize("part", ["app.otf2", "app.def", "app/0.evt"])
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


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_archive_is_never_more_than_a_sentence(archive, tmp_path_factory, data):
    part = data.draw(st.sampled_from(["app.otf2", "app.def", "app/0.evt", "app/1.def"]))

    def damage(content: bytes) -> bytes:
        changed = bytearray(content)
        for _ in range(data.draw(st.integers(1, 4))):
            changed[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        return bytes(changed)

    anchor = damaged_copy(archive, tmp_path_factory.mktemp("fuzz") / "a", part, damage)
    try:
        assert read_input(str(anchor), data.draw(st.sampled_from(["p2p", "coll"]))).kind == "otf2"
    except InputError as refused:
        assert "\n" not in str(refused)


def test_an_archive_of_another_writer_is_read_in_world_ranks(tmp_path):
    anchor = write_as_others(tmp_path / "others")
    found = read_input(str(anchor))
    # Rank 0 of `turned` is world rank 1. Threads count as their rank. `turned` and `self` have messages to
    # themselves.
    assert pairs(anchor, "p2p") == [(0, 0, 8 + 5, 2), (0, 1, 8 + 40000 + 8, 3)]
    assert found.traffic.large.matrix.bytes == 40000
    assert found.faults == ("1 message not counted: the archive doesn't define the receiver",)


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
    assert len(found.faults) == (operation == "BCAST")
