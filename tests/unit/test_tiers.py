"""scripts/test: the order of the tiers, what a failure leaves to say, and that no test is left out."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sources import ROOT

SCRIPT = ROOT / "scripts" / "test"
TIERS = ["lint", "unit", "asan", "tsan", "mpi", "lab"]


def run_tiers(folder: Path, *tiers: str, failing: str = "") -> tuple[int, list[str], str]:
    """Exit code, lines of output, and errors of the script; programs that it calls only say their words."""
    for name in ("scripts/lint", ".venv/bin/cmake", ".venv/bin/ctest", ".venv/bin/pytest"):
        program = folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        words = f'#!/bin/sh\necho "ran {program.name} $*"\n[ "{program.name} $*" != "{failing}" ]\n'
        program.write_text(words)
        program.chmod(0o755)
    script = shutil.copy(SCRIPT, folder / "scripts")
    done = subprocess.run([script, *tiers], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


def table(lines: list[str]) -> list[str]:
    """Names of the tiers whose seconds stand in the table at the end."""
    rows = lines[lines.index("== seconds a tier") + 1 :]
    assert all(re.fullmatch(r"\w+ +\d+", row) for row in rows)
    return [row.split()[0] for row in rows]


def test_all_tiers_run_in_order_and_each_has_its_seconds(tmp_path):
    code, lines, errors = run_tiers(tmp_path)
    assert (code, errors) == (0, "")
    assert [line.removeprefix("== ") for line in lines if line.startswith("== ")][:-1] == TIERS
    assert table(lines) == TIERS


def test_tiers_that_are_named_run_alone(tmp_path):
    code, lines, _ = run_tiers(tmp_path, "tsan", "lint")
    assert code == 0
    assert table(lines) == ["tsan", "lint"]
    assert [line for line in lines if line.startswith("ran pytest")] == []


@pytest.mark.parametrize(
    ("failing", "tier"),
    [("lint ", "lint"), ("cmake --build --preset asan", "asan"), ("pytest tests/lab", "lab")],
)
def test_the_first_tier_that_fails_ends_the_run_and_is_named(tmp_path, failing, tier):
    code, lines, errors = run_tiers(tmp_path, failing=failing)
    assert code == 1
    assert table(lines) == TIERS[: TIERS.index(tier) + 1]
    assert errors == f"test: tier {tier} failed; alone:  scripts/test {tier}\n"


def test_an_unknown_tier_is_refused_with_those_there_are(tmp_path):
    code, lines, errors = run_tiers(tmp_path, "lint", "fuzz")
    assert (code, lines) == (2, [])
    assert errors == "test: found 'fuzz'; expected some of lint unit asan tsan mpi lab\n"


def test_every_folder_with_tests_is_in_a_tier():
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders == set(re.findall(r"\btests/(\w+)", SCRIPT.read_text()))
