"""laboratory/benchmarks/truth: the numbers in its tables and stored errors, for synthetic times."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from corewise.errors import InputError
from corewise.files.model_errors import read_model_errors

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "truth"
NAMES = ("accuracy", "errors", "judge", "predictors", "programs", "sides", "store")


@pytest.fixture
def truth(monkeypatch) -> dict[str, ModuleType]:
    """The benchmark's modules by name. They are removed from sys.modules afterwards."""
    monkeypatch.syspath_prepend(BENCHMARK)
    found = {name: __import__(name) for name in NAMES}
    yield found
    for name in NAMES:
        del sys.modules[name]


def measured(truth, times: dict[str, list[float]]):
    """A program with these times by placement."""
    store = truth["store"]
    placements = [store.MeasuredPlacement([name], [0, 0, 1, 1], times_s) for name, times_s in times.items()]
    return store.Truth("some", "pe1550:2", "p2p", "2026-11-27", 2, True, placements)


def predicted(truth, values: list[float]):
    """Predictions of these values, with the resulting gains over the first."""
    Prediction = truth["predictors"].Prediction
    return [Prediction((value,), 1 - value / values[0]) for value in values]


# Medians 10, 8 and 5. The intervals don't overlap.
TIMES = {"block": [10.0, 10.1, 9.9], "b": [8.0, 8.1, 7.9], "c": [5.0, 5.1, 4.9]}


@pytest.mark.parametrize(
    ("values", "right", "tied", "errors", "near"),
    [
        ([10.0, 8.0, 5.0], 3, 0, [0.0, 0.0], 2),
        # block and b are not told apart; c is predicted slower than both, but is faster
        ([10.0, 10.0, 12.0], 0, 1, [0.2, 0.7], 0),
    ],
)
def test_pairs_in_the_right_order_and_errors_of_gains_are_counted(truth, values, right, tied, errors, near):
    found = truth["accuracy"].accuracy(measured(truth, TIMES), predicted(truth, values))
    assert (found.n_pairs, found.n_right, found.n_tied, found.n_near) == (3, right, tied, near)
    assert found.gain_errors == pytest.approx(errors)


def test_each_choice_costs_what_it_takes_above_the_fastest_placement_that_ran(truth):
    of = measured(truth, TIMES)
    assert truth["accuracy"].above_best(of, {0: 10.0, 1: 8.0, 2: 5.0}) == pytest.approx(
        {"block": 1.0, "b": 0.6, "c": 0.0}
    )
    assert truth["accuracy"].above_best(of, {0: 10.0, 1: 8.0}) == pytest.approx({"block": 0.25, "b": 0.0})


def test_pairs_within_their_spread_are_not_counted(truth):
    times = {"block": [10.0, 9.0, 11.0], "b": [9.5, 8.5, 10.5]}
    found = truth["accuracy"].accuracy(measured(truth, times), predicted(truth, [1.0, 2.0]))
    assert (found.n_pairs, found.n_right) == (0, 0)


def test_scores_of_several_values_are_compared_by_the_first_that_differs(truth):
    Prediction = truth["predictors"].Prediction
    predictions = [Prediction((2.0, 9.0)), Prediction((2.0, 8.0)), Prediction((1.0, 99.0))]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), predictions)
    assert (found.n_right, found.spearman) == (3, pytest.approx([1.0]))


def test_intervals_of_times_and_of_gains_are_held_against_their_own_figure(truth):
    Prediction, Interval = truth["predictors"].Prediction, truth["predictors"].Interval
    times = [Prediction((1.0,), 0.0, Interval(9.0, 9.5, 10.5, 0.8)) for _ in TIMES]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), times)
    assert (found.n_covered, found.n_intervals) == (1, 3)  # 10 alone
    gains = [Prediction((1.0,), 0.2, Interval(0.1, 0.2, 0.3, 0.8), of_gain=True) for _ in TIMES]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), gains)
    assert (found.n_covered, found.n_intervals) == (1, 2)  # 0.2 alone; block order has no gain


def test_bounds_of_errors_leave_a_tenth_out_on_each_side(truth):
    # Of 20 values the bounds leave out 2 below and 2 above. The range includes 1.
    Found = truth["errors"].Found
    assert Found({"some": [i / 10 for i in range(1, 21)]}).bounds() == (0.3, 1.8)
    assert Found({"some": [2.0] * 19}).bounds() == (1.0, 2.0)


def test_every_program_weighs_alike_in_the_bounds(truth):
    # b's one value has half of the weight, so b's bound is above all values of a.
    found = truth["errors"].Found({"a": [0.5] * 99, "b": [3.0]})
    assert found.bounds() == (0.5, 3.0)
    assert found.n_found == 100


@pytest.mark.parametrize(
    ("times_s", "expected_s", "errors"),
    [
        # block over b: expected 4, measured 2; block over c: 3.9 and 1.25; c over b: 1.025 and 1.6
        ([10.0, 5.0, 8.0], [16.0, 4.0, 4.1], [2 / 4, 1.25 / (16 / 4.1), 1.6 / 1.025]),
        ([10.0, 8.0], [2.0, 2.0], [1.25, 0.8]),  # expected to be equal: both ratios
        ([10.0, 20.0], [4.0, 2.0], [0.5 / 2]),  # measured the other way round
    ],
)
def test_errors_of_gains_are_of_the_time_expected_to_be_longer_over_the_other(
    truth, times_s, expected_s, errors
):
    times = {name: [time_s] for name, time_s in zip(TIMES, times_s, strict=False)}
    judged = [(measured(truth, times), {"time (run)": predicted(truth, expected_s)})]
    assert truth["errors"].found_errors(judged)["gain"].of_program == {"some": pytest.approx(errors)}


def test_ranks_that_share_a_processor_say_nothing_of_makespans(truth):
    said = {"estimate": predicted(truth, [16.0, 4.0, 4.1])}
    shared = measured(truth, TIMES)
    assert truth["errors"].found_errors([(shared, said)]) == {}
    found = truth["errors"].found_errors([(replace(shared, n_processors=4), said)])
    assert found["makespan"].of_program == {"some": pytest.approx([10 / 16, 8 / 4, 5 / 4.1])}


def test_what_others_bounds_hold_of_a_program_is_counted_without_it(truth):
    # Measured over estimated: 1, 1.1 and 3. With two programs the bounds are their values and 1.
    judged = []
    for name, time_s in {"a": 1.0, "b": 1.1, "c": 3.0}.items():
        program = replace(measured(truth, {"block": [time_s]}), program=name, n_processors=4)
        judged.append((program, {"estimate": predicted(truth, [1.0])}))
    assert truth["errors"].covered_by_others(judged) == {"makespan": {"a": 1.0, "b": 1.0, "c": 0.0}}


def test_without_a_predictor_there_are_no_errors_of_it(truth, tmp_path):
    judged = [(measured(truth, TIMES), {})]
    assert truth["errors"].found_errors(judged) == {}
    with pytest.raises(InputError, match="no program has errors of gains; expected .* time .run."):
        truth["errors"].write_errors(tmp_path / "errors.toml", judged, "here")


def test_errors_are_written_as_they_are_read(truth, tmp_path):
    judged = [
        (
            replace(measured(truth, TIMES), n_processors=4),
            {name: predicted(truth, [16.0, 4.0, 4.1]) for name in ("estimate", "time (run)")},
        )
    ]
    truth["errors"].write_errors(tmp_path / "errors.toml", judged, "here")
    read = read_model_errors(tmp_path / "errors.toml")
    assert (read.confidence, read.makespan.programs) == (0.8, ["some"])
    assert (read.makespan.n_found, read.gain.n_found) == (3, 3)


def stored(truth, tmp_path, **others: object):
    """A traced program with two placements.

    Block order has two runs on the idle machine and one on a busy machine. The only run of the other
    placement failed.
    """
    store = truth["store"]
    placements = [
        store.MeasuredPlacement(["block"], [0, 0, 1, 1]),
        store.MeasuredPlacement(["b", "c"], [0, 1, 0, 1]),
    ]
    found = replace(measured(truth, {}), placements=placements, **others)
    profile = tmp_path / "profile"
    profile.write_text("events")
    store.save(tmp_path / "data", found, profile)
    for label, time_s, used in (
        ("block", 10.0, 0.1),
        ("block", 10.5, 0.1),
        ("block", 11.0, 1.5),
        ("b = c", None, 0.0),
    ):
        run = store.Timed(label, time_s, "2026-11-27", 16.0, used, 2)
        store.add_run(tmp_path / "data", found, run)
    return found


def test_runs_next_to_other_programs_count_only_where_they_are_asked_for(truth, tmp_path):
    store, found = truth["store"], stored(truth, tmp_path)
    (idle,), (every,) = store.load(tmp_path / "data"), store.load(tmp_path / "data", idle=False)
    assert (idle.baseline.times_s, idle.n_busy) == ([10.0, 10.5], 1)
    assert (every.baseline.times_s, every.n_busy) == ([10.0, 10.5, 11.0], 0)
    assert [one.n_failed for one in every.placements] == [0, 1]
    assert replace(idle, placements=found.placements, n_busy=0) == found


def test_runs_of_another_day_than_the_trace_do_not_count(truth, tmp_path):
    store, found = truth["store"], stored(truth, tmp_path)
    store.add_run(tmp_path / "data", found, store.Timed("block", 5.0, "2026-11-28", 16.0, 0.0, 2))
    (idle,) = store.load(tmp_path / "data")
    assert idle.baseline.times_s == [10.0, 10.5]


def test_a_placement_with_a_single_run_has_no_time(truth):
    store = truth["store"]
    runs = [store.Timed(label, 10.0, "2026-11-27", 16.0, 0.0, 2) for label in ("once", "twice", "twice")]
    found = [store.MeasuredPlacement.of([name], [0, 0, 1, 1], runs).times_s for name in ("once", "twice")]
    assert found == [[], [10.0, 10.0]]


def test_a_program_that_was_traced_next_to_other_programs_has_no_runs_of_an_idle_machine(truth, tmp_path):
    stored(truth, tmp_path, is_idle=False)
    (idle,) = truth["store"].load(tmp_path / "data")
    assert (idle.n_ran, idle.n_busy) == (0, 4)


def test_a_profile_is_unpacked_for_as_long_as_it_is_read(truth, tmp_path):
    found = stored(truth, tmp_path)
    with truth["store"].profile_of(tmp_path / "data", found) as profile:
        assert profile.read_text() == "events"
    assert not profile.exists()


# Fixed on 2026-11-27, before anything was measured by this rule. Only add to these lists.
FITTED = {
    *("amg", "binomial", "fftw", "hpcg", "hpl", "lammps", "npb-cg", "npb-is", "npb-lu", "npb-mg", "random"),
    *("recursive-doubling", "ring", "snap"),
}
HELD_OUT = {
    *("cloverleaf", "comd", "gromacs", "lulesh", "miniamr", "minife", "nekbone", "npb-bt", "npb-ft"),
    *("npb-sp", "pennant", "ptrans", "quicksilver"),
}


def test_a_program_never_changes_sides(truth):
    programs = set(truth["programs"].PROGRAMS)
    assert {name for name in programs if not truth["sides"].is_held_out(name)} == FITTED
    assert {name for name in programs if truth["sides"].is_held_out(name)} == HELD_OUT
