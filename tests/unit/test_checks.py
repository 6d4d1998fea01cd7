"""Checks: which findings are left out, and what a long text keeps. Traps: test_check_texts.py."""

from __future__ import annotations

from check_cases import HOSTS, asked, plain, situation
from corewise.checks import CHECKS, findings


def test_a_trap_that_follows_from_another_is_left_out():
    pile = situation(
        plain(), asked("openmpi4", "LAUNCHER -np 1 --cpu-set 1 ./one : -np 1 --cpu-set 0 ./two"), [{1}] * 2
    )
    assert CHECKS["shared-cores"].look(pile)
    assert [check.name for check, _ in findings(pile)] == ["cores-not-given"]


def test_a_launcher_s_long_text_keeps_its_beginning_and_its_end():
    printed = " ".join(f"word{i}" for i in range(200))
    where = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app", exit_code=1, printed=printed))
    [finding] = CHECKS["launcher-refuses"].look(where)
    assert "printed: word0 word1 " in finding.found
    assert " word39 ... word160 " in finding.found
    assert finding.found.endswith(" word199")


def test_a_host_counts_its_cores_whatever_they_are_called():
    hybrid = HOSTS["hybrid"]
    assert hybrid.first_threads(hybrid.allowed) == [0, 8, 16, 18, 20, 22]
    assert hybrid.cores_of(frozenset({9, 18})) == [1, 3]
    assert len(HOSTS["offline"].online) == 12
