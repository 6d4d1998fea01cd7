"""This Python with corewise for a machine where neither is installed: all needed files in one folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

# Prints the files of corewise's modules, of all that they load, and of codecs, which are loaded when a file
# is read. Some modules can't be imported: scripts that other programs start, and codecs of other systems.
_LOADED = """
import contextlib, encodings, importlib, pkgutil, sys, corewise
for package in corewise, encodings:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
for module in list(sys.modules.values()):
    path = getattr(module, "__file__", None)
    for found in (path, getattr(module, "__cached__", None)) if path else ():
        print(found)
"""
NATIVE = ("corewise-bind", "corewise-mask", "corewise-topology", "libcorewise_pmpi_mpich.so")


def python_parts(folder: Path) -> tuple[list[Path], str]:
    """The files to add to the machine, and the words that start a script there."""
    home = folder / "python"
    modules = home / "lib" / f"python{sysconfig.get_python_version()}"
    (modules / "lib-dynload").mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, timeout=100, check=True
    )
    places = sorted((Path(place) for place in sys.path if Path(place).is_dir()), key=lambda p: -len(p.parts))
    for path in sorted({Path(line) for line in done.stdout.splitlines()}):
        place = next((place for place in places if path.is_relative_to(place)), None)
        if place and path.is_file():
            _copy(path, modules / path.relative_to(place))
    package = Path(sysconfig.get_path("purelib")) / "corewise"
    for name in NATIVE:
        _copy(package / "native" / name, modules / "corewise" / "native" / name)
    for table in package.rglob("*.toml"):
        _copy(table, modules / table.relative_to(package.parent))
    for library in package.parent.glob("numpy.libs/*"):
        _copy(library, modules / "numpy.libs" / library.name)
    executable = Path(sys.executable).resolve()
    start = f"PYTHONHOME=/lab/python OPENBLAS_NUM_THREADS=1 {executable.name}"
    return [home, executable], start


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if not to.exists():
        shutil.copy2(path, to)
