"""A change of a model: its entry in the log, and the changed outcomes of claims."""

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise_laboratory.studies.model_changes import (
    CHANGES,
    LOG,
    OUTCOMES,
    check_installed,
    log_change,
    outcomes_of,
    stored_text,
)
from corewise_laboratory.studies.result import StudyResult, Verdict

RING, TREE = "zhang-fig5-draco-8-ring-best-vs-worst", "zhang-fig6-draco-8-binomial-best-vs-worst"


def results(ring: float, tree: float) -> dict[str, StudyResult]:
    claims = [
        Verdict(name, "1", "it is so", "t()", "order", "computed", False, "it is", ours, ours > 1)
        for name, ours in ((RING, ring), (TREE, tree))
    ]
    return {"s": StudyResult("s", "t", "p", "quick", claims, {}, False, {})}


@pytest.fixture
def repository(tmp_path):
    for path in (LOG, OUTCOMES, CHANGES):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / LOG).write_text("# Changes\n")
    (tmp_path / CHANGES).write_text("# changes\n")
    (tmp_path / OUTCOMES).write_text(stored_text(outcomes_of(results(2, 3), {"lulesh": "in order"})))
    return tmp_path


def test_an_entry_has_each_outcome_that_changed_before_and_after(repository):
    entry = log_change(repository, results(0.5, 4), {}, "a slower bus", [])
    assert f"| {RING} | holds | 2 | does not hold | 0.5 |" in entry
    assert TREE not in entry and "1 other claim came to another number and the same outcome." in entry
    assert (repository / LOG).read_text().endswith(entry + "\n") and "a slower bus" in entry
    assert json.loads((repository / OUTCOMES).read_text())[RING] == ["does not hold", "0.5"]
    assert json.loads((repository / OUTCOMES).read_text())["program lulesh"] == ["in order", "-"]
    assert (repository / CHANGES).read_text() == "# changes\n"
    assert "No outcome changed." in log_change(repository, results(0.5, 4), {}, "nothing", [])


def test_a_held_out_program_that_another_model_orders_differently_is_in_the_entry(repository):
    entry = log_change(repository, results(2, 3), {"lulesh": "wrong"}, "a new predictor", [])
    assert "| program lulesh | in order | - | wrong | - |" in entry


def test_a_change_that_was_made_because_a_claim_failed_is_kept_with_that_claim(repository):
    entry = log_change(repository, results(3, 3), {}, "a faster bus. It was too slow", [RING])
    assert "a faster bus\n\nIt was too slow\n" in entry and f"fitted from now on: {RING}" in entry
    assert f"| {RING} | holds | 2 | fitted | 3 |" in entry
    kept = (repository / CHANGES).read_text()
    assert 'reason = "a faster bus. It was too slow"' in kept and RING in kept


def test_elsewhere_and_for_an_unknown_claim_nothing_is_written(repository, tmp_path):
    with pytest.raises(InputError, match="zhang-fig99 is not in the list of claims"):
        log_change(repository, results(2, 3), {}, "why", ["zhang-fig99"])
    with pytest.raises(InputError, match="expected the current folder to be corewise's repository"):
        log_change(tmp_path / "elsewhere", results(2, 3), {}, "why", [])


def test_a_change_that_is_not_installed_is_refused(tmp_path):
    own = tmp_path / "python" / "corewise" / "machines" / "draco.toml"
    own.parent.mkdir(parents=True)
    text = Path(str(resources.files("corewise") / "machines" / "draco.toml")).read_text()
    own.write_text(text)
    check_installed(tmp_path)
    own.write_text(text.replace("5.3e9", "5.4e9"))
    with pytest.raises(InputError, match="draco.toml: differs from the installed file; .* run scripts/setup"):
        check_installed(tmp_path)


def test_options_of_the_log_alone_are_refused():
    done = CliRunner().invoke(cli, ["study", "zhang-fig5", "--failed", RING])
    assert done.exit_code == 2 and "--failed and --programs are for --log" in done.output
