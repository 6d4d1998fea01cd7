"""The notes of a tune: each is there when it must be, and only then."""

from __future__ import annotations

from corewise.files.run import RankBinding, Run
from corewise.files.tune import Candidate
from corewise.model import Placement, make_tree_machine
from corewise.report.notes import condition_notes, interruption_note

TWO_CORES = make_tree_machine([2], [])


def run(masks: list[list[int]]) -> Run:
    ranks = [RankBinding(rank, "here", None, mask) for rank, mask in enumerate(masks)]
    return Run("x", ["app"], "measured", ranks, 1.0, 1.0, 0.1, 0)


def candidates(cores: list[int], default: Run, best: Run) -> list[Candidate]:
    place = Placement.from_cores(cores)
    return [Candidate(label, place, {}, [], [runs]) for label, runs in (("default", default), ("best", best))]


BOUND = run([[0], [1]])


def test_a_plain_tune_says_what_the_default_is_and_no_more():
    assert condition_notes("the default is bound", TWO_CORES, candidates([0, 1], BOUND, BOUND), True) == [
        "The default is bound."
    ]


def test_shared_cores_and_another_machine_are_told():
    text = " ".join(condition_notes("x", TWO_CORES, candidates([0, 0, 1], BOUND, BOUND), is_here=False))
    assert "3 ranks share 2 cores" in text
    assert "nothing was run under a placement" in text


def test_an_interruption_is_told_with_the_runs_that_had_ended():
    cut = candidates([0, 1], BOUND, BOUND)
    cut[1].runs.clear()
    assert interruption_note(cut).endswith("of the runs that had ended (1 of default, 0 of best).")
