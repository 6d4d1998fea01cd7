"""A folder of MPI programs, one source file each: Open MPI's public tests, or `test/` of its source."""

from __future__ import annotations

import re
from pathlib import Path

from mpis_here import Mpi

from suites import compiling
from suites.programs import Program

SUFFIXES = (".c", ".f90", ".F90")
_MAIN = re.compile(r"\bmain\s*\(|^\s*program\s+\w+", re.MULTILINE | re.IGNORECASE)
_MPI = re.compile(r'#\s*include\s*[<"]mpi\.h[">]|^\s*use\s+mpi|common\.h"', re.MULTILINE | re.IGNORECASE)
# Payload per program of ompi-tests-public/collective-big-count; the default is 2 GiB per rank or more. Its
# Makefile sets these with -D, too.
DEFINES = ("-DTEST_PAYLOAD_SIZE=4194304", "-DTEST_UNIFORM_COUNT=262144")


class FolderSuite:
    """Every source with a main function that uses MPI is a program; it runs on N_RANKS ranks."""

    N_RANKS = 2

    def __init__(self, folder: Path):
        self.folder = folder
        self.name = (
            folder.name if folder.name not in ("test", "tests") else f"{folder.parent.name}-{folder.name}"
        )

    def programs(self, mpi: Mpi) -> list[Program]:
        """The programs, sorted by path. Those that don't compile raise NotBuilt in build()."""
        return [
            Program(
                name=f"{path.relative_to(self.folder)} {self.N_RANKS}",
                executable=str(path.relative_to(self.folder).with_suffix("")),
                n_ranks=self.N_RANKS,
            )
            for path in self._sources()
            if _uses(path, _MAIN) and _uses(path, _MPI)
        ]

    def build(self, program: Program, mpi: Mpi, folder: Path) -> list[str]:
        """Compiles the source with its helpers."""
        target = folder / program.executable
        for path in self._sources():
            if str(path.relative_to(self.folder).with_suffix("")) == program.executable:
                target.parent.mkdir(parents=True, exist_ok=True)
                compiling.executable(target, compiling.Sources(self._parts(path), DEFINES, ["-fopenmp"]), mpi)
        return [f"./{target.name}"]

    def _sources(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())

    def _parts(self, path: Path) -> list[Path]:
        """The source, and the helpers in its folder whose header it includes: helper.c for helper.h."""
        text = path.read_text(errors="replace")
        helpers = [path.with_name(f"{name}.c") for name in re.findall(r'#\s*include\s*"(\w+)\.h"', text)]
        return [path, *(helper for helper in helpers if helper.exists() and not _uses(helper, _MAIN))]


def _uses(path: Path, what: re.Pattern[str]) -> bool:
    return what.search(path.read_text(errors="replace")) is not None
