"""Claims of the papers: the frozen list, and how a study judges one of them from its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from corewise.files.document import read_toml

from corewise_laboratory.studies.rows import Labels, MissingValue, Rows

HOLDS, FAILS, FITTED, OPEN = "holds", "does not hold", "fitted", "cannot be judged here"

# Axes whose labels are alternative ways (readings) to compute the same thing. A claim is judged by each.
READINGS = ("engine", "figures")

_RANGE = re.compile(r"(\S+) to (\S+)")
_TOLERANCE = re.compile(r"(-?[\d.]+) ?(points?\b|%|times)?")


@dataclass(frozen=True)
class ListedClaim:
    """A claim of the frozen list.

    `test` is the condition in words; `value` is the paper's number in `unit`, None without one. `tolerance`
    is the list's text; `weight` is 3 for a headline of the paper, 2 for a figure's message.
    """

    id: str
    source: str
    kind: str
    test: str
    weight: int
    value: float | None = None
    unit: str = ""
    tolerance: str = ""

    @property
    def paper(self) -> str:
        """The paper's key, such as "zhang"."""
        return self.id.partition("-")[0]

    @property
    def numbers(self) -> dict[str, float]:
        """The list's numbers for a condition, as far as it has them; percentages as fractions.

        `value`, `tolerance`, and `least` and `most`, the value minus and plus the tolerance.
        """
        percent = self.unit.startswith("%")
        found = {} if self.value is None else {"value": self.value / 100 if percent else self.value}
        ends = _RANGE.fullmatch(self.tolerance)
        if ends:
            return found | {"least": float(ends[1]), "most": float(ends[2])}
        wide = _TOLERANCE.search(self.tolerance)
        if not wide:
            return found | ({"tolerance": 0.5} if "half" in self.tolerance else {})
        number, unit = float(wide[1]), wide[2] or ""
        found["tolerance"] = number / 100 if unit == "%" or unit.startswith("point") else number
        if self.value is not None and unit != "times":
            upper = re.search(r"upper end (\d+)", self.unit)
            value = found["value"]
            other = float(upper[1]) / (100 if percent else 1) if upper else value
            margin = abs(value) * found["tolerance"] if unit == "%" else found["tolerance"]
            found |= {"least": value - margin, "most": other + margin}
        return found


def _read(name: str) -> dict[str, Any]:
    path = Path(str(resources.files("corewise_laboratory") / "studies" / name))
    return read_toml(path, "texts of studies").values


@cache
def listed_claims() -> dict[str, ListedClaim]:
    """All claims by ID, in the order of the list."""
    return {entry["id"]: ListedClaim(**entry) for entry in _read("claims.toml")["claim"]}


@cache
def texts() -> dict[str, Any]:
    """Texts of the studies, for readers (texts.toml)."""
    return _read("texts.toml")


@cache
def reasons(kind: str) -> dict[str, str]:
    """Why claims fail ("fails") or no study decides them ("undecided"), by claim ID."""
    return {name: group["reason"] for group in texts()[kind] for name in group["claims"]}


@dataclass(frozen=True)
class Chosen:
    """An input that was chosen for claims: each of `claims` that reads it is fitted.

    A name in `claims` is a claim, or a figure ("zhang-fig5") for all claims of this figure.
    """

    name: str
    because: str
    claims: tuple[str, ...]

    def is_for(self, claim: str) -> bool:
        """Whether the input was chosen for this claim or its figure."""
        return any(claim == name or claim.startswith(f"{name}-") for name in self.claims)


# Our number from rows.
Measured = Callable[[Rows], float]
# Whether our number meets the numbers of the list.
Required = Callable[[float, dict[str, float]], bool]


def within(ours: float, listed: dict[str, float]) -> bool:
    """The paper's value, within the list's tolerance."""
    return listed["least"] <= ours <= listed["most"]


def at_least(ours: float, listed: dict[str, float]) -> bool:
    """At least the list's tolerance."""
    return ours >= listed["tolerance"]


def at_most(ours: float, listed: dict[str, float]) -> bool:
    """At most the list's tolerance."""
    return ours <= listed["tolerance"]


def below(ours: float, listed: dict[str, float]) -> bool:
    """Below the list's tolerance."""
    return ours < listed["tolerance"]


def from_value(least: float) -> Required:
    """At least this value, for claims whose list entry has no number for it."""
    return lambda ours, _: ours >= least


def equal(value: float) -> Required:
    """Exactly this value."""
    return lambda ours, _: ours == value


def above(value: float) -> Required:
    """More than this value."""
    return lambda ours, _: ours > value


positive, above_half, is_zero, is_true = above(0), above(0.5), equal(0), equal(1)


def negative(ours: float, listed: dict[str, float]) -> bool:
    """Less than 0."""
    return ours < 0


@dataclass(frozen=True)
class Claim:
    """How a study decides a claim of the list.

    `measured` returns our number from the rows of `runs` with the labels `where`; `required` says whether it
    is as the claim says. `recorded` is the number of runs that were made once, None without them.
    """

    id: str
    measured: Measured
    required: Required
    runs: str
    recorded: float | None
    where: dict[str, Labels]

    @property
    def listed(self) -> ListedClaim:
        """The claim in the frozen list."""
        return listed_claims()[self.id]

    @property
    def explained(self) -> str:
        """The known reason why the claim fails, or ""."""
        return reasons("fails").get(self.id, "")


def claim(
    id: str,
    measured: Measured,
    required: Required = within,
    *,
    runs: str = "",
    recorded: float | None = None,
    where: Mapping[str, Labels] | None = None,
    **labels: Labels,
) -> Claim:
    """A claim on rows with these labels; `runs` may be left out if the study has only one kind of runs."""
    return Claim(id, measured, required, runs, recorded, {**(where or {}), **labels})


@dataclass(frozen=True)
class Verdict:
    """Our finding on a claim.

    `ours` is our number, by reading ("" if there is only one); None if it is missing. `source` is the runs'.
    `holds` is None if the claim can't be judged here, and `because` is the reason. A fitted claim proves
    nothing, because the inputs `fitted_by` were chosen for it.
    """

    id: str
    source: str
    because: str
    ours: dict[str, float | None] = field(default_factory=dict)
    holds: bool | None = None
    fitted: bool = False
    fitted_by: tuple[str, ...] = ()

    @property
    def outcome(self) -> str:
        """One of HOLDS, FAILS, FITTED and OPEN."""
        if self.holds is None:
            return OPEN
        return FITTED if self.fitted else HOLDS if self.holds else FAILS

    @property
    def number(self) -> str:
        """Our number with three digits, one for each reading."""
        return "; ".join("-" if ours is None else f"{ours:.3g}" for ours in self.ours.values()) or "-"


def judge(
    claim: Claim, source: str, because: str, rows: Rows, chosen: Callable[[Rows], Iterable[Chosen]]
) -> Verdict:
    """The verdict on a claim from the rows of its runs.

    If the rows have several readings, each is judged. `chosen` returns the chosen inputs of rows. A reading
    with inputs that were chosen for the claim counts only if no other reading decides.
    """
    rows = rows.where(**claim.where)
    axes = [axis for axis in READINGS if len(rows.labels(axis)) > 1]
    found = []
    for labels, own in (rows.groups(*axes) if axes else {(): rows}).items():
        verdict = _verdict(claim, source, because, ", ".join(labels), own)
        by = tuple(f"{one.name} ({one.because})" for one in chosen(own) if one.is_for(claim.id))
        found.append(replace(verdict, fitted=bool(by), fitted_by=tuple(dict.fromkeys(by))))
    return found[0] if len(found) == 1 else _joined(claim, source, found)


def judge_recorded(claim: Claim, source: str, because: str, chosen: Iterable[Chosen]) -> Verdict:
    """The verdict from the number of runs that were made once."""
    assert claim.recorded is not None
    by = tuple(f"{one.name} ({one.because})" for one in chosen if one.is_for(claim.id))
    holds = claim.required(claim.recorded, claim.listed.numbers)
    return Verdict(claim.id, source, because, {"": claim.recorded}, bool(holds), bool(by), by)


def _verdict(claim: Claim, source: str, because: str, reading: str, rows: Rows) -> Verdict:
    try:
        with np.errstate(divide="raise", invalid="raise"):
            ours = float(claim.measured(rows))
    except (MissingValue, FloatingPointError, ZeroDivisionError) as error:
        return Verdict(claim.id, source, str(error), {reading: None})
    holds = claim.required(ours, claim.listed.numbers)
    return Verdict(
        claim.id, source, because if holds else claim.explained or because, {reading: ours}, bool(holds)
    )


def _joined(claim: Claim, source: str, found: list[Verdict]) -> Verdict:
    """The verdict of several readings: the unfitted ones' common outcome, undecided if they disagree."""
    decided = [verdict for verdict in found if verdict.holds is not None]
    deciding = [verdict for verdict in decided if not verdict.fitted] or decided
    says = {verdict.holds for verdict in deciding}
    told = "; ".join(f"{next(iter(one.ours))}: {one.outcome} ({one.number})" for one in found)
    if says == {False} and claim.explained:
        told = f"{told}; {claim.explained}"
    return Verdict(
        claim.id,
        source,
        f"the readings disagree: {told}" if len(says) > 1 else told,
        {reading: ours for verdict in found for reading, ours in verdict.ours.items()},
        says.pop() if len(says) == 1 else None,
        bool(deciding) and all(verdict.fitted for verdict in deciding),
        tuple(dict.fromkeys(name for verdict in found for name in verdict.fitted_by)),
    )
