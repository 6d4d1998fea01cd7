"""The headline of a tune: the measured gain decides and judges the prediction; settings are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from corewise.files.tune import TuneResult, Width
from corewise.report.headline import headline
from report_cases import REPEATS, tune_result

# report_cases predicts 11 % (4 % to 18 %); the default's median is 10.15 s.
SPREAD = [0.0, 0.1, -0.1, 0.3, 0.0, 0.05]


def measured(best_s: float, n_repeats: int = 6, matters: str = "yes") -> TuneResult:
    times = REPEATS | {"best": [best_s + extra for extra in SPREAD]}
    return tune_result(times_s={label: of[:n_repeats] for label, of in times.items()}, matters=matters)


@pytest.mark.parametrize(
    ("best_s", "conclusion", "answer", "prediction"),
    [
        (9.0, "best is faster", "The placement found is faster than the default", "which agrees"),
        (5.0, "best is faster", "The placement found is faster than the default", "refutes it"),
        (14.0, "default is faster", "Keep the default", "refutes it"),
        (10.1, "too short to tell", "Too short to tell", "The model predicted 11.0 %"),
    ],
)
def test_the_measured_gain_decides_whatever_was_predicted(best_s, conclusion, answer, prediction):
    for matters in ("yes", "no", "unsure"):
        said = headline(measured(best_s, matters=matters))
        assert said.conclusion == conclusion
        assert said.answer.startswith(answer)
        assert prediction in said.reasons[0]


def test_a_gain_between_narrow_bounds_around_zero_makes_no_difference():
    times = {"default": [10.0] * 6, "best": [10.0] * 5 + [10.05], "worst": [10.0] * 6}
    said = headline(tune_result(times_s=times))
    assert said.conclusion == "no difference"
    assert "refutes it" in said.reasons[0]  # at least 4 % was predicted


def test_three_runs_of_each_are_no_certainty():
    said = headline(measured(5.0, n_repeats=3))
    assert said.answer.startswith("Probably, from only 3 runs of each: the placement found is faster")
    assert headline(measured(5.0, n_repeats=1)).conclusion == "too short to tell"


def test_without_runs_the_prediction_speaks_and_says_that_it_is_one():
    said = headline(tune_result(matters="no"))
    assert (said.conclusion, said.answer) == (
        "not measured",
        "Placement is predicted not to matter here: leave it alone.",
    )


def test_a_default_as_good_as_the_best_found_is_kept_where_nothing_was_run():
    result = tune_result(matters="yes")
    result.advice.gain = replace(result.advice.gain, low=0.0, expected=0.0, high=0.0)
    assert "keep it" in headline(result).answer


def test_ranks_that_were_free_to_move_explain_more_than_was_predicted():
    result = measured(5.0)
    for run in result.candidate("default").runs:
        run.ranks[:] = [replace(rank, os_pus_seen=list(range(8))) for rank in run.ranks]
    assert "binding them has an effect of its own" in headline(result).reasons[0]
    assert "the model misses something" in headline(measured(5.0)).reasons[0]


def test_other_widths_are_told_by_their_gain_over_the_same_placement():
    # best: about 9 s. package: 8 s, 1 - 8/9.025 = 11.4 %; default 10.15 s, free 20 s: 1 - 20/10.15 = -97 %.
    result = measured(9.0)
    best, default = result.candidate("best").runs, result.candidate("default").runs
    wide = [replace(run, label="best-package", app_s=8.0) for run in best]
    free = [replace(run, label="default-none", app_s=20.0) for run in default]
    result = replace(result, widths=[Width("best", "package", wide), Width("default", "none", free)])
    package, none = (reason for reason in headline(result).reasons if "compared above" in reason)
    assert "bound with --binding package is faster" in package and "11.4 %" in package
    assert package.endswith(
        "1 - t_best-package / t_best. To use it: corewise run --placement best.json --binding package."
    )
    assert "free on their nodes is slower" in none and "-97" in none.replace("\N{MINUS SIGN}", "-")


def test_the_effect_of_a_setting_is_told_apart_from_that_of_the_placement():
    # As written 40 s, with the setting 10.15 s: 1 - 10.15/40 = 74.6 %; of the placement 1 - 9.025/10.15.
    result = measured(9.0)
    as_written = [replace(run, label="as-written", app_s=40.0) for run in result.candidate("default").runs]
    result = replace(result, settings=["--mca", "mpi_yield_when_idle", "1"], as_written=as_written)
    said = headline(result)
    assert "measured gain 11.1 %" in said.answer
    assert "`--mca mpi_yield_when_idle 1`" in said.reasons[-1]
    assert "74.6 %" in said.reasons[-1] and "1 - t_default / t_as-written" in said.reasons[-1]
