"""MPICH's test suite (`test/mpi` of its source): reads testlists and Makefile.am, without autoconf.

Left out: C++ bindings, which MPI no longer has; programs that the suite expects to fail (xfail); programs for
GPUs; and programs that need more memory than MOST_GIB. Programs that scripts of the suite generate are found
after `mpich_fortran.sh`.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

from mpis_here import Mpi

from suites import compiling
from suites.programs import LIMIT_S, NotBuilt, Program

CONF = Path(__file__).parent / "mpich_conf"
MOST_GIB = 4.0  # so that two programs at a time run on a machine of 16 GiB
DIRECTORIES = {
    "@errordir@": "errors",
    "@f08dir@": "f08",
    "@f77dir@": "f77",
    "@f77profile@": "profile",
    "@f90dir@": "f90",
    "@f90profile@": "profile",
    "@iodir@": "io",
    "@partdir@": "part",
    "@perfdir@": "perf",
    "@rmadir@": "rma",
    "@spawndir@": "spawn",
    "@threadsdir@": "threads",
}
# words that configure replaces by nothing in lines of tests that should run
WANTED = ("@comm_overlap@", "@namepub_tests@", "@F77SPAWNARGTEST@", "@F03SPAWNARGTEST@", "@ALLOCMEMF@")
# The suite's helpers for programs in Fortran 77, with the module mpi (`f90`), and with mpi_f08.
FORTRAN_HELPERS = {"f77": "mtest_f77.f", "f90": "mtest_f90.f90", "f08": "mtest_f08.f90"}
# what configure writes into the Fortran include files
FORTRAN_TYPES = {
    "@F77_MPI_ADDRESS@": "integer (kind=MPI_ADDRESS_KIND)",
    "@F77_MPI_OFFSET@": "integer (kind=MPI_OFFSET_KIND)",
}
# Open MPI's header refuses MPI-1's removed functions, which its library still has.
MPI_1_OF_OPEN_MPI = ("-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0")
# The suite's kinds of results (`resultTest`) that need an exit code other than 0.
WANT_FAILURE = ("TestStatus", "TestStatusNoErrors", "TestErrFatal")


class MpichSuite:
    """The suite in a folder `test/mpi`."""

    name = "mpich"

    def __init__(self, folder: Path):
        self.folder = folder

    def programs(self, mpi: Mpi) -> list[Program]:
        """Each line of the testlists once. Lines that choose an algorithm of MPICH run only with MPICH."""
        found = {}
        for program in self._below(""):
            algorithms = program.environment and all(
                name.startswith("MPIR_") for name, _ in program.environment
            )
            of_hydra = program.launcher_options
            if mpi.family == "mpich" or not (algorithms or of_hydra):
                found.setdefault(program.name, program)
        return list(found.values())

    def build(self, program: Program, mpi: Mpi, folder: Path) -> list[str]:
        """Builds as the suite's Makefile.am does, including programs that the program starts."""
        target = folder / program.executable
        for name in self._companions(program.executable):
            self._executable(folder / name, name, mpi, folder)
        self._executable(target, program.executable, mpi, folder)
        return [f"./{target.name}", *program.arguments]

    def _below(self, place: str) -> list[Program]:
        listed = self._first(place, "testlist.in", "testlist")
        found = []
        for line in listed.read_text().splitlines() if listed else []:
            for token in WANTED:
                line = line.replace(token, "")
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            name = DIRECTORIES.get(words[0], words[0])
            if (self.folder / place / name).is_dir():
                found += self._below(f"{place}/{name}".strip("/"))
            elif "@" not in name and len(words) > 1 and words[1].isdigit():
                found += _read_line(place, words)
        return found

    def _first(self, place: str, *names: str) -> Path | None:
        paths = (self.folder / place / name for name in names)
        return next((path for path in paths if path.exists()), None)

    def _executable(self, target: Path, name: str, mpi: Mpi, folder: Path) -> None:
        place, _, program = name.rpartition("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        makefile = _makefile(self.folder / place / "Makefile.am")
        paths = [self.folder / place / source for source in self._sources(place, program, makefile)]
        if missing := [path.name for path in paths if not path.exists()]:
            raise NotBuilt(f"no source {missing[0]}")
        threads = place.startswith("threads")
        flags = ["-DMTEST_USE_THREAD"] * threads + list(MPI_1_OF_OPEN_MPI) * (mpi.family == "openmpi")
        flags += [word for word in makefile.get(f"{program}_CPPFLAGS", []) if word.startswith("-D")]
        flags += [*self._includes(), f"-I{target.parent}", f"-I{self._fortran_includes(place, folder)}"]
        texts = [path.read_text(errors="replace") for path in paths]
        if any("int run(const char" in text for text in texts) and not any(
            " main(" in text for text in texts
        ):
            paths.append(self.folder / "util" / "run_mpitests.c")
        library = str(self._library(mpi, folder, threads))
        if any(path.suffix in compiling.FORTRAN for path in paths):
            language = next(word for word in place.split("/") if word in FORTRAN_HELPERS)
            paths.append(self.folder / "util" / FORTRAN_HELPERS[language])
        compiling.executable(target, compiling.Sources(paths, flags, [library]), mpi)

    def _sources(self, place: str, program: str, makefile: dict[str, list[str]]) -> list[str]:
        given = makefile.get(f"{program}_SOURCES")
        if given:
            return [name for name in given if not name.endswith(".h")]
        found = self._first(place, *(program + suffix for suffix in (".c", *compiling.FORTRAN)))
        return [found.name if found else f"{program}.c"]

    def _includes(self) -> list[str]:
        own = (CONF / "include", self.folder / "include", self.folder / "dtpools" / "include")
        return [f"-I{path}" for path in own]

    def _fortran_includes(self, place: str, folder: Path) -> Path:
        """A folder with the Fortran include files that configure would write. f77/rma needs f77/attr's."""
        made, own = folder / place / "includes", self.folder / place
        for path in (*own.with_name("attr").glob("*.h.in"), *own.glob("*.h.in")):
            text = path.read_text()
            for name, value in FORTRAN_TYPES.items():
                text = text.replace(name, value)
            made.mkdir(parents=True, exist_ok=True)
            (made / path.name.removesuffix(".in")).write_text(text)
        return made

    def _library(self, mpi: Mpi, folder: Path, threads: bool) -> Path:
        util = self.folder / "util"
        name = "mtest_thread" if threads else "mtest_single"
        own = [util / f"{part}.c" for part in ("mtest", "mtest_common", "dtypes", name)]
        pools = sorted((self.folder / "dtpools" / "src").glob("*.c"))
        # Programs in the Fortran folders include "../../include/mpitestconf.h", relative to the build folder.
        shutil.copytree(CONF / "include", folder / "include", dirs_exist_ok=True)
        target = folder / f"lib{name}.a"
        return compiling.archive(target, compiling.Sources([*own, *pools], self._includes()), mpi)

    def _companions(self, name: str) -> list[str]:
        """Programs of the folder that this one starts, by the names in its source: "./child"."""
        place, _, program = name.rpartition("/")
        makefile = _makefile(self.folder / place / "Makefile.am")
        others = set(makefile.get("noinst_PROGRAMS", [])) - {program}
        started = set()
        for source in self._sources(place, program, makefile):
            path = self.folder / place / source
            text = path.read_text(errors="replace") if path.exists() else ""
            started |= set(re.findall(r"[\"']\./(\w+)[\"']", text)) & others
        return [f"{place}/{other}" for other in sorted(started)]


def _read_line(place: str, words: list[str]) -> list[Program]:
    """Parses a line of a testlist: name, number of processes, KEY=VALUE words (see the suite's README).

    Returns an empty list if the program is left out.
    """
    pairs = [word.partition("=")[::2] for word in words[2:]]

    def of(key: str) -> list[str]:
        return [value for name, value in pairs if name == key]

    arguments, environment = of("arg"), of("env")
    memory = float((of("mem") or ["0"])[0])
    if (
        of("xfail")
        or of("hasgpu")
        or memory > MOST_GIB
        or "@" in " ".join(words)
        or "device" in str(arguments)
    ):
        return []
    options = tuple(of("mpiexecarg"))
    judgement = (of("resultTest") or [""])[0]
    if judgement == "TestBench":
        return []
    shown = [f"{place}/{words[0]}", words[1], *arguments, *environment, *options]
    return [
        Program(
            name=" ".join(shown),
            executable=f"{place}/{words[0]}",
            n_ranks=int(words[1]),
            arguments=tuple(arguments),
            environment=tuple(word.partition("=")[::2] for word in environment),
            launcher_options=options,
            limit_s=max([LIMIT_S, *map(float, of("timeLimit"))])
            if judgement not in WANT_FAILURE
            else LIMIT_S,
            expects_failure=judgement in WANT_FAILURE,
            success=None if judgement in WANT_FAILURE else "No Errors",
        )
    ]


@cache
def _makefile(path: Path) -> dict[str, list[str]]:
    """The variables of a Makefile.am, each as words. `+=` appends; all conditions count as true."""
    variables: dict[str, list[str]] = {}
    if not path.exists():
        return variables
    text = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*##?.*$", "", path.read_text()))
    for name, sign, value in re.findall(r"(?m)^\s*(\w+)[ \t]*(\+?=)(.*)$", text):
        before = variables.get(name, []) if sign == "+=" else []
        variables[name] = before + value.split()
    return variables
