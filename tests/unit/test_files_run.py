"""Run: whether its bindings are verified, which runs repeat each other, and its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corewise.files.table import Table
from corewise.nouns.run import RankBinding, Run, RunKey, all_verified, by_key, key_names


def run(label: str = "best", source: str = "measured", ranks: tuple[RankBinding, ...] = ()) -> Run:
    return Run(label, ["app"], source, list(ranks), 1.0, None, None, 0)


def run_of(document: dict) -> Run:
    """The run in a document, after it was written as JSON and read again."""
    return Run.from_table(Table(Path("run.json"), "", json.loads(json.dumps(document))))


RIGHT = RankBinding(0, "here", "here", [0], [0])
WRONG = RankBinding(0, "here", "here", [0], [1])
ELSEWHERE = RankBinding(0, "there", "here", [0], [0])


@pytest.mark.parametrize(
    ("ranks", "verified"), [((), None), ((RIGHT,), True), ((RIGHT, WRONG), False), ((ELSEWHERE,), False)]
)
def test_a_run_without_ranks_is_neither_verified_nor_not_and_stays_so_in_its_file(ranks, verified):
    document = run(ranks=ranks).to_json()
    assert document["verified"] is verified
    assert run_of(document).verified is verified


def test_a_simulation_has_no_bindings_that_could_be_verified():
    simulated = run(source="simulated")
    assert all_verified([simulated]) is None
    assert all_verified([run(ranks=(RIGHT,)), simulated]) is True


@pytest.mark.parametrize(
    ("states", "together"),
    [
        ((), None),
        (((RIGHT,), (RIGHT,)), True),
        (((RIGHT,), ()), None),
        (((RIGHT,), (), (WRONG,)), False),
    ],
)
def test_one_unknown_run_leaves_all_of_them_unknown_and_one_wrong_run_does_not(states, together):
    assert all_verified(run(ranks=ranks) for ranks in states) is together


def test_runs_of_one_label_are_repeats_only_where_their_source_is_the_same():
    runs = [run("best"), run("best", "simulated"), run("best"), run("worst")]
    assert by_key(runs) == {
        RunKey("best", "measured"): [runs[0], runs[2]],
        RunKey("best", "simulated"): [runs[1]],
        RunKey("worst", "measured"): [runs[3]],
    }
    assert list(key_names(by_key(runs)).values()) == ["best (measured)", "best (simulated)", "worst"]
