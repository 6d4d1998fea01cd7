"""Output of runs: its kept part has a limited size; the start and the end are complete."""

from __future__ import annotations

import pytest
from corewise.start.kept_output import HEAD_BYTES, TAIL_BYTES, kept_output
from corewise.start.process import TIMED_OUT, run_command


def kept(script: str, path, timeout_s: float | None = 60) -> bytes:
    with kept_output(path) as streams:
        run_command(["bash", "-c", script], streams, timeout_s)
    return path.read_bytes()


def test_a_short_output_is_kept_whole_with_the_messages_which_are_passed_on(tmp_path, capfd):
    text = kept("echo one; sleep 0.2; echo two >&2", tmp_path / "output.txt")
    assert text == b"one\ntwo\n"
    assert capfd.readouterr() == ("", "two\n")


@pytest.mark.parametrize("n_bytes", [HEAD_BYTES + TAIL_BYTES, HEAD_BYTES + TAIL_BYTES + 10, 3_000_000])
def test_a_long_output_keeps_its_beginning_and_its_end_and_says_what_is_missing(tmp_path, n_bytes):
    script = f"{{ seq -w 0 {n_bytes} | head -c {n_bytes - 4}; echo END; }} | tee {tmp_path}/whole"
    whole = kept(script, tmp_path / "output.txt")
    printed = (tmp_path / "whole").read_bytes()
    assert len(printed) == n_bytes
    n_cut = n_bytes - HEAD_BYTES - TAIL_BYTES
    line = f"\n[corewise left out {n_cut} bytes of output here]\n".encode() if n_cut else b""
    assert whole == printed[:HEAD_BYTES] + line + printed[-TAIL_BYTES:]


def test_a_run_that_prints_without_end_is_ended_in_time_and_its_output_stays_small(tmp_path):
    with kept_output(tmp_path / "output.txt") as streams:
        code, _ = run_command(["yes"], streams, timeout_s=1)
    assert code == TIMED_OUT
    assert HEAD_BYTES + TAIL_BYTES < (tmp_path / "output.txt").stat().st_size < HEAD_BYTES + TAIL_BYTES + 100


def test_what_is_printed_at_the_last_moment_is_kept(tmp_path):
    script = "trap 'echo last words; exit 0' TERM; echo first; sleep 60 & wait"
    assert kept(script, tmp_path / "output.txt", timeout_s=1) == b"first\nlast words\n"
