"""The repository's own files, for the tests of house rules."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "corewise"
LABORATORY = ROOT / "laboratory" / "corewise_laboratory"
COPIED = ROOT / "preload" / "abi"  # the MPI Forum's header, unchanged

SOURCES = {".c", ".cpp", ".css", ".f90", ".F90", ".f", ".h", ".hpp", ".html", ".js", ".py", ".sh", ".cmake"}


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file of the repository, sorted: what git tracks, and new files that it does not ignore."""
    ask = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split("\0")
    paths = (ROOT / name for name in names if not Path(name).name.startswith(".git"))
    return tuple(sorted(path for path in paths if path.is_file()))


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


def _is_script(path: Path) -> bool:
    return path.suffix == "" and path.read_bytes()[:2] == b"#!"
