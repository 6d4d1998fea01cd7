"""Failed runs appear in the verdict, and are never shown as verified or as not run."""

from __future__ import annotations

import pytest
from corewise.cli.tune import verdict
from corewise.nouns.headline import failures
from corewise.nouns.tune_result import TuneResult
from corewise.page import tune_page
from msgspec import structs
from report_cases import REPEATS, as_read, tune_result


def failing(exit_codes: dict[str, list[int]]):
    """A tune whose runs end with these exit codes; runs of other placements succeed."""
    result = tune_result(times_s=REPEATS)
    candidates = []
    for candidate in result.candidates:
        codes = exit_codes.get(candidate.label, [0] * len(candidate.runs))
        runs = [
            structs.replace(run, exit_code=code) for run, code in zip(candidate.runs, codes, strict=False)
        ]
        candidates.append(structs.replace(candidate, runs=runs))
    return structs.replace(result, candidates=candidates, gain=None)


def test_each_placement_says_how_many_failed_how_and_where_their_output_is():
    assert failures(failing({"best": [0, 3, 139, 3]})) == [
        "best: 3 of 4 runs failed (exit code 3 in run 2, 4, exit code 139 (SIGSEGV) in run 3). "
        "Their output is in output.txt of runs/best-2, runs/best-3, runs/best-4."
    ]


def test_of_many_failures_the_first_are_named():
    (sentence,) = failures(failing({"worst": [9] * 6}))
    assert sentence.startswith("worst: 6 of 6 runs failed (exit code 9 in run 1, 2, 3, 3 more).")


def test_runs_that_are_simulated_are_not_counted():
    result = failing({"best": [7, 0]})
    best = result.candidate("best")
    best.runs.insert(0, structs.replace(best.runs[0], source="simulated", exit_code=0))
    assert "exit code 7 in run 1" in failures(result)[0]


def test_where_every_run_ended_well_nothing_is_said():
    assert failures(tune_result(times_s=REPEATS)) == []


@pytest.mark.parametrize("codes", [[1] * 6, [0, 0, 0, 0, 0, 139]], ids=["all", "one"])
@pytest.mark.parametrize("label", ["default", "best", "worst"])
def test_a_failure_is_in_every_form_of_the_result_and_nowhere_is_it_verified(label, codes, tmp_path):
    result = TuneResult.from_table(as_read(failing({label: codes}).to_json()))
    assert result.verified is None
    page, text = tune_page(result), "\n".join(verdict(result, tmp_path))
    for form in (page, text, " ".join(result.to_json()["failures"])):
        assert f"{label}: {6 - codes.count(0)} of 6 runs failed" in form
    assert "not run" not in page
    assert '<strong class="good">' not in page
    assert "every rank as requested" not in text


def test_the_traced_run_that_failed_is_told_first(tmp_path):
    result = tune_result()
    traced = structs.replace(tune_result(times_s=REPEATS).runs[0], exit_code=137)
    result = TuneResult.from_table(as_read(structs.replace(result, traced=traced).to_json()))
    assert verdict(result, tmp_path)[1].startswith(
        "The program failed while it was traced: exit code 137 (SIGKILL). Nothing was run"
    )
    assert "The program failed while it was traced" in tune_page(result)
