"""The table of every claim that was judged: Markdown for docs/claims.md, from the studies' documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from corewise.studies.results import HOLDS, figure_text

OWN = "-"  # the paper's figure of a claim that no paper makes

_HEAD = """# Claims of the papers, judged

Every claim of the papers that a study judges. This page is made by a command:
`corewise study --all --computed --table docs/claims.md`.

* Computed: from the paper's patterns, stored matrices and machine files, by the engine that the study names.
* Emulated and simulated runs, and runs on this machine, have a number where they were run before in the same
  folder (`-o`); else nothing was run.
* A claim holds, does not hold, or cannot be judged. Fitted: a figure of the machine file was chosen so that
  the claim holds.
"""


def claims_page(documents: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole page: how many claims there are of each outcome, then a table for each study."""
    claims = [claim for document in documents.values() for claim in document["claims"]]
    lines = [_HEAD, *_summary(claims)]
    for name, document in documents.items():
        lines += ["", f"## {name}", "", f"{document['title']} ({document['paper']})", ""]
        lines += ["| figure | claim | formula | machine | paper | ours | source | fitted | outcome |"]
        lines += ["|---|---|---|---|---|---|---|---|---|"]
        lines += [_row(claim) for claim in document["claims"]]
        reasons = dict.fromkeys(
            f"* *{claim['claim']}* ({', '.join(claim['machines'])}): {claim['because']}."
            for claim in document["claims"]
            if claim["holds"] is not True
        )
        lines += ["", *reasons] if reasons else []
    return "\n".join(lines) + "\n"


def _summary(claims: list[Mapping[str, Any]]) -> list[str]:
    """A table of outcomes by source, and the share of decided claims that hold and weren't fitted."""
    counts = Counter((claim["source"], claim["holds"]) for claim in claims)
    sources = sorted({source for source, _ in counts})
    lines = ["| source | " + " | ".join(HOLDS.values()) + " |", "|---" * (len(HOLDS) + 1) + "|"]
    for source in sources:
        numbers = [str(counts[source, holds]) for holds in HOLDS]
        lines.append(f"| {source} | " + " | ".join(numbers) + " |")
    of_papers = [claim for claim in claims if claim["paper"] != OWN]
    decided = [claim for claim in of_papers if claim["holds"] is not None and not claim["fitted"]]
    held = sum(claim["holds"] for claim in decided)
    last = f"Of the papers' claims, {len(decided)} were decided and not fitted; {held} of them hold."
    return [*lines, "", f"{last} A claim with a dash for the paper's figure is our own."]


def _row(claim: Mapping[str, Any]) -> str:
    cells = [
        claim["figure"],
        claim["claim"],
        f"`{claim['formula']}`",
        ", ".join(claim["machines"]),
        figure_text(claim["paper"]),
        figure_text(claim["ours"]),
        claim["source"],
        "yes" if claim["fitted"] else "no",
        HOLDS[claim["holds"]],
    ]
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
