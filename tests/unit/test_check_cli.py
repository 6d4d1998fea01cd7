"""`corewise check`: what it prints, and that a terminal shows what it is waiting for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from check_cases import asked, plain, situation
from corewise.checks import discovery, findings
from corewise.checks.corrected import tried
from corewise.checks.situation import Situation
from corewise.cli import check
from corewise.errors import InputError
from corewise.observe.seen_masks import RankMask
from corewise.start.program_file import ProgramFile

CLEAN = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app"), [{0}, {1}])
UNSEEN = situation(
    plain(),
    asked("openmpi4", "LAUNCHER -n 2000 --oversubscribe ./app", unseen="2000 ranks; at most 256 are started"),
)


@pytest.fixture
def run(monkeypatch, capsys) -> Callable[..., tuple[int, str]]:
    def of(where: Situation, *words: str) -> tuple[int, str]:
        monkeypatch.setattr(discovery, "situation_of", lambda argv: where)
        code = check.command.main([*words, "--", "mpirun", "./app"], standalone_mode=False)
        return code, capsys.readouterr().out

    return of


def test_a_command_that_was_not_started_is_not_called_right(run):
    assert run(UNSEEN) == (
        0,
        "No trap found, but masks were not checked: the command was checked as written; "
        "no rank was seen (2000 ranks; at most 256 are started).\n",
    )
    code, text = run(UNSEEN, "--json")
    assert (code, json.loads(text)) == (
        0,
        {"format": "corewise-check", "version": 1}
        | {"findings": [], "ranks": [], "unseen": UNSEEN.asked.unseen, "notes": []},
    )


def test_a_clean_command_says_what_was_looked_at(run):
    assert run(CLEAN) == (
        0,
        "Nothing wrong: 2 ranks checked (hardware threads by os_index: rank 0 on 0, rank 1 on 1).\n",
    )
    assert json.loads(run(CLEAN, "--json")[1])["unseen"] is None


def test_ranks_of_several_hosts_have_the_host_beside_them(run):
    where = situation(plain(), asked("srun", "LAUNCHER -n 2 ./app", ["n0", "n1"]), [{0}, {0}], [0, 1])
    assert run(where) == (
        0,
        "Nothing wrong: 2 ranks on 2 hosts checked "
        "(hardware threads by os_index: rank 0 on n0:0, rank 1 on n1:0).\n",
    )


def test_a_script_in_the_program_s_place_is_told_not_to_have_been_looked_at(run):
    script = ProgramFile(is_script=True, binds_by="taskset")
    where = situation(plain(), asked("hydra", "LAUNCHER -n 2 ./bind.sh ./app", files=[script]), [{0}, {1}])
    code, text = run(where)
    assert (code, text.splitlines()[1]) == (
        0,
        "'./bind.sh' is a script, which check doesn't start: its binding was not checked. "
        "It names taskset. `corewise run` and `corewise tune` see the masks that its program ends up with.",
    )
    assert json.loads(run(where, "--json")[1])["notes"] == [text.splitlines()[1]]


def test_a_shell_in_the_program_s_place_is_called_a_shell(run):
    shell = ProgramFile(is_script=True)
    where = situation(plain(), asked("hydra", "LAUNCHER -n 1 /bin/bash -c ./app", files=[shell]), [{0}])
    assert "'/bin/bash' is a shell, which check doesn't start: its binding was not" in run(where)[1]


def test_a_command_is_proposed_only_if_it_was_seen_to_start_every_rank_without_the_trap():
    trap = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 taskset -c 0 ./app"), [{0}, {0}])
    clean = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app", exit_code=0), [{0}, {1}])
    refused = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app", exit_code=1))
    half = situation(plain(), asked("openmpi4", "LAUNCHER -n 2 ./app", exit_code=0), [{0}])
    [(check, finding)] = findings(trap)
    two = [(check, replace(finding, command="first", otherwise=("second",)))]

    def chosen(*seen: Situation) -> str | None:
        answers = iter(seen)
        [(_, found)] = tried(two, trap, lambda argv: next(answers), findings)
        return found.command

    assert chosen(clean) == "first"
    assert chosen(refused, clean) == "second"
    assert chosen(half, clean) == "second"
    assert chosen(replace(trap, asked=replace(trap.asked, exit_code=0)), clean) == "second"
    assert chosen(refused, refused) is None


def test_a_proposal_with_a_rankfile_is_tried_with_it_and_writes_it_first():
    words = "LAUNCHER -n 2 --bind-to cpu-list:ordered --cpu-list 3,1 ./app"
    trap = situation(plain(), asked("openmpi5", words), [{1}, {3}])
    clean = situation(plain(), asked("openmpi5", "LAUNCHER -n 2 ./app", exit_code=0), [{3}, {1}])
    read: list[str] = []

    def start(argv: list[str]) -> Situation:
        read.append(Path(argv[2].removeprefix("rankfile:file=")).read_text())
        return clean

    [(_, found)] = tried(findings(trap), trap, start, findings)
    assert read == ["rank 0=n0 slot=3\nrank 1=n0 slot=1\n"]
    assert found.command == (
        "printf '%s\\n' 'rank 0=n0 slot=3' 'rank 1=n0 slot=1' >corewise.rankfile && "
        "mpirun --map-by rankfile:file=corewise.rankfile -n 2 ./app"
    )


def test_what_is_found_without_a_command_keeps_its_example():
    where = situation(plain(), GOMP_CPU_AFFINITY="0-3")
    found = findings(where)
    assert tried(found, where, lambda argv: pytest.fail("nothing is started"), findings) == found


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
        discovery._seen(CLEAN.asked.application, [elsewhere], plain())
