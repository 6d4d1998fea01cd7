"""The frozen list: what four papers claim, written from their texts alone."""

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
    """A claim of the list. `test` decides it; `value` is the paper's number in `unit`, if it has one.

    `tolerance` is a text as the list has it; `weight` is 3 for a headline, 2 for a figure's message, 1 for a
    detail.
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
        """What the condition of a claim may use, as far as the list says it.

        `value` (a percentage as a fraction), `tolerance`, and `least` and `most`, the ends of the tolerance
        around the value.
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
    """All claims of the list by id, in its order."""
    found = [
        _read(table) for table in read_toml(papers_file("claims.toml"), "a list of claims").tables("claim")
    ]
    return {claim.id: claim for claim in found}


def papers_file(name: str) -> Path:
    """A file of studies/papers: the list, or a file next to it."""
    return Path(str(resources.files("corewise_laboratory") / "studies" / "papers" / name))


@cache
def objections() -> dict[str, str]:
    """What we object to in the list, by id: why."""
    top = read_toml(papers_file("objections.toml"), "objections")
    return {name: top.get(name, str) for name in top.values}


@cache
def undecided() -> dict[str, str]:
    """Claims that no study decides, by id: why."""
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
