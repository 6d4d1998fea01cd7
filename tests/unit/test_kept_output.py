"""Output of runs: its kept part has a limited size; the start and the end are complete."""

from __future__ import annotations

import pytest
from corewise.execute.kept_output import HEAD_BYTES, TAIL_BYTES, kept_output
from corewise.execute.known_noise import WithoutNoise
from corewise.execute.process import TIMED_OUT, run_command


def kept(script: str, path, timeout_s: float | None = 60) -> bytes:
    with kept_output(path) as streams:
        run_command(["bash", "-c", script], streams, timeout_s)
    return path.read_bytes()


def test_a_short_output_is_kept_whole_with_the_messages_which_are_passed_on(tmp_path, capfd):
    text = kept("echo one; sleep 0.2; echo two >&2", tmp_path / "output.txt")
    assert text == b"one\ntwo\n"
    assert capfd.readouterr() == ("", "two\n")


NOISE = "[n1:42] plm:rsh: Warning: setpgid(50,50) failed in parent with errno=Permission denied(13)"


def test_known_noise_is_kept_and_not_passed_on(tmp_path, capfd):
    halves = f"printf %s '{NOISE[:30]}' >&2; sleep 0.2; echo '{NOISE[30:]}' >&2"
    text = kept(f"echo before >&2; {halves}; echo '[n1:42] an error' >&2", tmp_path / "output.txt")
    assert text == f"before\n{NOISE}\n[n1:42] an error\n".encode()
    assert capfd.readouterr().err == "before\n[n1:42] an error\n"


@pytest.mark.parametrize(
    ("chunks", "passed"),
    [
        (["12 %", "\r13 %"], ["12 %", "\r13 %"]),  # a progress line is passed on at once
        (["[n1", ":42] an error\nend"], ["", "[n1:42] an error\nend"]),
        ([f"a\n{NOISE}\n\n{NOISE}\nb\n"], ["a\n\nb\n"]),
        (["x" * 9 + NOISE + "\n"], ["x" * 9 + NOISE + "\n"]),  # only whole lines are compared
        (["[" * 300], ["[" * 300]),
    ],
)
def test_what_is_no_noise_passes_unchanged(chunks, passed):
    noise_filter = WithoutNoise()
    assert [noise_filter.passed(chunk.encode()).decode() for chunk in chunks] == passed
    assert noise_filter.rest() == b""


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
