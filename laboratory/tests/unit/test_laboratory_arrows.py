"""The laboratory uses the tool by its public interface: `import corewise`, and modules that are public.

laboratory/benchmarks/ measures parts of the tool, so its programs import the parts that they measure.
"""

import ast
import importlib

import corewise
import pytest
from sources import ROOT, named

PACKAGE = ROOT / "laboratory" / "corewise_laboratory"
DOORS = sorted(f"corewise.plugin.{path.stem}" for path in (ROOT / "python/corewise/plugin").glob("[a-z]*.py"))
PUBLIC_MODULES = {"corewise.errors", "corewise.model", "corewise.statistics", *DOORS}


def imports_of(path) -> set[tuple[str, str]]:
    """(module of corewise, name) of all imports of a file, inside functions too; "" for a whole module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {(node.module, alias.name) for alias in node.names}
    return {(module, name) for module, name in found if module.split(".")[0] == "corewise"}


def is_public(module: str, name: str) -> bool:
    if module == "corewise":
        return name in ("", "model", *corewise.__all__)
    if module == "corewise.plugin":
        return f"{module}.{name}" in PUBLIC_MODULES
    return module in PUBLIC_MODULES and name in ("", *public_names(module))


def public_names(module: str) -> list[str]:
    """__all__ of a door; without it, what the module itself does not mark as private."""
    found = importlib.import_module(module)
    return getattr(found, "__all__", [name for name in vars(found) if not name.startswith("_")])


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=named)
def test_only_public_names_of_the_tool_are_imported(path):
    assert [each for each in sorted(imports_of(path)) if not is_public(*each)] == []


def test_what_is_not_public_is_seen(tmp_path):
    (tmp_path / "module.py").write_text("def f():\n    from corewise.execute.start import start\n")
    assert [each for each in imports_of(tmp_path / "module.py") if not is_public(*each)] == [
        ("corewise.execute.start", "start")
    ]


@pytest.mark.parametrize("door", DOORS)
def test_the_laboratory_needs_every_name_of_a_door(door):
    used = {name for path in PACKAGE.rglob("*.py") for module, name in imports_of(path) if module == door}
    text = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    stem = door.rpartition(".")[2]
    assert [name for name in public_names(door) if name not in used and f"{stem}.{name}(" not in text] == []
