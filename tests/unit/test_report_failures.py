"""Failed runs appear in the verdict, and are never shown as verified or as not run."""

from __future__ import annotations

import pytest
from corewise.cli.tune import verdict
from corewise.nouns.tune_result import TuneResult
from corewise.page import tune_page
from msgspec import structs
from report_cases import REPEATS, as_read, tune_result


def failing(label: str, codes: list[int]) -> TuneResult:
    """A tune whose runs of one placement end with these exit codes."""
    result = tune_result(times_s=REPEATS)
    runs = result.candidate(label).runs
    runs[:] = [structs.replace(run, exit_code=code) for run, code in zip(runs, codes, strict=True)]
    return structs.replace(result, gain=None)


@pytest.mark.parametrize("codes", [[1] * 6, [0, 0, 0, 0, 0, 139]], ids=["all", "one"])
@pytest.mark.parametrize("label", ["default", "best", "worst"])
def test_a_failure_is_in_every_form_of_the_result_and_nowhere_is_it_verified(label, codes, tmp_path):
    result = TuneResult.from_table(as_read(failing(label, codes).to_json()))
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
