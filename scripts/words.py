"""Finds phrases in our pages that readers stumble over, and prints better ones: a part of scripts/lint.

Code in pages, and the record of experiments (docs/evidence/log), are left out.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

MADE = {"build", "demo-out", "node_modules"}  # by builds, tools and runs

# Whole words, in any case.
BETTER = {
    "anew": "again",
    "as it is": "unchanged",
    "as many as": "the same number of",
    "as they are": "unchanged",
    "at the begin": "at the start",
    "behind (?:a|the) (?:swap|window)": "after the swap",
    "besides?": "next to, compared with, or while ... runs",
    "by and by": "gradually",
    "for want of": "because there is no",
    "goes on": "continues",
    "in vain": "without success",
    "(?:is|are) held to": "is limited to",
    "(?:is|are) told": "is reported",
    "look(?:s|ed) at": "reads, checks",
    "look(?:s|ed)? for": "searches for",
    "mended": "fixed",
    "of (?:its|their) own": "its own, separate",
    "quiet machine": "idle machine",
    "so many": "n",
    "stand-in": "substitute, simulated load",
    "stands (?:still|there)": "is blocked, is in",
    "what it takes": "its duration",
    "whatever else": "a list",
    "who isn't": "without, as a non-...",
}
PHRASES = re.compile("|".join(rf"(\b{phrase}\b)" for phrase in BETTER), re.IGNORECASE)
NOT_PROSE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[Path]:
    """Every page of the repository but the record."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in MADE)
        if Path(folder) != ROOT / "docs" / "evidence" / "log":
            yield from (Path(folder) / name for name in sorted(names) if name.endswith(".md"))


def findings(text: str) -> Iterator[str]:
    """One sentence for each phrase of a page: "line 3: ..."."""
    prose = NOT_PROSE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(prose.splitlines(), 1):
        for found in PHRASES.finditer(line):
            better = list(BETTER.values())[found.lastindex - 1]
            yield f'line {number}: found "{found[0]}"; write "{better}"'


def main() -> int:
    """Prints all findings; 1 if there is one."""
    all_found = [f"{page.relative_to(ROOT)} {one}" for page in pages() for one in findings(page.read_text())]
    print(*all_found, sep="\n", end="\n" if all_found else "", file=sys.stderr)
    return 1 if all_found else 0


if __name__ == "__main__":
    sys.exit(main())
