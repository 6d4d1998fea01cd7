"""The model of the swap protocol: Spin finds no error in it, and finds one in each mutation of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).parents[2] / "preload" / "steer" / "model" / "swap.pml"
MOST_DEPTH = 100_000


def checked(folder: Path, *defined: str) -> str:
    """What Spin's checker prints of the whole state space of the model; invalid end states don't count."""
    for tool in ("spin", "gcc"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} not found")
    shutil.copy(MODEL, folder)
    words = [f"-D{name}" for name in defined]
    for command in (
        ["spin", "-a", *words, MODEL.name],
        ["gcc", "-O2", "-w", "-DSAFETY", "-DMEMLIM=2048", "-o", "pan", "pan.c"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=100)
    search = ["./pan", "-E", f"-m{MOST_DEPTH}"]
    done = subprocess.run(search, cwd=folder, check=True, capture_output=True, text=True, timeout=100)
    return done.stdout


def test_every_rank_ends_on_its_home_whatever_ends_or_stops(tmp_path):
    printed = checked(tmp_path)
    assert re.search(r"errors: 0$", printed, re.M), printed
    assert "max search depth too small" not in printed and "out of memory" not in printed
    assert int(re.search(r"(\d+) states, stored", printed)[1]) > 1_000_000


@pytest.mark.parametrize("mutation", ["NO_RECOVERY", "NO_STEAL", "NO_NUMBERS", "NO_RESTORE"])
def test_what_the_protocol_needs_is_missed_when_it_is_taken_out(mutation, tmp_path):
    printed = checked(tmp_path, mutation)
    assert "assertion violated" in printed and re.search(r"errors: [1-9]", printed), printed
