"""The table of every claim that was judged, from the studies' results: docs/evidence/log/claims.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from corewise_laboratory.studies.result import StudyResult, Verdict
from corewise_laboratory.studies.results import HOLDS, SIGNS, figure_text

OWN = "-"  # the paper's figure of a claim that no paper makes

_HEAD = """# Claims of the papers, judged

Every claim of the papers that a study judges. This page is made by a command:
`corewise study --all --computed -o FOLDER --table docs/evidence/log/claims.md`.

* Computed: from the paper's patterns, stored matrices and machine files, by the engine that the study names.
* Emulated and simulated runs, and runs on this machine, have a number where they were run before in the same
  folder, by `corewise study NAME -o FOLDER/NAME`; else nothing was run.
* A claim holds where its number is within the tolerance that it says, or where what it says without a number
  is so here too; else it does not hold, or cannot be judged.
* Sign: whether what is faster, greater, or falls in the paper is so here, whatever the number. A dash: the
  paper's number has no sign (a count, a ratio of bytes or messages), or the claim cannot be judged.
* Fitted: a figure of the machine file, or the part of a core that a run gives to protocol work, was chosen by
  the figure of the claim.
"""


def claims_page(results: Mapping[str, StudyResult]) -> str:
    """The whole page: how many claims there are of each outcome, then a table for each study."""
    claims = [claim for result in results.values() for claim in result.claims]
    lines = [_HEAD, *_summary(claims)]
    for name, result in results.items():
        lines += ["", f"## {name}", "", f"{result.title} ({result.paper})", ""]
        lines += ["| figure | claim | formula | machine | paper | ours | source | fitted | sign | outcome |"]
        lines += ["|---|---|---|---|---|---|---|---|---|---|"]
        lines += [_row(claim) for claim in result.claims]
        reasons = dict.fromkeys(
            f"* *{claim.claim}* ({', '.join(claim.machines)}): {claim.because}."
            for claim in result.claims
            if claim.holds is not True
        )
        lines += ["", *reasons] if reasons else []
    return "\n".join(lines) + "\n"


def _summary(claims: list[Verdict]) -> list[str]:
    """A table of outcomes by source, and how many of the decided claims that weren't fitted are right."""
    counts = Counter((claim.source, claim.holds) for claim in claims)
    sources = sorted({source for source, _ in counts})
    lines = ["| source | " + " | ".join(HOLDS.values()) + " |", "|---" * (len(HOLDS) + 1) + "|"]
    for source in sources:
        numbers = [str(counts[source, holds]) for holds in HOLDS]
        lines.append(f"| {source} | " + " | ".join(numbers) + " |")
    decided = [claim for claim in claims if claim.paper != OWN and claim.holds is not None]
    n_fitted = sum(claim.fitted for claim in decided)
    decided = [claim for claim in decided if not claim.fitted]
    signed = [claim.sign_right for claim in decided if claim.sign_right is not None]
    unsigned = [claim.holds for claim in decided if claim.sign_right is None]
    return [
        *lines,
        "",
        f"Of the papers' claims that were decided and not fitted, the sign is right in {_share(signed)}. "
        f"Numbers without a sign are within their tolerance in {_share(unsigned)}. The whole claim holds in "
        f"{_share([claim.holds for claim in decided])}. Fitted claims ({n_fitted}) are not in these "
        "counts. A claim with a dash for the paper's figure is our own.",
    ]


def _share(true: Sequence[bool | None]) -> str:
    """How many of them are, and the share in percent."""
    n = sum(each is True for each in true)
    return f"{n} of {len(true)} ({100 * n / len(true):.1f} %)" if true else "none of none"


def _row(claim: Verdict) -> str:
    cells = [
        claim.figure,
        claim.claim,
        f"`{claim.formula}`",
        ", ".join(claim.machines),
        figure_text(claim.paper),
        figure_text(claim.ours),
        claim.source,
        "yes" if claim.fitted else "no",
        SIGNS[claim.sign_right],
        HOLDS[claim.holds],
    ]
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
