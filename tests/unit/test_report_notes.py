"""The notes of a tune: each appears exactly when it applies."""

from __future__ import annotations

from corewise.model import Assignment, make_tree_machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import RankBinding, Run
from corewise.nouns.tune_result import Candidate
from corewise.page.notes import condition_notes, interruption_note, thread_count_notes
from msgspec import structs

TWO_CORES = make_tree_machine([2], [])


def run(masks: list[list[int]]) -> Run:
    ranks = [RankBinding(rank, "here", None, None, mask) for rank, mask in enumerate(masks)]
    return Run("x", ["app"], "measured", ranks, 1.0, 1.0, 0.1, 0)


def candidates(cores: list[int], default: Run, best: Run) -> list[Candidate]:
    placement = Placement.of(Assignment.from_cores(cores), TWO_CORES)
    return [
        Candidate(label=label, placement=placement, scores={}, link_bytes=[], runs=[runs])
        for label, runs in (("default", default), ("best", best))
    ]


BOUND = run([[0], [1]])


def test_a_plain_tune_says_what_the_default_is_and_no_more():
    assert condition_notes(["The default is bound."], TWO_CORES, candidates([0, 1], BOUND, BOUND), True) == [
        "The default is bound."
    ]


def test_shared_cores_and_another_machine_are_told():
    text = " ".join(condition_notes(["X."], TWO_CORES, candidates([0, 0, 1], BOUND, BOUND), is_here=False))
    assert "3 ranks share 2 cores" in text
    assert "nothing was run under a placement" in text


def test_an_interruption_is_told_with_the_runs_that_had_ended():
    said = interruption_note({"as-written": [BOUND], "default": [BOUND], "best": []})
    assert said.endswith("of the runs that had ended (1 of as-written, 1 of default, 0 of best).")


def test_another_number_of_threads_is_told():
    four, two = (structs.replace(BOUND, n_threads=count, n_threads_without_core=0) for count in (4, 2))
    (said,) = thread_count_notes(four, two)
    assert "had 4 threads in the default run and 2 under the best placement" in said
    assert thread_count_notes(two, two) == []
    assert thread_count_notes(None, two) == []
    assert thread_count_notes(BOUND, two) == []
