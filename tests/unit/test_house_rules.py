"""House rules that a machine can check: first lines, docstrings, doc comments, sizes, registers, start-up."""

import ast
import re
import subprocess
import sys

import pytest
from corewise.batch import BATCH_SYSTEMS
from corewise.checks import CHECKS
from corewise.cli import COMMANDS
from corewise.installation.capabilities import CAPABILITIES
from corewise.launchers import EXPORTED, LAUNCHERS
from corewise.model import objectives, solvers
from room_sizes import budgets, lines_of_rooms
from sources import LABORATORY, ROOT, named, python_modules, repository_files, source_files

MOST_LINES = 450

# name -> why the file is longer. Remove a file from this list once it is short enough.
LONG_FILES: dict[str, str] = {}

COMMENT_START = {
    ".py": r'"""',
    ".c": r"/\*|//",
    ".h": r"/\*|//",
    ".cpp": r"//",
    ".hpp": r"//",
    ".js": r"//",
    ".css": r"/\*",
    ".html": r"\{#",
    ".cmake": r"#",
    ".f90": r"!",
    ".F90": r"!",
    ".f": r"[!cC*]",
}


def first_words(path) -> str:
    """The first line after a shebang, without its comment sign. Fails if it is no comment."""
    lines = path.read_text().splitlines()
    line = lines[1] if lines and lines[0].startswith("#!") else (lines or [""])[0]
    start = COMMENT_START.get(path.suffix, "#")
    assert re.match(rf"\s*(?:{start})", line), f"{named(path)} starts with {line[:60]!r}"
    return re.sub(rf"^\s*(?:{start})[/*!\s]*", "", line)


@pytest.mark.parametrize("path", source_files(), ids=named)
def test_the_first_line_says_what_the_file_is_for(path):
    assert len(first_words(path).split()) >= 3, f"{named(path)} starts with {first_words(path)!r}"


def test_files_stay_short():
    lengths = {named(path): len(path.read_text().splitlines()) for path in source_files()}
    long = {name: length for name, length in lengths.items() if length > MOST_LINES}
    assert long.keys() == LONG_FILES.keys(), f"over {MOST_LINES} lines: {long}"


# All rooms together. tests/unit/room_budgets.toml has the budget of each, and says how one is raised.
MOST_LINES_IN_ALL = {"code": 92_000, "tests": 47_000}


def test_rooms_keep_their_budgets():
    allowed = budgets()
    found = lines_of_rooms(list(allowed))
    over = {
        f"{room}, {kind}": f"{lines} lines, budget {allowed[room].get(kind, 0)}"
        for room, parts in found.items()
        for kind, lines in parts.items()
        if lines > allowed[room].get(kind, 0)
    }
    assert over == {}, "remove something first; tests/unit/room_budgets.toml says how a budget is raised"


@pytest.mark.parametrize("kind", MOST_LINES_IN_ALL)
def test_the_budgets_of_all_rooms_stay_within_that_of_the_house(kind):
    assert sum(budget.get(kind, 0) for budget in budgets().values()) <= MOST_LINES_IN_ALL[kind]


def public_without_docstring(module: str, tree: ast.Module) -> list[str]:
    missing = [] if ast.get_docstring(tree) else [module]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in tree.body:
        if isinstance(node, kinds) and not node.name.startswith("_") and not ast.get_docstring(node):
            missing.append(f"{module}.{node.name}")
    return missing


MODULES = python_modules() | python_modules(LABORATORY)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_public_modules_functions_and_classes_have_docstrings(module):
    assert public_without_docstring(module, MODULES[module]) == []


def undocumented(header: str) -> list[str]:
    """Declarations at namespace scope without a `///` comment before them."""
    lines = header.splitlines()
    starts = r"(?:\[\[|struct|class|enum|template|inline|constexpr|using|[A-Za-z_][\w:<>,&* ]* \w+\()"
    missing = []
    for number, line in enumerate(lines):
        forward = re.fullmatch(r"(?:struct|class) \w+;", line)
        if not re.match(starts, line) or line.startswith("using namespace") or forward:
            continue
        before = lines[number - 1]
        if "///<" not in line and not before.startswith(("///", "template")):
            missing.append(line)
    return missing


@pytest.mark.parametrize("path", sorted((ROOT / "core" / "include").rglob("*.hpp")), ids=named)
def test_public_declarations_of_the_core_have_doc_comments(path):
    assert undocumented(path.read_text()) == []


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(list(BATCH_SYSTEMS), id="batch systems"),
        pytest.param(list(CAPABILITIES), id="capabilities"),
        pytest.param(list(CHECKS), id="checks"),
        pytest.param(list(COMMANDS), id="commands"),
        pytest.param(list(EXPORTED), id="exported launchers"),
        pytest.param(list(LAUNCHERS), id="launchers"),
        pytest.param([row.name for row in objectives()], id="objectives"),
        pytest.param([row.name for row in solvers()], id="solvers"),
    ],
)
def test_registers_are_sorted_by_name(names):
    assert names and names == sorted(names)


# In pieces, so that this file doesn't match.
PLACES = [
    r"/ro" r"ot/",
    r"/wo" r"rk/(?:main|wt|shared)",
    r"/ho" r"me/[a-z]",
    r"bash_" r"jobs",
    r"://[^/\s]*(?:regis" r"try|pro" r"xy)",
]


def test_no_file_names_a_place_of_one_machine():
    for path in repository_files():
        found = re.search("|".join(PLACES).encode(), path.read_bytes())
        assert not found or path.suffix in {".png", ".npz", ".cwprof"}, f"{named(path)}: {found[0]!r}"


# These files may link hwloc, but not each other. They may share `formats`, but that has only file formats.
HWLOC_READERS = ("affinity/src/machine.c", "core/src/topology/hwloc_reader.cpp", "node/topology.c")


def test_all_readers_of_topologies_leave_out_the_same_plugins_of_hwloc():
    lists = [re.findall(r'\{("cuda",[^}]*)\}', (ROOT / path).read_text()) for path in HWLOC_READERS]
    assert len(lists[0]) == 1
    assert lists == [lists[0]] * len(HWLOC_READERS)


def test_the_command_line_starts_without_the_heavy_modules():
    heavy = {"corewise._core", "jinja2", "matplotlib", "numpy", "rich"}
    script = "import sys, corewise.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert heavy & set(loaded.split()) == set()


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_a_subcommand_imports_nothing_heavy_before_it_is_called(verb):
    script = f"import sys, corewise.cli.{verb}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert {"corewise._core", "jinja2", "matplotlib", "numpy"} & set(loaded.split()) == set()


def test_a_trace_loads_no_numpy():
    """Loading NumPy takes .14 s, longer than the rest of the command; the tracer doesn't need it."""
    modules = "corewise.start.application, corewise.observe.tracing, corewise.profile.text"
    script = f"import sys, {modules}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert {"jinja2", "matplotlib", "numpy", "rich"} & set(loaded.split()) == set()
