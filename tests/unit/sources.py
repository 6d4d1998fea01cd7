"""The repository's own files, for the tests of house rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "corewise"
LABORATORY = ROOT / "laboratory" / "corewise_laboratory"
COPIED = ROOT / "preload" / "abi"  # the MPI Forum's header, unchanged

# created by builds, tools and runs; never committed
_MADE = {".git", ".venv", "build", "demo-out", "__pycache__", ".pytest_cache", ".hypothesis", ".ruff_cache"}

SOURCES = {".c", ".cpp", ".css", ".f90", ".F90", ".f", ".h", ".hpp", ".html", ".js", ".py", ".sh", ".cmake"}


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file of the repository, sorted."""
    return tuple(sorted(_files_below(ROOT)))


@cache
def source_files() -> tuple[Path, ...]:
    """Files of code: known by their suffix, or scripts known by their first line."""
    return tuple(
        path
        for path in repository_files()
        if path.parent != COPIED and (path.suffix in SOURCES or _is_script(path))
    )


def named(path: Path) -> str:
    """The path relative to the repository's root, for messages."""
    return path.relative_to(ROOT).as_posix()


@cache
def python_modules(package: Path = PACKAGE) -> dict[str, ast.Module]:
    """Module name -> parsed source, for every module of a package: PACKAGE (the tool) or LABORATORY."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        modules[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text(), str(path))
    return modules


def _files_below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _MADE or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.is_file() and not path.name.startswith(".git"):
            yield path


def _is_script(path: Path) -> bool:
    return path.suffix == "" and path.read_bytes()[:2] == b"#!"
