"""scripts/test: order of the tiers, messages after a failure, skipped tests; every test is in a tier."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
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


# as CTest reports a skipped test of GoogleTest
BY_CTEST = (
    '<testcase name="A.b" classname="A.b" status="notrun">'
    '<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
    "<system-out>Running\n/x/a_test.cpp:9: Skipped\nneeds four PUs; this process may use 2\n</system-out>"
    "</testcase>"
)


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


def test_tiers_that_are_named_run_alone(tmp_path):
    code, lines, _ = run_tiers(tmp_path, "tsan", "lint")
    assert code == 0
    assert table(lines) == ["tsan", "lint"]
    given, at_once = "--sanitized tsan tests/mpi", f"-n {len(os.sched_getaffinity(0)) + 1}"
    assert [line for line in lines if line.startswith("ran pytest")] == [
        f"ran pytest --junitxml=build/test-results/tsan-mpi.xml {given} -m not alone {at_once}",
        f"ran pytest --junitxml=build/test-results/tsan-mpi-alone.xml {given} -m alone",
    ]


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


def collected(*options: str) -> set[str]:
    """The tests of two files with these options of pytest."""
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-o", "addopts=", *options]
    files = ["tests/mpi/test_trace.py", "tests/mpi/test_verify.py"]
    done = subprocess.run([*words, *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^tests/mpi/.+", done.stdout, re.MULTILINE))


def test_quick_and_the_rest_are_all_tests_and_none_twice():
    quick, rest = collected("--quick"), collected("--rest")
    assert len(quick) == 2
    assert quick & rest == set()
    assert quick | rest == collected()


def test_an_unknown_tier_is_refused_with_those_there_are(tmp_path):
    code, lines, errors = run_tiers(tmp_path, "lint", "fuzz")
    assert (code, lines) == (2, [])
    assert errors == f"test: found 'fuzz'; expected some of {' '.join(QUICK + THOROUGH)}\n"


def test_a_test_that_this_machine_cannot_run_is_listed_with_its_reason(tmp_path):
    code, lines, errors = run_tiers(tmp_path, "unit", results=junit(skipped("needs two cores")))
    assert (code, errors) == (0, "")
    assert lines[lines.index("== skipped tests") + 1 :] == [
        "   1  needs two cores",
        "        unit: file::test_x",
        "1 skipped tests, 1 reasons",
    ]


def test_a_skip_for_something_that_setup_installs_fails_the_run(tmp_path):
    code, lines, errors = run_tiers(tmp_path, "unit", results=junit(skipped("lmp not found")))
    assert code == 1
    assert "   1  lmp not found  <- scripts/setup installs this" in lines
    assert errors == "test: skipped what scripts/setup installs; see the list above\n"


def test_the_reason_of_a_skipped_c_test_is_what_it_printed(tmp_path):
    code, lines, _ = run_tiers(tmp_path, "asan", results=junit(BY_CTEST))
    assert code == 0
    # each of the tier's three programs writes these results
    assert "   3  needs four PUs; this process may use 2" in lines


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
