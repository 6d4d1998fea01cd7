"""The laboratory uses the tool by its public interface: `import corewise`, and public modules.

laboratory/benchmarks/ measures parts of the tool, so its programs may import these parts.
"""

import ast
import importlib

import corewise
import pytest
from sources import LABORATORY, PACKAGE, python_modules

DOORS = sorted(f"corewise.plugin.{path.stem}" for path in (PACKAGE / "plugin").glob("[a-z]*.py"))
PUBLIC_MODULES = {"corewise.errors", "corewise.model", "corewise.statistics", *DOORS}

# A package may import packages of lower levels and itself, as in the tool.
LEVEL = {
    "corewise_laboratory": 0,
    "native": 0,
    "packet_work": 0,
    "pattern_steps": 0,
    "protocol_work": 0,
    "clusters": 1,
    "microbench": 1,
    "sweep": 1,
    "workloads": 2,
    "studies": 3,
    "cli": 4,
}


def imports_of(tree: ast.Module) -> set[tuple[str, str]]:
    """(module, name) of all imports, including those inside functions; name is "" for a whole module."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {(node.module, alias.name) for alias in node.names}
    return found


def deeper_imports(tree: ast.Module) -> list[tuple[str, str]]:
    """Imports of modules of the tool that are not public."""
    found = {(module, name) for module, name in imports_of(tree) if module.split(".")[0] == "corewise"}
    return sorted(each for each in found if not is_public(*each))


def is_public(module: str, name: str) -> bool:
    if module == "corewise":
        return name in ("", "model", *corewise.__all__)
    if module == "corewise.plugin":
        return f"{module}.{name}" in PUBLIC_MODULES
    return module in PUBLIC_MODULES and name in ("", *public_names(module))


def public_names(module: str) -> list[str]:
    """__all__ of a module; without it, all names that are not private."""
    found = importlib.import_module(module)
    return getattr(found, "__all__", [name for name in vars(found) if not name.startswith("_")])


def room_of(module: str) -> str:
    """`corewise_laboratory.studies.claims` is in "studies", `corewise_laboratory` in itself."""
    return [*module.split("."), module][1]


@pytest.mark.parametrize("module", python_modules(LABORATORY))
def test_only_public_names_of_the_tool_are_imported(module):
    assert deeper_imports(python_modules(LABORATORY)[module]) == []


def test_what_is_not_public_is_seen():
    tree = ast.parse("def f():\n    from corewise.start.launching import start\n")
    assert deeper_imports(tree) == [("corewise.start.launching", "start")]


@pytest.mark.parametrize("module", python_modules(LABORATORY))
def test_imports_within_the_laboratory_follow_the_arrows(module):
    room = room_of(module)
    for imported, name in imports_of(python_modules(LABORATORY)[module]):
        if imported.split(".")[0] == "corewise_laboratory":
            target = room_of(f"{imported}.{name}" if imported == "corewise_laboratory" else imported)
            assert target == room or LEVEL[target] < LEVEL[room], f"{module} imports {imported}"


def test_every_room_has_its_level():
    assert {room_of(module) for module in python_modules(LABORATORY)} == set(LEVEL)


@pytest.mark.parametrize("door", DOORS)
def test_the_laboratory_needs_every_name_of_a_door(door):
    trees = python_modules(LABORATORY).values()
    used = {name for tree in trees for module, name in imports_of(tree) if module == door}
    text = "".join(ast.unparse(tree) for tree in trees)
    unused = set(public_names(door)) - used
    assert [name for name in unused if f"{door.rpartition('.')[2]}.{name}(" not in text] == []
