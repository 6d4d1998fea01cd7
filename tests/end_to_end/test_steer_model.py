"""The model of a swap: Spin finds no error in it, and finds one in each mutated model."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(300)]

MODEL = Path(__file__).parents[2] / "preload" / "steer" / "model" / "swap.pml"
MOST_DEPTH = 100_000
MOST_MEGABYTES = 3000
MOST_SECONDS = 280  # for one search; the longest takes 25 s on two idle cores, and took over 100 s at load 13


def checked(folder: Path, *defined: str, optimize: str = "-O2") -> str:
    """The output of Spin's checker for the whole state space of the model, or up to the first error."""
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} not found")
    shutil.copy(MODEL, folder)
    options = ["-DSAFETY", "-DCOLLAPSE", f"-DMEMLIM={MOST_MEGABYTES}"]
    for command in (
        ["spin", "-a", *(f"-D{name}" for name in defined), MODEL.name],
        ["gcc", optimize, "-w", *options, "-o", "pan", "pan.c"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=MOST_SECONDS)
    search = ["./pan", "-E", f"-m{MOST_DEPTH}"]  # -E: swaps may end in any state
    done = subprocess.run(
        search, cwd=folder, check=True, capture_output=True, text=True, timeout=MOST_SECONDS
    )
    return done.stdout


def assert_right(folder: Path, *defined: str) -> None:
    """Checks that no state has an error. There are more than a million states."""
    printed = checked(folder, *defined)
    assert re.search(r"errors: 0$", printed, re.M), printed
    assert "max search depth too small" not in printed and "out of memory" not in printed, printed
    assert float(re.search(r"([\d.e+]+) states, stored", printed)[1]) > 1_000_000


def assert_wrong(folder: Path, *defined: str) -> None:
    """Checks that there is an error.

    Compiling without optimization is faster, because errors are found early.
    """
    printed = checked(folder, *defined, optimize="-O0")
    assert "assertion violated" in printed and re.search(r"errors: [1-9]", printed), printed


# Both kinds of faults together have 62 million states. Run by hand, that took 3 GB and 98 s, and found no
# error.
@pytest.mark.parametrize("without", ["NO_DEATH", "NO_SHRINKING"])
def test_the_next_recovery_finds_every_rank_its_home_whatever_ends_or_stops(without, tmp_path):
    assert_right(tmp_path, without)


@pytest.mark.parametrize("mutation", ["NO_RECOVERY", "NO_STEAL", "NO_NUMBERS", "NO_RESTORE"])
def test_what_swaps_need_is_missed_when_it_is_taken_out(mutation, tmp_path):
    assert_wrong(tmp_path, "THREADS=1", mutation)


@pytest.mark.parametrize("mutation", ["IGNORES_LOSS", "REFUSES_CHANGED"])
def test_without_a_later_recovery_what_late_steps_need_is_missed_when_it_is_taken_out(mutation, tmp_path):
    assert_wrong(tmp_path, "THREADS=1", "NO_LATER_RECOVERY", mutation)


@pytest.mark.parametrize(
    "words", [("FIRST_THREAD",), ("NO_LATER_RECOVERY", "ONE_PASS")], ids=["FIRST_THREAD", "ONE_PASS"]
)
def test_what_two_threads_need_is_missed_with_two_alone(words, tmp_path):
    assert_right(tmp_path, "THREADS=1", *words)
    assert_wrong(tmp_path, "NO_SHRINKING", *words)


def test_ranks_are_home_without_a_later_recovery(tmp_path):
    assert_right(tmp_path, "NO_SHRINKING", "NO_LATER_RECOVERY")


@pytest.mark.parametrize("limit", ["PID_REUSED_WITHIN", "THREAD_ID_REUSED"])
def test_an_id_that_goes_to_another_process_within_a_call_is_not_told_from_the_old_one(limit, tmp_path):
    assert_wrong(tmp_path, "NO_SHRINKING", limit)
