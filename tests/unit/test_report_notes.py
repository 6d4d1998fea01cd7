"""The notes of a tune: each is there when it must be, and only then."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from corewise.files.run import RankBinding, Run
from corewise.files.tune import Candidate
from corewise.model import Placement, make_tree_machine
from corewise.report.notes import agreement_notes, condition_notes, interruption_note
from corewise.statistics import MeasuredGain

TWO_CORES = make_tree_machine([2], [])


def run(masks: list[list[int]]) -> Run:
    ranks = [RankBinding(rank, "here", None, mask) for rank, mask in enumerate(masks)]
    return Run("x", ["app"], "measured", ranks, 1.0, 1.0, 0.1, 0)


def candidates(cores: list[int], default: Run, best: Run) -> list[Candidate]:
    place = Placement.from_cores(cores)
    return [Candidate(label, place, {}, [], [runs]) for label, runs in (("default", default), ("best", best))]


def predicted(low: float, high: float) -> SimpleNamespace:
    return SimpleNamespace(gain=SimpleNamespace(low=low, expected=(low + high) / 2, high=high))


BOUND = run([[0], [1]])
FREE = run([[0, 1], [0, 1]])


def test_a_plain_tune_says_what_the_default_is_and_no_more():
    assert condition_notes("the default is bound", TWO_CORES, candidates([0, 1], BOUND, BOUND), True) == [
        "The default is bound."
    ]


def test_shared_cores_and_another_machine_are_told():
    text = " ".join(condition_notes("x", TWO_CORES, candidates([0, 0, 1], BOUND, BOUND), is_here=False))
    assert "3 ranks share 2 cores" in text
    assert "nothing was run under a placement" in text


@pytest.mark.parametrize(
    ("measured", "default", "words"),
    [
        ((0.1, 0.3), BOUND, []),
        ((0.3, 0.4), BOUND, ["above the predicted interval."]),
        ((0.3, 0.4), FREE, ["above the predicted interval", "binding them has an effect of its own"]),
        ((-0.4, 0.0), BOUND, ["below the predicted interval."]),
    ],
)
def test_a_measured_gain_outside_the_predicted_interval_is_told(measured, default, words):
    gain = MeasuredGain(measured[0], sum(measured) / 2, measured[1], n_repeats=3)
    notes = agreement_notes(predicted(0.05, 0.2), gain, candidates([0, 1], default, BOUND))
    assert len(notes) == (1 if words else 0)
    assert all(word in notes[0] for word in words)


def test_a_simulated_run_is_no_repeat_of_the_measured_ones():
    gain = MeasuredGain(0.3, 0.35, 0.4, n_repeats=3)
    free = candidates([0, 1], FREE, BOUND)
    free[0].runs.insert(0, replace(BOUND, source="simulated"))
    assert "binding them has an effect" in agreement_notes(predicted(0.05, 0.2), gain, free)[0]


def test_an_interruption_is_told_with_the_runs_that_had_ended():
    cut = candidates([0, 1], BOUND, BOUND)
    cut[1].runs.clear()
    assert interruption_note(cut).endswith("of the runs that had ended (1 of default, 0 of best).")


def test_a_single_repeat_says_nothing_about_agreement():
    once = MeasuredGain(0.5, 0.5, 0.5, n_repeats=1)
    assert agreement_notes(predicted(0, 0), once, candidates([0, 1], FREE, BOUND)) == []
    assert agreement_notes(predicted(0, 0), None, candidates([0, 1], FREE, BOUND)) == []
