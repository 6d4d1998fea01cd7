"""Lines of each room: hand-written code and tests, every line of a file counted, as `wc -l` does.

Run as a program, it prints the rooms with their lines and budgets. room_budgets.toml names the rooms.
"""

from __future__ import annotations

import re
from pathlib import Path

from sources import COPIED, ROOT, named, repository_files

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

BUDGETS = Path(__file__).with_name("room_budgets.toml")

_CODE = {".c", ".h", ".cpp", ".hpp", ".py", ".js", ".ts", ".mjs", ".css", ".html", ".sh", ".cmake", ".pml"}
_CODE |= {".f90", ".F90", ".in", ".def"}
_CODE_NAMES = {"CMakeLists.txt", "Makefile", "Containerfile"}
_BUILT = "python/corewise/page/templates/page.js"  # scripts/build-page writes it


def budgets() -> dict[str, dict[str, int]]:
    """Room -> {"code": most lines, "tests": most lines}."""
    return tomllib.loads(BUDGETS.read_text())


def lines_of_rooms(rooms: list[str]) -> dict[str, dict[str, int]]:
    """Room -> {"code": lines, "tests": lines}. A file counts in the deepest folder that contains it."""
    lines = {room: {"code": 0, "tests": 0} for room in rooms}
    for path in repository_files():
        if is_hand_written(path):
            room = max((room for room in rooms if path.is_relative_to(ROOT / room)), key=len)
            lines[room]["tests" if is_test(path) else "code"] += path.read_bytes().count(b"\n")
    return lines


def is_hand_written(path: Path) -> bool:
    """False for data, documents, recorded inputs and outputs, and files that were copied or built."""
    name = named(path)
    if path.parent == COPIED or name == _BUILT or name.startswith("fixtures/"):
        return False
    if "/golden/" in name and path.suffix != ".py":
        return False
    by_name = path.name in _CODE_NAMES or path.suffix in _CODE
    return by_name or not path.suffix and path.read_bytes()[:2] == b"#!"


def is_test(path: Path) -> bool:
    """Tests are known by their folder or their name."""
    name = path.name
    in_folder = {"test", "tests"} & set(path.relative_to(ROOT).parts[:-1])
    by_name = r"test_.*\.py|conftest\.py|.*\.test\.js|.*_test\.(c|cpp|py|js)"
    return bool(in_folder) or re.fullmatch(by_name, name) is not None


def main() -> None:
    """Prints a line for each room, and the sums."""
    allowed = budgets()
    found = lines_of_rooms(list(allowed))
    for kind in ("code", "tests"):
        print(f"{kind:40} {'lines':>7} {'budget':>7}")
        for room in [*sorted(found), "sum"]:
            parts = found.values() if room == "sum" else [found[room]]
            limits = allowed.values() if room == "sum" else [allowed[room]]
            lines, limit = sum(p[kind] for p in parts), sum(b.get(kind, 0) for b in limits)
            if lines or limit:
                print(f"{room:40} {lines:7} {limit:7}")


if __name__ == "__main__":
    main()
