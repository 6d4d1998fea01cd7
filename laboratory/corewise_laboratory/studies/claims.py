"""Claims: sentences of a paper as formulas over a study's rows, and what they come to beside the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from corewise.errors import InputError, did_you_mean
from corewise.plugin.documents import Table, counted

from corewise_laboratory.studies.formula import Formula, MissingValue
from corewise_laboratory.studies.result import Verdict
from corewise_laboratory.studies.rows import Outcome, Row, grouped, matching

# What the values of several groups become. Sorted by name; "each" keeps them all.
FOLDS: dict[str, Callable[[list[Any]], Any]] = {
    "each": lambda values: values,
    "max": max,
    "max / min": lambda values: max(values) / min(values),
    "mean": lambda values: float(np.mean(values)),
    "median": lambda values: float(np.median(values)),
    "min": min,
    "sum": sum,
}

# The axis whose labels are the paper's machines: a claim is judged for each of its machines there.
MACHINE = "machine"

_KEYS = (
    *("figure", "machines", "claim", "runs", "where", "per", "only_if", "names", "formula", "over"),
    *("paper", "holds", "sign", "fitted", "together", "explained", "open"),
)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper about some of its machines.

    `formula` is computed over the rows of `runs` that have the labels `where`, for each group of rows that
    agree on the axes `per` and of which `only_if` is true; `over` makes one value of those of the groups.
    `holds` is the condition under which the claim holds: `ours` stands for that value (with "each", it must
    be true of each group's); None where nothing here can decide it. `sign` is the condition of the sign
    alone, which is faster, greater, or falls; None where the paper's number has none, as a count. `paper` is
    the paper's figure, a number where it gives one. `fitted`: a figure of the machine, or the part of a
    core that a run gives to protocol work, was chosen by that of the claim. `together`: one verdict for all
    machines. `explained` says why it fails, where that is known; `open` why nothing here can decide it, ""
    where something can.
    """

    figure: str
    machines: list[str]
    sentence: str
    runs: str
    where: dict[str, list[str]]
    per: list[str]
    only_if: Formula | None
    formula: Formula
    over: str
    paper: float | str
    holds: Formula | None
    sign: Formula | None
    fitted: bool
    together: bool
    explained: str
    open: str

    @property
    def formula_text(self) -> str:
        """The formula with its own names written out, and what is done with the values of groups."""
        text = self.formula.text
        for name, formula in reversed(self.formula.named.items()):
            text = f"{text}; {name} = {formula.text}" if name in text else text
        if self.per:
            text = f"{self.over} of {text} per {', '.join(self.per)}"
        if self.where:
            wanted = "; ".join(f"{axis} {' or '.join(labels)}" for axis, labels in self.where.items())
            text = f"{text}, where {wanted}"
        return text if self.only_if is None else f"{text}, only if {self.only_if.text}"

    def verdict(self, machines: list[str], source: str, because: str, **found: Any) -> Verdict:
        """What the claim comes to on some of its machines; `found` may have ours, holds and sign_right."""
        told = {"formula": self.formula_text, "paper": self.paper, "fitted": self.fitted} | found
        return Verdict(self.figure, machines, self.sentence, source=source, because=because, **told)


def read_claim(table: Table, runs: list[str]) -> Claim:
    """One of [[claims]]; raises InputError with the key that is wrong."""
    table.refuse_others(_KEYS)
    names: dict[str, Formula] = {}
    for name in table.table("names", {}).values:
        names[name] = _formula(table.table("names"), name, dict(names))
    over = table.get("over", str, "each")
    if over not in FOLDS:
        raise table.error("over", over, f"one of {', '.join(FOLDS)}{did_you_mean(over, FOLDS)}")
    return Claim(
        figure=table.get("figure", str),
        machines=table.texts("machines"),
        sentence=table.get("claim", str),
        runs=run_named(table, runs),
        where=_labels(table.table("where", {})),
        per=table.texts("per", []),
        only_if=_formula(table, "only_if", names) if table.holds("only_if") else None,
        formula=_formula(table, "formula", names),
        over=over,
        paper=_paper_figure(table),
        holds=_formula(table, "holds", names) if table.holds("holds") else None,
        sign=_sign(table, names),
        fitted=table.get("fitted", bool, False),
        together=table.get("together", bool, False),
        explained=table.get("explained", str, ""),
        open=table.get("open", str, ""),
    )


def run_named(table: Table, runs: list[str]) -> str:
    """The name of runs at `runs`; may be left out where the study has one."""
    name: str = table.get("runs", str, runs[0] if len(runs) == 1 else None)
    if name not in runs:
        raise table.error("runs", name, f"one of {', '.join(runs)}{did_you_mean(name, runs)}")
    return name


def _formula(table: Table, key: str, names: dict[str, Formula]) -> Formula:
    with table.building(key):
        return Formula.read(table.get(key, str), names)


def _sign(table: Table, names: dict[str, Formula]) -> Formula | None:
    """The condition of the sign: `holds` itself of a claim without a number, `sign` of one with a number."""
    key = "sign" if table.holds("sign") or not isinstance(table.values.get("paper"), str) else "holds"
    return _formula(table, key, names) if table.holds(key) else None


def _labels(table: Table) -> dict[str, list[str]]:
    return {
        axis: table.texts(axis) if isinstance(table.values[axis], list) else [table.get(axis, str)]
        for axis in table.values
    }


def _paper_figure(table: Table) -> float | str:
    paper = table.values.get("paper")
    if isinstance(paper, bool) or not isinstance(paper, str | int | float):
        raise table.error("paper", paper, "a number or a text")
    return paper


def judge(claim: Claim, source: str, outcome: Outcome | str) -> list[Verdict]:
    """One verdict for each machine that rows are of, else one for all.

    `outcome` may be the sentence on why there is none: then the claim is open. `source` is that of the runs.
    Raises InputError for a formula that asks for what no run has.
    """
    if isinstance(outcome, str):
        return [claim.verdict(claim.machines, source, claim.open or outcome)]
    rows = matching(outcome.rows, claim.where)
    by_machine = grouped(rows, [MACHINE])
    if claim.together or not by_machine:
        return [_verdict(claim, claim.machines, source, rows, outcome)]
    return [_verdict(claim, [name], source, by_machine.get((name,), []), outcome) for name in claim.machines]


def _verdict(claim: Claim, machines: list[str], source: str, rows: list[Row], outcome: Outcome) -> Verdict:
    groups = list(grouped(rows, claim.per).values())
    try:
        if claim.only_if is not None:
            n_groups, groups = len(groups), [group for group in groups if claim.only_if.value(group)]
            condition = f" ({len(groups)} of {counted(n_groups, 'case')} meet the claim's condition)"
    except MissingValue as error:
        return claim.verdict(machines, source, str(error))
    found, gaps = _values(claim, groups)
    because = outcome.because + (condition if claim.only_if is not None else "")
    if gaps:
        because = f"{counted(len(gaps), 'value')} of {len(groups)} missing: {gaps[0]}"
    elif not found:
        because = f"no case to judge it by; {because}"
    ours = FOLDS[claim.over]([value for _, value in found]) if found else None
    holds = sign_right = None
    if found and not gaps and outcome.decides and claim.holds is not None and not claim.open:
        holds, sign_right = (_true(wanted, claim, found, ours) for wanted in (claim.holds, claim.sign))
        because = because if holds is not None else "a number that decides it is missing"
    if claim.open:
        because = claim.open
    elif holds is False and claim.explained:
        because = claim.explained
    return claim.verdict(machines, source, because, ours=_plain(ours), holds=holds, sign_right=sign_right)


def _values(claim: Claim, groups: list[list[Row]]) -> tuple[list[tuple[list[Row], Any]], list[str]]:
    """The formula's value for each group that has one, and why others have none."""
    found, gaps = [], []
    for group in groups:
        try:
            value = claim.formula.value(group)
        except MissingValue as error:
            gaps.append(str(error))
            continue
        if not isinstance(value, bool | int | float | str):
            raise InputError(
                f"the formula '{claim.formula.text}' is {value}; expected one number: min, max, ..."
            )
        found.append((group, value))
    return found, gaps


def _true(wanted: Formula | None, claim: Claim, found: list[tuple[list[Row], Any]], ours: Any) -> bool | None:
    """Whether the condition is; None where there is none, and where it asks for a number that is missing."""
    if wanted is None:
        return None
    try:
        if claim.over != "each":
            everything = [row for group, _ in found for row in group]
            return bool(wanted.value(everything, ours=ours))
        return all(bool(wanted.value(group, ours=value)) for group, value in found)
    except MissingValue:
        return None


def _plain(ours: Any) -> float | str | list[Any] | None:
    """One value of one group by itself; a truth as 0 or 1."""
    if isinstance(ours, list):
        return _plain(ours[0]) if len(ours) == 1 else [_plain(value) for value in ours]
    return int(ours) if isinstance(ours, bool) else ours
