"""Formulas and claims over rows made up for the purpose, with the arithmetic shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.files.table import Table
from corewise_laboratory.studies.claims import FOLDS, judge, read_claim
from corewise_laboratory.studies.formula import FUNCTIONS, ROW_FUNCTIONS, Formula, MissingValue
from corewise_laboratory.studies.rows import Outcome, Row

# t in s, by size and placement; one is missing.
#        10     20
# base   6      4
# fast   4      3.2
# slow   7      -
SECONDS = {"base": [6.0, 4.0], "fast": [4.0, 3.2], "slow": [7.0, None]}
ROWS = [
    Row({"size": size, "placement": label}, {"t": seconds[at]})
    for label, seconds in SECONDS.items()
    for at, size in enumerate(["10", "20"])
]


def value(text: str, rows: list[Row] = ROWS, **named: str):
    return Formula.read(text, {name: Formula.read(own) for name, own in named.items()}).value(rows)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("t(placement='base', size=10) / t(placement='fast', size=10) - 1", 0.5),
        ("max(t(placement=['base', 'fast']))", 6),
        ("max(t(placement='base') / t(placement='fast') - 1)", 0.5),  # of 0.5 and 0.25, value by value
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


def verdicts(rows: list[Row] = ROWS, decides: bool = True, **given):
    """What a claim comes to: (ours, holds) of each verdict."""
    defaults = {"figure": "1", "machines": ["m"], "claim": "it is so", "paper": 1, "formula": "max(t())"}
    claim = read_claim(Table(Path("s.toml"), "claims[0].", defaults | given), ["runs"])
    found = judge(claim, "computed", Outcome(rows, decides, "because of this"))
    return [(verdict.ours, verdict.holds) for verdict in found]


IMPROVEMENT = "t(placement='base') / t(placement='fast') - 1"


@pytest.mark.parametrize(
    ("given", "ours", "holds"),
    [
        ({"where": {"placement": "base"}, "holds": "ours == 6"}, 6, True),
        ({"where": {"placement": "base"}}, 6, None),  # nothing says when it holds
        ({"per": ["size"], "formula": IMPROVEMENT, "holds": "ours > 0.3"}, [0.5, 0.25], False),
        ({"per": ["size"], "formula": IMPROVEMENT, "over": "min", "holds": "ours > 0.2"}, 0.25, True),
        ({"per": ["size"], "formula": IMPROVEMENT, "over": "max / min", "holds": "ours > 2"}, 2.0, False),
        (
            {
                "per": ["size"],
                "formula": "min(t()) < 3.5",
                "where": {"placement": ["base", "fast"]},
                "over": "mean",
            },
            0.5,
            None,
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
        ({"per": ["size"], "formula": "t(placement='slow')", "holds": "ours > 0"}, 7, None),  # one is missing
    ],
)
def test_claims_come_to_what_the_table_above_says(given, ours, holds):
    (found,) = verdicts(**given)
    assert found[0] == pytest.approx(ours) if ours is not None else found[0] is None
    assert found[1] is holds


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"holds": "ours == 5", "sign": "ours > 0"}, True),  # 6: the number is off, its sign is right
        ({"holds": "ours == 6", "sign": "ours < 0"}, False),
        ({"holds": "ours == 6"}, None),  # a number without a sign
        ({"paper": "more", "holds": "ours > 6"}, False),  # without a number a claim is its sign
        ({"paper": "more", "holds": "ours > 5", "open": "nothing here can decide it"}, None),
        ({"per": ["size"], "holds": "ours == 6", "sign": "ours > 5"}, False),  # 6 and 4: of each size
    ],
)
def test_a_sign_is_judged_by_itself(given, right):
    defaults = {"figure": "1", "machines": ["m"], "claim": "it is so", "paper": 1, "formula": "max(t())"}
    table = Table(Path("s.toml"), "", defaults | {"where": {"placement": "base"}} | given)
    (verdict,) = judge(read_claim(table, ["runs"]), "computed", Outcome(ROWS, True, "because of this"))
    assert verdict.sign_right is right


def test_numbers_of_another_machine_decide_nothing():
    assert verdicts(decides=False, where={"placement": "base"}, holds="ours == 6") == [(6, None)]


def test_a_claim_is_judged_for_each_machine_unless_they_are_taken_together():
    rows = [Row({"machine": name}, {"t": t}) for name, t in (("a", 1.0), ("b", 3.0), ("c", 9.0))]
    given = {"machines": ["a", "b"], "holds": "ours < 2"}
    assert verdicts(rows, **given) == [(1, True), (3, False)]
    ratio = "t(machine='b') / t(machine='a')"
    assert verdicts(rows, **given, together=True, formula=ratio) == [(3, False)]


def test_why_a_claim_fails_is_said_where_it_is_known():
    table = {"figure": "1", "machines": ["m"], "claim": "it is so", "paper": 1, "formula": "count()"}
    claim = read_claim(
        Table(Path("s.toml"), "", table | {"holds": "ours == 1", "explained": "six rows", "fitted": True}),
        ["runs"],
    )
    (verdict,) = judge(claim, "computed", Outcome(ROWS, True, "counted"))
    assert (verdict.holds, verdict.because, verdict.fitted) == (False, "six rows", True)
