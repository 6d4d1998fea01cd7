"""The headline of a tune: the measured gain decides, and confirms or refutes the prediction; settings."""

from __future__ import annotations

import pytest
from corewise.nouns.gain import Gain
from corewise.nouns.headline import headline
from corewise.nouns.load import Load
from corewise.nouns.run import Width
from corewise.nouns.tune_result import TuneResult
from msgspec import structs
from report_cases import REPEATS, tune_result

# report_cases predicts 11 % (4 % to 18 %).
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
        (10.1, "too short to tell", "No difference measured yet", "The model predicted 11.0 %"),
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
    assert "refutes it" in said.reasons[0]  # the prediction was at least 4 %


def test_three_runs_of_each_are_no_certainty():
    said = headline(measured(5.0, n_repeats=3))
    assert said.conclusion == "too short to tell"
    assert "75 % confidence, 3 runs of each. For a clearer answer: repeats=6." in said.answer
    assert headline(measured(5.0, n_repeats=1)).conclusion == "too short to tell"


def test_without_runs_the_prediction_speaks_and_says_that_it_is_one():
    said = headline(tune_result(matters="no"))
    assert (said.conclusion, said.answer) == (
        "not measured",
        "Placement is predicted not to matter here: keep the default.",
    )


def test_a_default_as_good_as_the_best_found_is_kept_where_nothing_was_run():
    result = tune_result(matters="yes")
    advice = structs.replace(result.advice, gain=Gain(0.0, 0.0, 0.0))
    result = structs.replace(result, advice=advice)
    assert "keep it" in headline(result).answer


def test_ranks_that_were_free_to_move_explain_more_than_was_predicted():
    result = measured(5.0)
    for run in result.candidate("default").runs:
        run.ranks[:] = [structs.replace(rank, os_pus_seen=list(range(8))) for rank in run.ranks]
    assert "binding them has a separate effect" in headline(result).reasons[0]
    assert "the model misses something" in headline(measured(5.0)).reasons[0]


def test_other_widths_are_told_by_their_gain_over_the_same_placement():
    # best: about 9.05 s, package 8 s: 1 - 8/9.05 = 11.6 %. default: about 10.2 s, free 20 s: -96 %.
    result = measured(9.0)
    best, default = result.candidate("best").runs, result.candidate("default").runs
    wide = [structs.replace(run, label="best-package", app_s=8.0) for run in best]
    free = [structs.replace(run, label="default-none", app_s=20.0) for run in default]
    result = structs.replace(result, widths=[Width("best", "package", wide), Width("default", "none", free)])
    package, none = (reason for reason in headline(result).reasons if "compared above" in reason)
    assert "bound with --binding package is faster" in package and "11.6 %" in package
    assert package.endswith(
        "1 - t_best-package / t_best. To use it: corewise run --placement best.json --binding package."
    )
    assert "free on their nodes is slower" in none and "-96" in none.replace("\N{MINUS SIGN}", "-")


def test_the_effect_of_a_setting_is_told_apart_from_that_of_the_placement():
    # As written 40 s, with the setting about 10.2 s: 1 - 10.2/40 = 74.5 %.
    result = measured(9.0)
    as_written = [
        structs.replace(run, label="as-written", app_s=40.0) for run in result.candidate("default").runs
    ]
    result = structs.replace(result, settings=["--mca", "mpi_yield_when_idle", "1"], as_written=as_written)
    said = headline(result)
    assert "measured gain 10.9 %" in said.answer
    assert "`--mca mpi_yield_when_idle 1`" in said.reasons[-1]
    assert "74.5 %" in said.reasons[-1] and "1 - t_default / t_as-written" in said.reasons[-1]


def test_a_best_placement_with_the_masks_of_the_default_is_the_default_and_nothing_is_claimed_of_it():
    result = structs.replace(tune_result(times_s=REPEATS), gain=None, same_as={"best": "default"})
    result.candidate("best").runs.clear()
    said = headline(result)
    assert said.conclusion == "default is best"
    assert said.answer.startswith("Your default already is the best placement found")
    # The worst placement ran, too: about 12.1 s, compared with 10.2 s.
    assert any(reason.startswith("The worst placement found is slower") for reason in said.reasons)
    assert not any("refutes" in reason or "binding the ranks" in reason for reason in said.reasons)


@pytest.mark.parametrize(
    ("best_s", "answer"),
    [(5.0, "Bind the ranks: bound, they are faster"), (14.0, "Keep the default: ranks that")],
)
def test_where_only_binding_differs_binding_is_what_is_told(best_s, answer):
    result = measured(best_s)
    default, best, worst = result.candidates
    result = structs.replace(
        result, candidates=[structs.replace(default, placement=best.placement), best, worst]
    )
    said = headline(result)
    assert said.answer.startswith(answer)
    assert "only binding is compared" in said.reasons[0]
    assert "refutes" not in " ".join(said.reasons)


def test_a_busy_machine_is_part_of_the_answer_and_an_idle_one_is_not():
    busy = structs.replace(measured(9.0), load=Load(before=5.7, others=1.6, n_threads=2))
    assert headline(busy).answer.endswith(
        "The machine is busy: load 5.7 on 2 hardware threads before the runs, other programs on 1.6 of them "
        "during the runs; measure again when it is idle."
    )
    assert "busy" not in headline(structs.replace(measured(9.0), load=Load(5.7, 0.1, 2))).answer
    assert "busy" in headline(structs.replace(measured(9.0), load=Load(1.0, None, 2))).answer
    assert "busy" not in headline(structs.replace(measured(9.0), load=Load(0.9, None, 2))).answer


def test_ranks_that_send_nothing_are_the_answer_where_nothing_was_run():
    result = structs.replace(tune_result(), silence="The ranks send each other nothing.")
    assert headline(result).conclusion == "no messages"
    assert headline(result).answer == "The ranks send each other nothing."
