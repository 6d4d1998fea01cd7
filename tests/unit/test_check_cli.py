"""`corewise check`: what it prints, and that it says on a terminal what takes so long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from check_cases import asked, plain, situation
from corewise.checks import look
from corewise.checks.situation import Situation
from corewise.cli import check
from corewise.errors import InputError
from corewise.execute.seen_masks import RankMask

CLEAN = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app"), [{0}, {1}])
UNSEEN = situation(
    plain(),
    asked("openmpi4", "LAUNCHER -n 2000 --oversubscribe ./app", unseen="2000 ranks; at most 256 are started"),
)


@pytest.fixture
def run(monkeypatch, capsys) -> Callable[..., tuple[int, str]]:
    def of(where: Situation, *words: str) -> tuple[int, str]:
        monkeypatch.setattr(look, "situation_of", lambda argv: where)
        code = check.command.main([*words, "--", "mpirun", "./app"], standalone_mode=False)
        return code, capsys.readouterr().out

    return of


def test_a_command_that_was_not_started_is_not_called_right(run):
    assert run(UNSEEN) == (
        0,
        "No trap found, but masks were not checked: the command was looked at as it is written; "
        "no rank was seen (2000 ranks; at most 256 are started).\n",
    )
    code, text = run(UNSEEN, "--json")
    assert (code, json.loads(text)) == (0, {"findings": [], "ranks": [], "unseen": UNSEEN.asked.unseen})


def test_a_clean_command_says_what_was_looked_at(run):
    assert run(CLEAN) == (
        0,
        "Nothing wrong: 2 ranks looked at, with hardware threads (os_index) 0: 0, 1: 1.\n",
    )
    assert json.loads(run(CLEAN, "--json")[1])["unseen"] is None


def test_a_terminal_shows_that_the_launcher_is_started(run, monkeypatch):
    shown: list[str] = []

    @contextmanager
    def status_line() -> Iterator[Callable[[str], None]]:
        yield shown.append

    monkeypatch.setattr(check, "status_line", status_line)
    run(CLEAN)
    assert shown == ["check: starting the launcher to see the mask of each rank"]


def test_a_rank_on_a_host_that_the_command_doesn_t_name_says_where_to_name_it():
    elsewhere = RankMask(0, "far", "id of far", "", ["192.0.2.1"], frozenset({0}))
    with pytest.raises(InputError, match=r"on far, .* name it in .*-H or --hostfile"):
        look._seen(CLEAN.asked.application, [elsewhere], plain())
