"""Finds phrases in pages and code that readers stumble over, and prints better ones: a part of scripts/lint.

Code in pages and the files of RECORDS are left out.
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
    "anything else": "a list, or leave it out",
    "as it is": "unchanged",
    "as many as": "the same number of",
    "as they are": "unchanged",
    "at hand": "available",
    "at the begin": "at the start",
    "behind (?:a|the) (?:swap|window)": "after the swap",
    "besides?": "next to, compared with, or while ... runs",
    "by and by": "gradually",
    "for want of": "because there is no",
    "goes on": "continues",
    "in vain": "without success",
    "(?:is|are) held to": "is limited to",
    "(?:is|are) told": "is reported",
    "look(?:s|ed|ing)? at": "reads, checks",
    "look(?:s|ed|ing)? for": "searches for",
    "mended": "fixed",
    "of (?:its|their) own": "its own, separate",
    "quiet machine": "idle machine",
    "(?:is|are) said": "is reported",
    "so many": "n",
    "stand-in": "substitute, simulated load",
    "stands (?:still|there)": "is blocked, is in",
    "taken back": "undone",
    "tells": "reports, shows, prints",
    "what it takes": "its duration",
    "whatever else": "a list",
    "who isn't": "without, as a non-...",
}
CODE = (".c", ".cmake", ".cpp", ".def", ".f90", ".h", ".hpp", ".html", ".js", ".py", ".sh", ".toml")
# Folders without their .md and .toml: experiments, frozen claims, machines whose bytes results depend on.
RECORDS = ("docs/evidence/log", "laboratory/corewise_laboratory/studies", "python/corewise/machines")
NOT_PROSE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def texts() -> Iterator[Path]:
    """Every page of the repository but the record, and every source file but this one."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in MADE)
        record = Path(folder).relative_to(ROOT).as_posix().startswith(RECORDS)
        for path in (Path(folder) / name for name in sorted(names)):
            is_text = path.suffix in (".md", *CODE) or (path.suffix == "" and _is_script(path))
            left_out = path == Path(__file__).resolve() or (record and path.suffix in (".md", ".toml"))
            if is_text and not left_out:
                yield path


def _is_script(path: Path) -> bool:
    """Makefile, or a script without an ending."""
    with path.open("rb") as file:
        return path.name == "Makefile" or file.read(2) == b"#!"


# One group for each phrase.
PHRASES = re.compile("|".join(rf"(\b{phrase}\b)" for phrase in BETTER), re.IGNORECASE)


def findings(path: Path) -> Iterator[str]:
    """One sentence for each phrase of a text: "line 3: ..."."""
    text = path.read_text(errors="replace")
    prose = NOT_PROSE.sub(lambda code: "\n" * code[0].count("\n"), text) if path.suffix == ".md" else text
    better = list(BETTER.values())
    for found in PHRASES.finditer(prose):
        number = prose.count("\n", 0, found.start()) + 1
        yield f'line {number}: found "{found[0]}"; write "{better[found.lastindex - 1]}"'


def main() -> int:
    """Prints all findings; 1 if there is one."""
    all_found = [f"{page.relative_to(ROOT)} {one}" for page in texts() for one in findings(page)]
    print(*all_found, sep="\n", end="\n" if all_found else "", file=sys.stderr)
    return 1 if all_found else 0


if __name__ == "__main__":
    sys.exit(main())
