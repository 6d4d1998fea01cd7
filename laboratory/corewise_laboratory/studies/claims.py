"""How a study decides claims of the papers, and the verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from corewise.errors import InputError, did_you_mean
from corewise.plugin.documents import Table, counted
from msgspec import structs

from corewise_laboratory.studies.claim_list import ListedClaim, listed_claims
from corewise_laboratory.studies.formula import Formula, MissingValue
from corewise_laboratory.studies.result import Verdict
from corewise_laboratory.studies.rows import Outcome, ResultRow, grouped, matching

# Ways to combine the values of groups into one, sorted by name. "each" keeps all.
FOLDS: dict[str, Callable[[list[Any]], Any]] = {
    "each": lambda values: values,
    "max": max,
    "max / min": lambda values: max(values) / min(values),
    "mean": lambda values: float(np.mean(values)),
    "median": lambda values: float(np.median(values)),
    "min": min,
    "sum": sum,
}

# Axes whose labels are alternative ways (readings) to compute the same thing. A claim is judged by each.
READINGS = ("engine", "figures")

_KEYS = (
    "id",
    "own",
    "runs",
    "where",
    "per",
    "only_if",
    "names",
    "formula",
    "over",
    "holds",
    "explained",
    "open",
)

# The inputs of a claim that were fitted to it, for a reading with these labels (by axis).
FittedBy = Callable[[dict[str, str]], list[str]]


@dataclass(frozen=True)
class Claim:
    """How a study decides a claim: `listed` from the papers' list, or our `own` sentence.

    Rows of `runs` with the labels `where` are grouped by the axes `per`. `formula` is computed for each group
    in which `only_if` is true, and `over` combines these values into one. `holds` is the claim's condition.
    In it, `ours` is the combined value (with "each", the condition must be true for each group), and `value`,
    `tolerance`, `least` and `most` are the list's numbers. `explained` is the known reason why the claim
    fails, and `open` why it can't be decided, else "".
    """

    listed: ListedClaim | None
    own: str
    runs: str
    where: dict[str, list[str]]
    per: list[str]
    only_if: Formula | None
    formula: Formula
    over: str
    holds: Formula
    explained: str
    open: str

    @property
    def id(self) -> str:
        """The ID in the list; "" for our own claim."""
        return self.listed.id if self.listed else ""

    @property
    def numbers(self) -> dict[str, float]:
        """The list's numbers for the condition, by name."""
        return self.listed.numbers if self.listed else {}

    @property
    def formula_text(self) -> str:
        """The formula as shown to users, with its named parts, groups and conditions."""
        text = self.formula.text
        for name, formula in reversed(self.formula.named.items()):
            text = f"{text}; {name} = {formula.text}" if name in text else text
        if self.per:
            text = f"{self.over} of {text} per {', '.join(self.per)}"
        if self.where:
            wanted = "; ".join(f"{axis} {' or '.join(labels)}" for axis, labels in self.where.items())
            text = f"{text}, where {wanted}"
        return text if self.only_if is None else f"{text}, only if {self.only_if.text}"

    def uses(self, axis: str, labels: list[str]) -> list[str]:
        """The labels of an axis that the claim is about: those in its formulas, else of `where`, else all."""
        labels = [label for label in labels if axis not in self.where or label in self.where[axis]]
        formulas = [self.formula, self.holds, *self.formula.named.values(), *filter(None, [self.only_if])]
        named = set().union(*(formula.labels(axis) for formula in formulas))
        return [label for label in labels if label in named] or labels

    def verdict(self, source: str, because: str, **found: Any) -> Verdict:
        """A verdict on this claim; `found` may have further fields of Verdict."""
        listed = self.listed
        paper = self.numbers.get("value", listed.kind) if listed else "-"
        return Verdict(
            id=self.id,
            figure=listed.source if listed else "-",
            claim=listed.test if listed else self.own,
            formula=self.formula_text,
            paper=paper,
            source=source,
            because=because,
            **{"fitted": False} | found,
        )


def read_claim(table: Table, runs: list[str]) -> Claim:
    """Reads an entry of [[claims]]; raises InputError with the wrong key."""
    table.refuse_others(_KEYS)
    names: dict[str, Formula] = {}
    for name in table.table("names", {}).values:
        names[name] = _formula(table.table("names"), name, dict(names))
    over = table.get("over", str, "each")
    if over not in FOLDS:
        raise table.error("over", over, f"one of {', '.join(FOLDS)}{did_you_mean(over, FOLDS)}")
    listed = None if table.holds("own") else _listed(table)
    return Claim(
        listed=listed,
        own="" if listed else table.get("own", str),
        runs=run_named(table, runs),
        where=_labels(table.table("where", {})),
        per=table.texts("per", []),
        only_if=_formula(table, "only_if", names) if table.holds("only_if") else None,
        formula=_formula(table, "formula", names),
        over=over,
        holds=_holds(table, listed, names),
        explained=table.get("explained", str, ""),
        open=table.get("open", str, ""),
    )


def _listed(table: Table) -> ListedClaim:
    name = table.get("id", str)
    known = listed_claims()
    if name not in known:
        raise table.error("id", name, f"an id of the list of claims{did_you_mean(name, known)}")
    return known[name]


def _holds(table: Table, listed: ListedClaim | None, names: dict[str, Formula]) -> Formula:
    """The condition; by default, that the value is within the list's tolerance."""
    if table.holds("holds"):
        return _formula(table, "holds", names)
    if listed is None or "least" not in listed.numbers:
        raise table.refused(
            "holds", " is missing; expected a condition: the list has no value with a tolerance"
        )
    return Formula.read("least <= ours <= most")


def run_named(table: Table, runs: list[str]) -> str:
    """The value of `runs`, which is optional if the study has only one."""
    name: str = table.get("runs", str, runs[0] if len(runs) == 1 else None)
    if name not in runs:
        raise table.error("runs", name, f"one of {', '.join(runs)}{did_you_mean(name, runs)}")
    return name


def _formula(table: Table, key: str, names: dict[str, Formula]) -> Formula:
    with table.building(key):
        return Formula.read(table.get(key, str), names)


def _labels(table: Table) -> dict[str, list[str]]:
    return {
        axis: table.texts(axis) if isinstance(table.values[axis], list) else [table.get(axis, str)]
        for axis in table.values
    }


def judge(claim: Claim, source: str, outcome: Outcome, fitted_by: FittedBy) -> Verdict:
    """The verdict on a claim from the rows of its runs; `source` is the runs' (measured, computed, ...).

    If the rows have several readings, each is judged. A reading with inputs that were fitted to the claim
    counts only if no other reading decides. Raises InputError for a formula with a name that no run has.
    """
    rows = matching(outcome.rows, claim.where)
    axes = [axis for axis in READINGS if len({row.labels.get(axis) for row in rows} - {None}) > 1]
    readings = grouped(rows, axes) if axes else {(): rows}
    found = []
    for labels, own in readings.items():
        verdict = _verdict(claim, source, own, outcome)
        by = fitted_by(dict(zip(axes, labels, strict=True)))
        found.append((", ".join(labels), structs.replace(verdict, fitted_by=by, fitted=bool(by))))
    return found[0][1] if len(found) == 1 else _joined(claim, source, found)


def judge_recorded(claim: Claim, source: str, ours: Any, because: str, fitted_by: list[str]) -> Verdict:
    """The verdict from the recorded number of an earlier run."""
    values = ours if isinstance(ours, list) else [ours]
    found = [_true(claim, [([], value)], value) for value in values]
    holds = None if claim.open or None in found else all(found)
    return claim.verdict(
        source, claim.open or because, ours=ours, holds=holds, fitted=bool(fitted_by), fitted_by=fitted_by
    )


def _joined(claim: Claim, source: str, found: list[tuple[str, Verdict]]) -> Verdict:
    """The verdict of several readings: the unfitted ones' common outcome, undecided if they disagree."""
    deciding = [verdict for _, verdict in found if not verdict.fitted and verdict.holds is not None]
    if not deciding:
        deciding = [verdict for _, verdict in found if verdict.fitted and verdict.holds is not None]
    says = {verdict.holds for verdict in deciding}
    told = "; ".join(
        f"{label}: {verdict.outcome}{f' ({_short(verdict.ours)})' if verdict.ours is not None else ''}"
        for label, verdict in found
    )
    if says == {False} and claim.explained:
        told = f"{told}; {claim.explained}"
    return claim.verdict(
        source,
        ("the readings disagree: " if len(says) > 1 else "") + told,
        ours=[verdict.ours for _, verdict in found],
        readings=[label for label, _ in found],
        holds=says.pop() if len(says) == 1 else None,
        fitted=bool(deciding) and all(verdict.fitted for verdict in deciding),
        fitted_by=sorted({name for _, verdict in found for name in verdict.fitted_by}),
    )


def _short(ours: Any) -> str:
    if isinstance(ours, list):
        return "; ".join(_short(each) for each in ours)
    return ours if isinstance(ours, str) else f"{ours:.3g}"


def _verdict(claim: Claim, source: str, rows: list[ResultRow], outcome: Outcome) -> Verdict:
    groups = list(grouped(rows, claim.per).values())
    condition = ""
    try:
        if claim.only_if is not None:
            n_groups, groups = (
                len(groups),
                [group for group in groups if claim.only_if.value(group, **claim.numbers)],
            )
            condition = f" ({len(groups)} of {counted(n_groups, 'case')} meet the claim's condition)"
    except MissingValue as error:
        return claim.verdict(source, str(error))
    found, gaps = _values(claim, groups)
    because = outcome.because + condition
    if gaps:
        because = f"{counted(len(gaps), 'value')} of {len(groups)} missing: {gaps[0]}"
    elif not found:
        because = f"no case to judge it by; {because}"
    ours = FOLDS[claim.over]([value for _, value in found]) if found else None
    holds = None
    if found and not gaps and outcome.decides and not claim.open:
        holds = _true(claim, found, ours)
        because = because if holds is not None else "a number that decides it is missing"
    if claim.open:
        because = claim.open
    elif holds is False and claim.explained:
        because = claim.explained
    return claim.verdict(source, because, ours=_plain(ours), holds=holds)


def _values(
    claim: Claim, groups: list[list[ResultRow]]
) -> tuple[list[tuple[list[ResultRow], Any]], list[str]]:
    """The formula's value for each group that has one, and the reasons of the others."""
    found, gaps = [], []
    for group in groups:
        try:
            value = claim.formula.value(group, **claim.numbers)
        except MissingValue as error:
            gaps.append(str(error))
            continue
        if not isinstance(value, bool | int | float | str):
            raise InputError(
                f"the formula '{claim.formula.text}' is {value}; expected one number: min, max, ..."
            )
        found.append((group, value))
    return found, gaps


def _true(claim: Claim, found: list[tuple[list[ResultRow], Any]], ours: Any) -> bool | None:
    """Whether the claim holds; None if a number in its condition is missing."""
    known = claim.numbers
    try:
        if claim.over != "each":
            everything = [row for group, _ in found for row in group]
            return bool(claim.holds.value(everything, **known, ours=ours))
        return all(bool(claim.holds.value(group, **known, ours=value)) for group, value in found)
    except MissingValue:
        return None


def _plain(ours: Any) -> float | str | list[Any] | None:
    """The value for a verdict: a list of one value becomes this value, and bool becomes 0 or 1."""
    if isinstance(ours, list):
        return _plain(ours[0]) if len(ours) == 1 else [_plain(value) for value in ours]
    return int(ours) if isinstance(ours, bool) else ours
