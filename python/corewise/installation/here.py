"""Here: what corewise finds on this machine without starting an MPI job, each answer under a time limit."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from corewise.errors import CorewiseError, MissingError
from corewise.execute.programs import launcher_and_version, preload_of
from corewise.launchers import EXPORTED, LAUNCHERS, Launcher
from corewise.launchers.mpi_family import MPI_LIBRARIES

TIMEOUT_S = 2.0  # a program that takes longer to print its version is reported as one that doesn't answer


@dataclass(frozen=True)
class FoundLauncher:
    """A launcher on PATH that corewise starts. `names` are all its names there, the shortest first."""

    names: tuple[str, ...]
    launcher: Launcher
    version: str

    @property
    def title(self) -> str:
        """As sentences call it: `Open MPI 4.1.4`."""
        return f"{self.launcher.package.partition(' (')[0]} {self.version}"


@dataclass(frozen=True)
class Here:
    """What can be used: `preload` has the path of each preload library by MPI family.

    `troubles` says of a launcher on PATH, by its name, why it can't be used. `exported` are launchers on PATH
    that corewise writes commands for and doesn't start.
    """

    preload: dict[str, str]
    launchers: list[FoundLauncher]
    troubles: dict[str, str]
    exported: list[str]

    @property
    def mpis(self) -> list[FoundLauncher]:
        """The launchers that belong to an MPI: all but those of a batch system."""
        return [found for found in self.launchers if not found.launcher.allocated_by]

    def traced(self, found: FoundLauncher) -> list[str]:
        """The families of programs that this launcher starts and that can be traced."""
        return [family for family in found.launcher.families if family in self.preload]


def look_around() -> Here:
    """Examines PATH and corewise's own files; never fails, and takes about TIMEOUT_S at most."""
    found: dict[tuple[str, str, str], FoundLauncher] = {}
    troubles = {}
    on_path = _launchers_on_path()
    with ThreadPoolExecutor(max(1, len(on_path))) as threads:
        asked = {names: threads.submit(launcher_and_version, names[0], TIMEOUT_S) for names in on_path}
    for names, answer in asked.items():
        try:
            launcher, version = answer.result()
        except CorewiseError as error:
            troubles[names[0]] = str(error)
            continue
        # mpirun and mpiexec may be two scripts of one MPI.
        folder = os.path.dirname(shutil.which(names[0]) or "")
        same = found.setdefault((launcher.name, version, folder), FoundLauncher((), launcher, version))
        found[launcher.name, version, folder] = replace(same, names=_shortest_first([*same.names, *names]))
    exported = dict.fromkeys(name for launcher in EXPORTED.values() for name in launcher.executables)
    return Here(
        preload=_preload_libraries(),
        launchers=list(found.values()),
        troubles=troubles,
        exported=[name for name in exported if not _is_asked(name) and shutil.which(name)],
    )


def _preload_libraries() -> dict[str, str]:
    found = {}
    for family in MPI_LIBRARIES:
        with suppress(MissingError):
            found[family] = preload_of(family)
    return found


def _is_asked(name: str) -> bool:
    """A program of this name is a launcher that corewise starts, as find_launcher() decides."""
    stem = re.split(r"[._-]", name)[0]
    return any(stem in launcher.executables for launcher in LAUNCHERS.values())


def _launchers_on_path() -> list[tuple[str, ...]]:
    """The names of each launcher on PATH, the shortest first; names of one file belong together."""
    names_of: dict[str, list[str]] = {}
    seen: set[str] = set()
    for folder in os.get_exec_path():
        with suppress(OSError):
            for name in sorted(filter(_is_asked, os.listdir(folder))):
                path = os.path.join(folder, name)
                if name not in seen and os.access(path, os.X_OK) and os.path.isfile(path):
                    seen.add(name)
                    names_of.setdefault(os.path.realpath(path), []).append(name)
    return [_shortest_first(names) for names in names_of.values()]


def _shortest_first(names: list[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (len(name), name)))
