"""Checks: every trap is found with the recorded text (checks/NAME.txt), and there is no false alarm."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from check_cases import recorded_cases, situation_of
from corewise.checks import CHECKS, Finding, findings
from corewise.launchers import Launcher
from golden_files import compare_with_golden, goldens_are_of

FOLDER = Path(__file__).parent / "checks"
TRAPS = recorded_cases("trap")
CLEAN = {case["name"]: situation_of(case) for case in recorded_cases("clean")}


def text_of(case: dict) -> str:
    """The case, and its findings with all proposed commands."""
    given = {key: value for key, value in case.items() if key != "check"}
    lines = ["== " + ", ".join(f"{key}: {value}" for key, value in given.items())]
    for finding in CHECKS[case["check"]].look(situation_of(case)):
        lines += [finding.found, f"  why      {finding.why}", f"  do       {finding.do}"]
        lines += [f"  command  {command}" for command in proposals(finding)]
        lines += [f"  rankfile {line}" for line in finding.rankfile]
    return "\n".join(lines) + "\n"


def proposals(finding: Finding) -> list[str]:
    return [command for command in (finding.command, *finding.otherwise) if command]


@pytest.mark.parametrize("name", CHECKS)
def test_a_trap_is_found_as_written_down(name):
    cases = [case for case in TRAPS if case["check"] == name]
    assert cases and all(len(CHECKS[name].look(situation_of(case))) == 1 for case in cases)
    compare_with_golden("\n".join(map(text_of, cases)), FOLDER / f"{name}.txt")


def test_no_golden_is_left_of_a_check_that_is_gone():
    goldens_are_of(FOLDER, CHECKS)


@pytest.mark.parametrize("case", CLEAN)
def test_there_is_no_false_alarm(case):
    assert [(check.name, finding.found) for check, finding in findings(CLEAN[case])] == []


OWN_WORDS = ("-bind-to", "--bind-to", "--cpu-bind", "--cpus-per-task", "--map-by", "-rf", "-genv", "-x")


@pytest.mark.parametrize(
    "case", [case for case in TRAPS if "command" in case], ids=lambda case: case["check"]
)
def test_nothing_is_proposed_in_words_that_the_launcher_does_not_have(case):
    where = situation_of(case)
    application = where.asked.application
    known = application.launcher
    bare = Launcher(known.name, known.sentence, known.families, known.plan, options=known.options)
    asked = replace(where.asked, application=replace(application, launcher=bare))
    for finding in CHECKS[case["check"]].look(replace(where, asked=asked)):
        for proposal in proposals(finding):
            own = [word for word in shlex.split(proposal) if word.startswith(OWN_WORDS)]
            assert set(own) <= set(application.argv), proposal
