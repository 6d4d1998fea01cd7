"""Print what pyproject.toml names, one requirement a line: build, run-time and test dependencies."""

import re
import sys
from pathlib import Path


def requirements(text: str) -> list[str]:
    """Every quoted requirement of the lists requires, dependencies and test (Python 3.10 has no tomllib)."""
    found = []
    for block in re.findall(r"^(?:requires|dependencies|test)\s*=\s*\[(.*?)\]$", text, re.S | re.M):
        found += re.findall(r'"([^"]+)"', block)
    return found


if __name__ == "__main__":
    print("\n".join(requirements(Path(sys.argv[1]).read_text())))
