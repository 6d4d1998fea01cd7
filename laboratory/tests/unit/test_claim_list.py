"""The frozen list of claims: it never changes, and each claim has one outcome."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from corewise.files.document import read_toml
from corewise_laboratory.studies.claim_list import (
    PAPERS,
    ListedClaim,
    listed_claims,
    objections,
    papers_file,
    undecided,
)
from corewise_laboratory.studies.claims_page import claims_page
from corewise_laboratory.studies.decisions import NO_STUDY, decisions
from corewise_laboratory.studies.result import FITTED, HOLDS, NOT_JUDGED, OPEN, StudyResult, Verdict
from corewise_laboratory.studies.study_file import load_study, study_names
from sources import ROOT

# next to the repository, or next to the folder of its worktrees
SHARED = [folder / "shared" / "papers" / "claims.toml" for folder in ROOT.parents[:2]]
HASH = "721625e3e99dffd8c41a82dd40f2d8b754dba6c7f5390ee3e90071afc3f5ba35"


def entries(path: Path) -> list[dict]:
    claims = read_toml(path, "a list of claims").values["claim"]
    return [{key: value for key, value in one.items() if key != "quote"} for one in claims]


def test_the_list_is_the_one_that_was_written_from_the_papers():
    own = entries(papers_file("claims.toml"))
    assert hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest() == HASH
    assert len(own) == len({one["id"] for one in own}) == 507
    assert Counter(one["weight"] > 1 for one in own) == {True: 212, False: 295}


def test_the_list_is_the_shared_one_without_its_quotations():
    whole = [path for path in SHARED if path.is_file()]
    if not whole:
        pytest.skip("the list with its quotations is not here: it is not ours to hand on")
    assert entries(papers_file("claims.toml")) == entries(whole[0])


def test_every_claim_is_decided_once():
    decided = Counter(claim.id for name in study_names() for claim in load_study(name).claims if claim.id)
    assert {name for name, n in decided.items() if n > 1} == set()
    assert decided.keys() & undecided().keys() == set()
    assert (undecided().keys() | objections().keys()) <= listed_claims().keys()
    assert all(undecided().values()) and all(objections().values())
    headlines = {name for name, claim in listed_claims().items() if claim.weight > 1}
    assert headlines <= decided.keys() | undecided().keys()


def test_the_papers_are_those_of_the_list():
    assert list(PAPERS) == sorted({claim.paper for claim in listed_claims().values()})


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
    texts = dict.fromkeys(("id", "paper", "source", "kind", "test", "unit"), "")
    claim = ListedClaim(**texts | {"weight": 2, "value": None} | given)
    found = claim.numbers
    assert {name: found[name] for name in numbers} == pytest.approx(numbers)
    assert numbers or not found


def verdict(name: str, **given) -> Verdict:
    return Verdict(
        name, "1", "it is so", "t()", "order", "computed", given.pop("fitted", False), "it is", **given
    )


def test_the_page_has_every_claim_with_its_outcome_and_our_own_apart():
    claims = [
        verdict("zhang-sec4c-best-minimises-inter-socket", holds=True, ours=1),
        verdict(
            "leng-fig2-latency-shared-memory-best",
            holds=True,
            fitted=True,
            fitted_by=["pe1550: node.latency_s"],
        ),
        verdict("", holds=False),
    ]
    results = {"s": StudyResult("s", "t", "p", "quick", claims, {}, False, {})}
    found = {one.claim.id: one for one in decisions(results)}
    assert len(found) == 507
    outcomes = Counter(one.outcome for one in found.values())
    assert (outcomes[HOLDS], outcomes[FITTED]) == (1, 1)
    assert (outcomes[NOT_JUDGED], outcomes[OPEN]) == (295, 210)
    assert found["leng-fig8-8x2-small-size-80-percent"].because == NO_STUDY  # although a study decides it
    page = claims_page(results)
    assert "Of the 212 claims of weight 2 and 3, 1 hold, 0 do not hold, 1 are fitted, and 210 cannot" in page
    assert "| leng-fig2-latency-shared-memory-best | pe1550: node.latency_s |" in page
    assert "| all | 1 | 0 | 1 | 210 | 295 |" in page
    assert page.index("## Claims of our own") < page.index("| s | it is so |")
