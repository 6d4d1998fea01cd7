#!/usr/bin/env python3
"""List the skipped tests in JUnit files; exit code 1 if scripts/setup installs what a test lacked.

A skip is fine if this machine cannot run the test whatever is installed: too few cores, no root, a kernel
without the feature. CANNOT_BE_INSTALLED names these reasons. Every other reason counts as something that
scripts/setup installs.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

CANNOT_BE_INSTALLED = re.compile(
    r"""
      needs[ ](two|four|eight)[ ](cores|PUs) | (a[ ]single|one)[ ](core|CPU)\b
    | (too[ ]many|on[ ]more)[ ]cores
    | cores[ ]of[ ]their[ ]own | memory[ ]was[ ]not[ ]bound
    | this[ ]machine[ ]has | this[ ]process[ ](has|may) | needs[ ]a[ ]network[ ]card
    | only[ ]root[ ]can | no[ ].*[ ]may[ ]be[ ](set|made|mounted)[ ]here | mounting[ ]a[ ]tmpfs
    | this[ ]kernel[ ] | this[ ]system[ ]refuses | no[ ]/dev/full
    | could[ ]not[ ]be[ ]had[ ]again  # a pid that another process took meanwhile
    | it[ ]is[ ]not[ ]ours[ ]to[ ]hand[ ]on  # data that may not be in the repository
    """,
    re.VERBOSE,
)


def skips(junit_file: Path) -> list[tuple[str, str]]:
    """(reason, test) of each skipped test; pytest and CTest write the reason in different places."""
    found = []
    for case in ElementTree.parse(junit_file).iter("testcase"):
        skipped = case.find("skipped")
        if skipped is None:
            continue
        reason = skipped.get("message") or ""
        printed = case.findtext("system-out") or ""
        if "SKIP_REGULAR_EXPRESSION" in reason:  # GoogleTest prints FILE:LINE: Skipped, then the reason
            lines = printed.splitlines()
            at = next((i for i, line in enumerate(lines) if line.endswith(": Skipped")), len(lines) - 1)
            reason = " ".join(lines[at + 1 : at + 2]) or "no reason printed"
        found.append((reason, f"{case.get('classname')}::{case.get('name')}"))
    return found


def main(folder: str) -> int:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for file in sorted(Path(folder).glob("*.xml")):
        for reason, test in skips(file):
            by_reason[reason].append(f"{file.stem}: {test}")
    missing = 0
    for reason, tests in sorted(by_reason.items()):
        accepted = CANNOT_BE_INSTALLED.search(reason) is not None
        missing += not accepted
        print(f"{len(tests):4d}  {reason}{'' if accepted else '  <- scripts/setup installs this'}")
        for test in tests[: 3 if accepted else None]:
            print(f"        {test}")
    print(f"{sum(map(len, by_reason.values()))} skipped tests, {len(by_reason)} reasons")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
