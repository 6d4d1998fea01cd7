"""Formulas and claims for synthetic rows, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.files.table import Table
from corewise_laboratory.studies.claims import FOLDS, judge, read_claim
from corewise_laboratory.studies.formula import FUNCTIONS, ROW_FUNCTIONS, Formula, MissingValue
from corewise_laboratory.studies.result import FAILS, FITTED, HOLDS, OPEN
from corewise_laboratory.studies.rows import Outcome, ResultRow

# t in s, by size and placement; one is missing.
#        10     20
# base   6      4
# fast   4      3.2
# slow   7      -
SECONDS = {"base": [6.0, 4.0], "fast": [4.0, 3.2], "slow": [7.0, None]}
ROWS = [
    ResultRow({"size": size, "placement": label}, {"t": seconds[at]})
    for label, seconds in SECONDS.items()
    for at, size in enumerate(["10", "20"])
]


def value(text: str, rows: list[ResultRow] = ROWS, **named: str):
    return Formula.read(text, {name: Formula.read(own) for name, own in named.items()}).value(rows)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("t(placement='base', size=10) / t(placement='fast', size=10) - 1", 0.5),
        ("max(t(placement=['base', 'fast']))", 6),
        ("max(t(placement='base') / t(placement='fast') - 1)", 0.5),  # of 0.5 and 0.25, for each size
        ("last(t(placement='base') / t(placement='fast')) - 1", 0.25),
        ("min(t(placement='base'), t(placement='fast'))", 3.2),
        ("sum(t(placement='fast')) - mean(t(placement='fast')) - median(t(placement='fast'))", 0),
        ("first(t(placement='base', size=smallest('size'))) - t(placement='base', size=largest('size'))", 2),
        ("abs(-first(t(placement='base')))", 6),
        ("count(placement='base')", 2),
        ("count(placement='none')", 0),
        ("0 < t(placement='fast', size=10) < 4", False),
        ("t(placement='base') > t(placement='fast')", True),  # of both sizes
        ("not (1 > 2 or 2 > 1 and 1 == 1)", False),
        ("spearman(t(placement='base'), t(placement='fast'))", 1),
    ],
)
def test_formulas_come_to_what_the_table_above_says(text, wanted):
    assert value(text) == pytest.approx(wanted)


def test_names_are_formulas_of_their_own():
    assert value("gain - 1", gain="t(placement='base', size=10) / t(placement='fast', size=10)") == 0.5


def test_labels_of_the_least_and_the_greatest():
    known = [row for row in ROWS if row.labels["size"] == "10"]
    assert value("label_of_min('placement', 't')", known) == "fast"
    assert value("label_of_max('placement', 't') == 'slow'", known) is True


@pytest.mark.parametrize(
    "text", ["max(t())", "t(placement='none')", "1 / (count() - 6)", "smallest('placement')"]
)
def test_what_is_missing_is_no_number(text):
    rows = [row for row in ROWS if row.labels["placement"] == "slow"] if "smallest" in text else ROWS
    with pytest.raises(MissingValue):
        value(text, rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tt()", "'tt', which nothing has .*did you mean 't'"),
        ("gain", "'gain', which nothing has"),
        ("__import__('os').system('true')", "holds Attribute"),
        ("[x for x in t()]", "holds ListComp"),
        ("t(placement='base') + t()", "can't be computed|missing"),
        ("1 +", "can't be read"),
    ],
)
def test_what_is_no_formula_is_refused(text, message):
    rows = [row for row in ROWS if row.labels["placement"] != "slow"]
    with pytest.raises(InputError, match=message):
        value(text, rows)


@pytest.mark.parametrize("register", [FOLDS, FUNCTIONS, ROW_FUNCTIONS])
def test_registers_are_sorted(register):
    assert list(register) == sorted(register)


def verdict(rows: list[ResultRow] = ROWS, decides: bool = True, fitted_by=lambda labels: [], **given):
    """The verdict on a claim of our own."""
    defaults = {"own": "it is so", "formula": "max(t())", "holds": "ours > 0"}
    claim = read_claim(Table(Path("s.toml"), "claims[0].", defaults | given), ["runs"])
    return judge(claim, "computed", Outcome(rows, decides, "because of this"), fitted_by)


IMPROVEMENT = "t(placement='base') / t(placement='fast') - 1"


@pytest.mark.parametrize(
    ("given", "ours", "holds"),
    [
        ({"where": {"placement": "base"}, "holds": "ours == 6"}, 6, True),
        ({"per": ["size"], "formula": IMPROVEMENT, "holds": "ours > 0.3"}, [0.5, 0.25], False),
        ({"per": ["size"], "formula": IMPROVEMENT, "over": "min", "holds": "ours > 0.2"}, 0.25, True),
        ({"per": ["size"], "formula": IMPROVEMENT, "over": "max / min", "holds": "ours > 2"}, 2.0, False),
        (
            {
                "per": ["size"],
                "formula": "min(t()) < 3.5",
                "where": {"placement": ["base", "fast"]},
                "over": "mean",
                "holds": "ours > 0.5",
            },
            0.5,
            False,
        ),
        (
            {
                "per": ["size"],
                "formula": IMPROVEMENT,
                "only_if": "first(t(placement='base')) > 5",
                "holds": "ours == 0.5",
            },
            0.5,
            True,
        ),
        (
            {
                "per": ["size"],
                "formula": IMPROVEMENT,
                "only_if": "first(t(placement='base')) > 9",
                "holds": "ours > 0",
            },
            None,
            None,
        ),
        ({"per": ["size"], "formula": "t(placement='slow')", "holds": "ours > 0"}, 7, None),  # one missing
    ],
)
def test_claims_come_to_what_the_table_above_says(given, ours, holds):
    found = verdict(**given)
    assert found.ours == pytest.approx(ours) if ours is not None else found.ours is None
    assert found.holds is holds


def test_a_claim_that_nothing_can_decide_says_why():
    found = verdict(open="it needs four cores")
    assert (found.holds, found.because, found.outcome) == (None, "it needs four cores", OPEN)


def test_numbers_of_another_machine_decide_nothing():
    found = verdict(decides=False, where={"placement": "base"}, holds="ours == 6")
    assert (found.ours, found.holds) == (6, None)


def test_a_claim_of_the_list_is_judged_by_the_list_s_value_and_tolerance():
    # the ring's 100 % on Draco, with a tolerance of 20 points
    table = Table(
        Path("s.toml"), "", {"id": "zhang-fig5-draco-8-128kb-ring-100-percent", "formula": "max(t())"}
    )
    claim = read_claim(table, ["runs"])
    for t, holds in ((1.19, True), (1.21, False)):
        found = judge(claim, "computed", Outcome([ResultRow({}, {"t": t})], True, "so"), lambda labels: [])
        assert (found.paper, found.holds) == (1.0, holds)
    without = Table(Path("s.toml"), "", {"id": "leng-fig2-latency-shared-memory-best", "formula": "max(t())"})
    with pytest.raises(InputError, match="holds is missing; expected a condition: the list has no value"):
        read_claim(without, ["runs"])
    near = Table(Path("s.toml"), "", {"id": "leng-fig2-latency-shared-memory-bast", "formula": "max(t())"})
    with pytest.raises(InputError, match="did you mean 'leng-fig2-latency-shared-memory-best'"):
        read_claim(near, ["runs"])


READ = [ResultRow({"figures": name}, {"t": t}) for name, t in (("hardware", 1.0), ("fitted", 3.0))]


@pytest.mark.parametrize(
    ("holds", "chosen", "outcome"),
    [
        ("ours > 0", [], HOLDS),  # both hold
        ("ours > 2", [], OPEN),  # they disagree
        ("ours > 2", ["fitted"], FAILS),  # the row that was not chosen to fit decides
        ("ours > 2", ["hardware", "fitted"], OPEN),
        ("ours > 0", ["hardware", "fitted"], FITTED),
    ],
)
def test_readings_are_judged_one_by_one(holds, chosen, outcome):
    found = verdict(
        READ,
        fitted_by=lambda labels: [f"{labels['figures']} bus"] * (labels["figures"] in chosen),
        holds=holds,
    )
    assert (found.ours, found.outcome) == ([1.0, 3.0], outcome)
    assert found.fitted_by == sorted(f"{name} bus" for name in chosen)
    assert "hardware: " in found.because and ("disagree" in found.because) == (outcome == OPEN)


def test_the_best_threshold_has_so_many_cases_wrong():
    # Does placement matter by the ratio? Yes, yes, no, yes: with any threshold one is wrong. One program is
    # neither.
    known = [
        ResultRow({}, {"r": r, "i": i})
        for r, i in ((0.1, 0.3), (0.2, 0.2), (0.5, 0.0), (0.9, 0.1), (0.6, 0.07))
    ]
    assert value("least_wrong(r(), i(), 0.05, 0.1)", known) == 0.25
    assert value("least_wrong(r(), i(), 0.05, 0.05)", known) == pytest.approx(0.2)
