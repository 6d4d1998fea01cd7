"""scripts/test: order of the tiers, messages after a failure, skipped tests; every test is in a tier."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sources import ROOT, named

SCRIPT = ROOT / "scripts" / "test"
QUICK = ["lint", "unit", "native", "quick"]
THOROUGH = ["asan", "tsan", "mpi", "lab", "clusters"]
WRITE_RESULT = """
for word; do
  case $word in
    --junitxml=*) echo "$JUNIT" >"${word#*=}" ;;
    --output-junit) next=1 ;;
    *) [ -z "$next" ] || echo "$JUNIT" >"$word"; next= ;;
  esac
done
"""


def junit(*cases: str) -> str:
    """A file of test results with these skipped tests."""
    return f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"


def skipped(reason: str) -> str:
    """A test that pytest skipped for this reason."""
    return f'<testcase classname="file" name="test_x"><skipped message="{reason}">x</skipped></testcase>'


def run_tiers(
    folder: Path, *tiers: str, failing: str = "", results: str = junit()
) -> tuple[int, list[str], str]:
    """Exit code, standard output (as lines) and errors of scripts/test.

    Its substitute programs print their arguments and write `results`.
    """
    for name in ("scripts/lint", ".venv/bin/cmake", ".venv/bin/ctest", ".venv/bin/pytest"):
        program = folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        words = f'echo "ran {program.name} $*"\n[ "{program.name} $1 $2 $3" != "{failing}" ]\n'
        program.write_text(f"#!/bin/sh\n{WRITE_RESULT}{words}")
        program.chmod(0o755)
    shutil.copy(SCRIPT.with_name("skips.py"), folder / "scripts")
    script = shutil.copy(SCRIPT, folder / "scripts")
    environment = os.environ | {"JUNIT": results}
    done = subprocess.run([script, *tiers], env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


def table(lines: list[str]) -> list[str]:
    """The names of the tiers in the table of durations."""
    rows = lines[lines.index("== seconds per tier") + 1 : lines.index("== skipped tests")]
    assert all(re.fullmatch(r"\w+ +\d+", row) for row in rows)
    return [row.split()[0] for row in rows]


def test_the_quick_tiers_run_in_order_and_each_has_its_seconds(tmp_path):
    code, lines, errors = run_tiers(tmp_path)
    assert (code, errors) == (0, "")
    headings = [line.removeprefix("== ") for line in lines if line.startswith("== ")]
    rest = ["seconds per tier", "skipped tests", "not run: the thorough tiers (make test-all)"]
    assert headings == [*QUICK, *rest]
    assert table(lines) == QUICK


@pytest.mark.parametrize(
    ("failing", "tier"),
    [
        ("lint   ", "lint"),
        ("cmake --build --preset native", "native"),
        ("pytest --junitxml=build/test-results/quick.xml --quick tests/mpi", "quick"),
    ],
)
def test_the_first_tier_that_fails_ends_the_run_and_is_named(tmp_path, failing, tier):
    code, lines, errors = run_tiers(tmp_path, failing=failing)
    assert code == 1
    assert table(lines) == QUICK[: QUICK.index(tier) + 1]
    assert errors == f"test: tier {tier} failed; alone:  scripts/test {tier}\n"


def test_a_skip_for_something_that_setup_installs_fails_the_run(tmp_path):
    code, lines, errors = run_tiers(tmp_path, "unit", results=junit(skipped("lmp not found")))
    assert code == 1
    assert "   1  lmp not found  <- scripts/setup installs this" in lines
    assert errors == "test: skipped what scripts/setup installs; see the list above\n"


def test_ci_runs_every_tier():
    known = re.search(r"^known=\((.*)\)", SCRIPT.read_text(), re.MULTILINE)[1].split()
    assert known == QUICK + THOROUGH
    ci = (ROOT / ".ci" / "run").read_text()
    assert "make test\n" in ci
    assert f"scripts/test {' '.join(THOROUGH)}\n" in ci


def test_every_folder_with_tests_is_in_a_tier():
    places = ("tests/*/test_*.py", "laboratory/tests/*/test_*.py")
    folders = {named(path.parent) for place in places for path in ROOT.glob(place)}
    assert folders == set(re.findall(r"(?:\blaboratory/)?\btests/\w+", SCRIPT.read_text()))
