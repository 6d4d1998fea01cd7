"""Logs a change of a model: an entry with date and the claims whose outcomes changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from importlib import resources
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.plugin.documents import counted, json_text, read_json, write_whole

from corewise_laboratory.studies.claim_list import listed_claims
from corewise_laboratory.studies.claims_page import figure_text
from corewise_laboratory.studies.decisions import decisions, own_claims
from corewise_laboratory.studies.result import FITTED, StudyResult

LOG = Path("docs/evidence/log/model-changes.md")
_PAPERS = Path("laboratory/corewise_laboratory/studies/papers")
OUTCOMES, CHANGES = _PAPERS / "outcomes.json", _PAPERS / "changes.toml"

# Outcome and our number as text, by claim.
Outcomes = dict[str, list[str]]


def outcomes_of(results: Mapping[str, StudyResult], programs: Mapping[str, str]) -> Outcomes:
    """The outcomes of all decided claims, including our own, and of held-out programs."""
    listed = [(one.claim.id, one.verdict) for one in decisions(results) if one.verdict]
    own = [(f"{study}: {verdict.claim}", verdict) for study, verdict in own_claims(results)]
    found = {name: [verdict.outcome, figure_text(verdict.ours)] for name, verdict in listed + own}
    return found | {f"program {name}": [outcome, "-"] for name, outcome in programs.items()}


def log_change(
    root: Path,
    results: Mapping[str, StudyResult],
    programs: Mapping[str, str],
    reason: str,
    claims: list[str],
) -> str:
    """Compares with stored outcomes, stores the new ones, adds an entry to the log, and returns it.

    `root` is the repository. `claims` are failed claims for which the model was changed, so that they count
    as fitted from now on. Raises InputError outside the repository, and for an unknown claim.
    """
    if not (root / LOG).is_file():
        raise InputError(
            f"{root / LOG} was not found; expected the current folder to be corewise's repository"
        )
    for name in claims:
        if name not in listed_claims():
            raise InputError(
                f"{name} is not in the list of claims; expected an id of {_PAPERS / 'claims.toml'}"
            )
    before = read_json(root / OUTCOMES, "stored outcomes").values
    # Held-out programs keep their outcomes if `programs` has no new ones.
    kept = {name: found for name, found in before.items() if name.startswith("program ") and not programs}
    after = outcomes_of(results, programs) | kept
    after |= {name: [FITTED, after[name][1]] for name in claims if name in after}
    date = datetime.now(timezone.utc).date().isoformat()
    entry = "\n".join(_entry(date, reason, claims, before, after))
    write_whole(root / LOG, (root / LOG).read_text() + "\n" + entry + "\n")
    write_whole(root / OUTCOMES, stored_text(after))
    if claims:
        change = (
            f'\n[[change]]\ndate = "{date}"\nreason = {json_text(reason)}\nclaims = {json_text(claims)}\n'
        )
        write_whole(root / CHANGES, (root / CHANGES).read_text() + change)
    return entry


def check_installed(root: Path) -> None:
    """Raises InputError if a machine file or a study in the repository differs from the installed one."""
    folders = {"corewise/machines": "python", "corewise_laboratory/studies": "laboratory"}
    for folder, part in folders.items():
        package, _, below = folder.partition("/")
        for path in sorted((root / part / folder).glob("*.toml")):
            installed = Path(str(resources.files(package) / below / path.name))
            if not installed.is_file() or installed.read_bytes() != path.read_bytes():
                raise InputError(
                    "differs from the installed file; expected the change to be installed: run scripts/setup",
                    path=path,
                )


def stored_text(outcomes: Outcomes) -> str:
    """The text of the file of outcomes, with a line for each claim."""
    lines = [f" {json_text(name)}: {json_text(found)}" for name, found in outcomes.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _entry(date: str, reason: str, claims: list[str], before: dict[str, Any], after: Outcomes) -> list[str]:
    names = list(dict.fromkeys([*before, *after]))
    none = ["no study", "-"]
    pairs = {name: (before.get(name, none), after.get(name, none)) for name in names}
    changed = {name: pair for name, pair in pairs.items() if pair[0][0] != pair[1][0]}
    n_numbers = sum(old != new for old, new in pairs.values()) - len(changed)
    title, _, rest = reason.partition(". ")
    lines = [f"## {date}: {title}", "", *([rest, ""] if rest else [])]
    if claims:
        lines += [f"Made because these claims failed, which are fitted from now on: {', '.join(claims)}.", ""]
    others = f"{counted(n_numbers, 'other claim')} came to another number and the same outcome."
    if not changed:
        return [*lines, f"No outcome changed. {others}"]
    lines += ["| claim | before | ours | after | ours |", "|---|---|---|---|---|"]
    lines += [
        f"| {name} | {old[0]} | {old[1]} | {new[0]} | {new[1]} |" for name, (old, new) in changed.items()
    ]
    return [*lines, "", others]
