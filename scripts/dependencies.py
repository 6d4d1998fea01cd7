"""Print requirements that pyproject.toml names, one a line.

python scripts/dependencies.py pyproject.toml requires dependencies test
"""

import re
import sys
from pathlib import Path


def requirements(text: str, lists: list[str]) -> list[str]:
    """Every quoted requirement of the lists of these names (Python 3.10 has no tomllib)."""
    found = []
    for block in re.findall(rf"^(?:{'|'.join(lists)})\s*=\s*\[(.*?)\]$", text, re.S | re.M):
        found += re.findall(r'"([^"]+)"', block)
    return found


if __name__ == "__main__":
    print("\n".join(requirements(Path(sys.argv[1]).read_text(), sys.argv[2:])))
