"""Order of the folders in core/src: a file includes only its own folder and folders before it."""

import re

import pytest
from sources import ROOT, named

SRC = ROOT / "core" / "src"

# Folders of one line never include each other. `solvers` itself has the table of solvers and solve().
ORDER = [
    {"topology", "traffic", "placement"},
    {"estimate", "objectives"},
    {"solvers/problem"},
    {"solvers/patterns"},
    {"solvers/search", "solvers/bounds"},
    {"solvers/exact"},
    {"solvers/heuristics"},
    {"solvers"},
    {"advise"},
]
RANK = {folder: rank for rank, folders in enumerate(ORDER) for folder in folders}

# Headers that any folder may include: those of the nouns, and general helpers.
COMMON = re.compile(r"corewise/|corewise_formats/|checked\.hpp$|overloads\.hpp$|text\.hpp$")
# Declarations of the functions that a table's rows call. The files that define these functions include them,
# too.
TABLES = {"solvers/rows.hpp", "objectives/rows.hpp"}


def folder_of(path: str) -> str:
    """`solvers/search/starts/bisect.hpp` is in "solvers/search", `solvers/solve.cpp` in "solvers"."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2] if parts[0] == "solvers" else parts[:1])


def includes(path) -> list[str]:
    """The quoted includes of a file, relative to core/src."""
    found = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M)
    return [name for name in found if not COMMON.match(name)]


SOURCES = sorted(path for path in SRC.rglob("*.[ch]pp") if path.parent != SRC)


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_file_of_the_core_includes_a_folder_that_stands_later(path):
    folder = folder_of(str(path.relative_to(SRC)))
    for name in includes(path):
        other = folder_of(name)
        allowed = other == folder or RANK[other] < RANK[folder] or name in TABLES
        assert allowed, f"{named(path)} ({folder}) includes {name}"


def test_only_the_table_of_objectives_knows_their_names():
    names = re.findall(r'\.name = "([^"]+)"', (SRC / "objectives" / "registry.cpp").read_text())
    assert len(names) >= 4
    for path in SOURCES:
        if folder_of(str(path.relative_to(SRC))) != "objectives":
            assert [name for name in names if f'"{name}"' in path.read_text()] == [], named(path)


def test_includes_are_written_from_the_source_folder():
    for path in SOURCES:
        assert [name for name in includes(path) if not (SRC / name).is_file()] == [], named(path)


def test_no_two_headers_of_the_core_include_each_other():
    graph = {str(path.relative_to(SRC)): includes(path) for path in SRC.rglob("*.hpp")}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above, name))
        if name not in done:
            for other in graph.get(name, []):
                visit(other, (*above, name))
            done.add(name)

    for name in graph:
        visit(name, ())
