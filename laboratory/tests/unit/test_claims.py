"""The frozen list of claims, how one is judged, and that each has a function or a reason."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from corewise.files.document import read_toml
from corewise_laboratory.studies.claims import (
    FAILS,
    FITTED,
    HOLDS,
    OPEN,
    Chosen,
    ListedClaim,
    at_least,
    claim,
    judge,
    listed_claims,
    positive,
    reasons,
)
from corewise_laboratory.studies.papers import PAPERS, all_studies
from corewise_laboratory.studies.rows import MissingValue, Row, Rows, least_wrong, spearman
from corewise_laboratory.studies.study import machine_choices
from sources import LABORATORY, ROOT

LIST = LABORATORY / "studies" / "claims.toml"
# next to the repository, or next to the folder of its worktrees
SHARED = [folder / "shared" / "papers" / "claims.toml" for folder in ROOT.parents[:2]]
HASH = "36a2ffe01d400a2002a1ce19478118263857ada38a9a9b5bf3693888ff53852e"
KEYS = ("id", "source", "kind", "test", "value", "unit", "tolerance", "weight")


def entries(path: Path) -> list[dict]:
    return read_toml(path, "a list of claims").values["claim"]


def test_the_list_is_the_one_that_was_written_from_the_papers():
    own = entries(LIST)
    assert hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest() == HASH
    assert len(own) == len({one["id"] for one in own}) == 212


def test_the_list_has_all_statements_of_weight_2_and_3():
    whole = [path for path in SHARED if path.is_file()]
    if not whole:
        pytest.skip("the list with its quotations is not here: it is not ours to hand on")
    shared = [one for one in entries(whole[0]) if one["weight"] > 1]
    trimmed = [{key: one[key] for key in KEYS if key in one} for one in shared]
    assert entries(LIST) == trimmed


def test_every_claim_has_either_a_function_or_a_reason():
    decided = Counter(one.id for study in all_studies().values() for one in study.claims)
    assert {name for name, n in decided.items() if n > 1} == set()
    assert decided.keys() & reasons("undecided").keys() == set()
    assert decided.keys() | reasons("undecided").keys() == listed_claims().keys()
    assert reasons("fails").keys() <= decided.keys()


def test_every_claim_has_its_runs_and_every_paper_its_claims():
    for study in all_studies().values():
        assert all(study.runs_of(one) in study.runs for one in study.claims)
        assert study.title
        assert "recorded" in study.texts or all(one.recorded is None for one in study.claims)
    assert {paper.key for paper in PAPERS} == {one.paper for one in listed_claims().values()}


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        (
            {"value": 17.0, "unit": "%", "tolerance": "10 points"},
            {"value": 0.17, "least": 0.07, "most": 0.27},
        ),
        ({"value": 4.88, "unit": "factor", "tolerance": "25 %"}, {"least": 3.66, "most": 6.1}),
        ({"value": 10.0, "unit": "factor (almost)", "tolerance": "5 to 12"}, {"least": 5, "most": 12}),
        ({"value": 0.6, "unit": "ratio", "tolerance": "0.01"}, {"least": 0.59, "most": 0.61}),
        (
            {"value": 10.0, "unit": "% (lower end; upper end 15)", "tolerance": "3 points either side"},
            {"least": 0.07, "most": 0.18},
        ),
        ({"tolerance": "significant = 10 points"}, {"tolerance": 0.1}),
        ({"tolerance": "much = 1.5 times"}, {"tolerance": 1.5}),
        ({"tolerance": "-0.9"}, {"tolerance": -0.9}),
        ({"tolerance": "most = more than half"}, {"tolerance": 0.5}),
        ({"tolerance": ""}, {}),
    ],
)
def test_a_tolerance_in_words_becomes_numbers(given, numbers):
    found = ListedClaim("a", "b", "c", "d", 2, **given).numbers
    assert {name: found[name] for name in numbers} == pytest.approx(numbers)
    assert numbers or not found


# "noticeable = 5 points"
CLAIM = claim("zhang-fig5-draco-128-ring-has-impact", lambda rows: float(rows("t").min()), at_least)
CALIBRATED = Chosen("a figure", "fitted to it", ("zhang-fig5",))


def judged(*readings: tuple[str, str, float | None], claim=CLAIM):
    """The verdict from rows (engine, figures, t), of which those of calibrated figures are fitted."""
    rows = Rows([Row({"engine": engine, "figures": figures}, {"t": t}) for engine, figures, t in readings])
    return judge(
        claim,
        "computed",
        "computed",
        rows,
        lambda rows: [CALIBRATED] if "calibrated" in rows.labels("figures") else [],
    )


@pytest.mark.parametrize(
    ("readings", "outcome"),
    [
        ([("estimate", "sheet", 0.06)], HOLDS),
        ([("estimate", "sheet", 0.04)], FAILS),
        ([("estimate", "sheet", None)], OPEN),
        ([], OPEN),
        ([("estimate", "calibrated", 0.06)], FITTED),
        ([("estimate", "sheet", 0.06), ("smpi", "sheet", 0.07)], HOLDS),
        ([("estimate", "sheet", 0.06), ("smpi", "sheet", 0.04)], OPEN),
        ([("estimate", "sheet", 0.06), ("smpi", "sheet", None)], HOLDS),
        ([("estimate", "sheet", 0.06), ("estimate", "calibrated", 0.04)], HOLDS),
        ([("estimate", "sheet", None), ("estimate", "calibrated", 0.06)], FITTED),
    ],
)
def test_readings_decide_together_and_a_fitted_one_only_alone(readings, outcome):
    verdict = judged(*readings)
    assert verdict.outcome == outcome
    assert [ours for ours in verdict.ours.values()] == [t for *_, t in readings] or not readings
    assert bool(verdict.fitted_by) == any(figures == "calibrated" for _, figures, _ in readings)


def test_readings_that_disagree_are_named_with_their_numbers():
    verdict = judged(("estimate", "sheet", 0.06), ("smpi", "sheet", 0.04))
    assert verdict.because == "the readings disagree: estimate: holds (0.06); smpi: does not hold (0.04)"
    assert verdict.number == "0.06; 0.04"


def test_a_claim_for_which_nothing_was_chosen_is_not_fitted():
    other = claim("zhang-fig6-draco-128-binomial-has-impact", CLAIM.measured, at_least)
    assert judged(("estimate", "calibrated", 0.06), claim=other).outcome == HOLDS


def test_a_division_by_zero_is_a_missing_number():
    by_zero = claim(CLAIM.id, lambda rows: float((1 / rows("t")).item()), positive)
    assert judged(("estimate", "sheet", 0.0), claim=by_zero).outcome == OPEN


def test_machine_files_name_the_claims_that_their_figures_were_chosen_for():
    names = [one.name for one in machine_choices("jaguar-xt5-fitted") if one.is_for("zhang-fig5-a")]
    assert names == [
        f"jaguar-xt5-fitted: {figure}"
        for figure in ("package.bandwidth_bytes_per_s", "package.loads", "node.curve")
    ]
    # from its base file
    chosen = [one.name for one in machine_choices("jaguar-xt5-fitted") if "torus" in one.name]
    assert chosen == ["jaguar-xt5-fitted: torus"]
    assert machine_choices("pe1550-gigabit") == []


def test_ranks_that_are_equal_get_their_mean():
    assert spearman(np.array([1, 2, 2, 3]), np.array([1, 2, 2, 9])) == pytest.approx(1)
    assert spearman(np.array([1.0, 2, 3]), np.array([3, 2, 1])) == pytest.approx(-1)
    with pytest.raises(MissingValue, match="all values are equal"):
        spearman(np.array([1, 1]), np.array([1, 2]))


def test_the_best_threshold_gets_fewest_cases_wrong():
    # 0.3 and 0.9 matter, 0.5 and 0.8 do not: below a threshold of 0.3 or of 0.9, one of four is wrong.
    ratios, impacts = np.array([0.3, 0.5, 0.8, 0.9, 0.4]), np.array([0.2, 0.01, 0.02, 0.3, 0.07])
    assert least_wrong(ratios, impacts, 0.05, 0.1) == 0.25
    with pytest.raises(MissingValue, match="no case is decided"):
        least_wrong(np.array([0.1]), np.array([0.07]), 0.05, 0.1)
