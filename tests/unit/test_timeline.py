"""corewise show --timeline: pictures, the JSON that Perfetto opens, and what the events say."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.model import read_events
from corewise.plots.timeline import busy_share, message_lines
from profile_cases import (
    CALL_NUMBER,
    COMPLETES,
    RECEIVES,
    SENDS,
    STARTS,
    ProfileFile,
    two_phase_profile,
    varints,
    zigzag,
)


def shape(call: str, flags: int, peer: int, tag: int, size: int) -> bytes:
    return varints(0, CALL_NUMBER[call], flags, zigzag(peer), zigzag(tag), 7, size)


@pytest.fixture
def events(tmp_path) -> str:
    """Rank 0 sends 8 bytes from 1.0 to 1.5 s; rank 1 has posted a receive and waits from 0.5 to 2.0 s."""
    file = ProfileFile(2).rank(0).rank(1)
    file.events(0, shape("MPI_Send", SENDS, 1, 5, 8) + varints(1, 1000, 500))
    file.events(
        1,
        shape("MPI_Irecv", RECEIVES | STARTS, 0, 5, 8)
        + varints(1, 250, 0, zigzag(1))
        + shape("MPI_Wait", COMPLETES, -1, 0, 0)
        + varints(5, 250, 1500, 1, 4 * zigzag(0)),
    )
    return str(file.write(tmp_path / "events.profile"))


def show(*words: str):
    return CliRunner().invoke(cli, ["show", *words], catch_exceptions=False)


def test_a_message_goes_from_the_begin_of_the_send_to_the_end_of_the_wait(events):
    assert message_lines(read_events(events)).tolist() == [[0, 1.0, 1, 2.0]]


def test_the_share_of_time_inside_mpi(events):
    # Four columns of half a second: rank 0 is in MPI in the third, rank 1 in the last three.
    assert busy_share(read_events(events), 4) == pytest.approx(np.array([[0, 0, 1, 0], [0, 1, 1, 1]]))
    # Three columns of 2/3 s: the send covers half of the second and a quarter of the third.
    assert busy_share(read_events(events), 3)[0] == pytest.approx([0, 0.5, 0.25])


def test_perfettos_json_has_slices_and_a_flow(events, tmp_path):
    target = tmp_path / "t.json"
    show("--timeline", str(target), events)
    found = json.loads(target.read_text())["traceEvents"]
    slices = {(row["pid"], row["name"]): (row["ts"], row["dur"]) for row in found if row["ph"] == "X"}
    assert slices[0, "MPI_Send"] == pytest.approx((1e6, 5e5))
    assert slices[1, "MPI_Wait"] == pytest.approx((5e5, 1.5e6))
    flow = [(row["ph"], row["pid"], row["ts"]) for row in found if row["ph"] in "sf"]
    assert flow == [("s", 0, pytest.approx(1e6)), ("f", 1, pytest.approx(2e6))]


@pytest.mark.parametrize(
    ("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("html", b"<!DOCTYPE html>")]
)
def test_pictures_are_what_their_ending_says(events, tmp_path, ending, begins):
    target = tmp_path / f"t.{ending}"
    show("--timeline", str(target), events)
    assert target.read_bytes().startswith(begins)


def test_a_profile_without_events_and_a_matrix_are_refused(tmp_path):
    profile = str(two_phase_profile().write(tmp_path / "two.profile"))
    with pytest.raises(InputError, match="has no events; expected one of corewise trace --mode events"):
        show("--timeline", str(tmp_path / "t.svg"), profile)
    (tmp_path / "m.txt").write_text("0 1\n1 0\n")
    with pytest.raises(InputError, match="a matrix has no events"):
        show("--timeline", str(tmp_path / "t.svg"), str(tmp_path / "m.txt"))


def test_nothing_is_overwritten(events, tmp_path):
    target = tmp_path / "t.svg"
    target.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        show("--timeline", str(target), events)
    assert target.read_text() == "mine"
