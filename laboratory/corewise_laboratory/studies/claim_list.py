"""The list of four papers' claims, written from their texts alone and never changed to fit results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from corewise.plugin.documents import Table, read_toml

PAPERS = {
    "lavore": "Di Dio Lavore et al., affinity policies (PEARC 2024)",
    "leng": "Leng et al., process mapping of HPL",
    "scogland": "Scogland et al., SyMMer (SC 2008)",
    "zhang": "Zhang et al., processor affinity on SMP-CMP clusters",
}
_RANGE = re.compile(r"(\S+) to (\S+)")
_TOLERANCE = re.compile(r"(-?[\d.]+) ?(points?\b|%|times)?")


@dataclass(frozen=True)
class ListedClaim:
    """A claim. `test` is the condition in words; `value` is the paper's number in `unit`, None without one.

    `tolerance` is the list's text; `weight` is 3 for a headline, 2 for a figure's message, 1 for a detail.
    """

    id: str
    paper: str
    source: str
    kind: str
    test: str
    weight: int
    value: float | None
    unit: str
    tolerance: str

    @property
    def numbers(self) -> dict[str, float]:
        """Names that a study's condition for the claim may use, as far as the list gives their values.

        `value` (a percentage as a fraction), `tolerance`, and `least` and `most`, the value minus and plus
        the tolerance.
        """
        found: dict[str, float] = {}
        percent = self.unit.startswith("%")
        if self.value is not None:
            found["value"] = self.value / 100 if percent else self.value
        ends = _RANGE.fullmatch(self.tolerance)
        if ends:
            return found | {"least": float(ends[1]), "most": float(ends[2])}
        wide = _TOLERANCE.search(self.tolerance)
        if "half" in self.tolerance and not wide:
            return found | {"tolerance": 0.5}
        if not wide:
            return found
        number, unit = float(wide[1]), wide[2] or ""
        found["tolerance"] = number / 100 if unit == "%" or unit.startswith("point") else number
        if self.value is not None and unit != "times":
            upper = re.search(r"upper end (\d+)", self.unit)
            value = found["value"]
            other = float(upper[1]) / (100 if percent else 1) if upper else value
            margin = abs(value) * found["tolerance"] if unit == "%" else found["tolerance"]
            found |= {"least": value - margin, "most": other + margin}
        return found


@cache
def listed_claims() -> dict[str, ListedClaim]:
    """All claims by ID, in the order of the list."""
    found = [
        _read(table) for table in read_toml(papers_file("claims.toml"), "a list of claims").tables("claim")
    ]
    return {claim.id: claim for claim in found}


def papers_file(name: str) -> Path:
    """The path of a file in studies/papers."""
    return Path(str(resources.files("corewise_laboratory") / "studies" / "papers" / name))


@cache
def objections() -> dict[str, str]:
    """Why we object to a claim of the list, by claim ID."""
    top = read_toml(papers_file("objections.toml"), "objections")
    return {name: top.get(name, str) for name in top.values}


@cache
def undecided() -> dict[str, str]:
    """Why no study decides a claim, by claim ID."""
    groups = read_toml(papers_file("undecided.toml"), "claims that no study decides").tables("group")
    return {name: group.get("reason", str) for group in groups for name in group.texts("claims")}


def _read(table: Table) -> ListedClaim:
    return ListedClaim(
        **{key: table.get(key, str) for key in ("id", "paper", "source", "kind", "test")},
        weight=table.whole("weight", least=1, most=3),
        value=table.number("value") if table.holds("value") else None,
        unit=table.get("unit", str, ""),
        tolerance=table.get("tolerance", str, ""),
    )
