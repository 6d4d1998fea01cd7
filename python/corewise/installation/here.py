"""Here: the launchers and libraries on this machine, found without an MPI job and with a time limit."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from corewise.errors import CorewiseError, MissingError
from corewise.launchers import LAUNCHERS, Launcher
from corewise.launchers.mpi_family import MPI_LIBRARIES
from corewise.start.programs import launcher_and_version, preload_of

TIMEOUT_S = 2.0  # for a program to print its version
# MPICH's starters next to Hydra, for one host or by rsh.
_UNSUPPORTED = ("mpiexec.gforker", "mpiexec.remshell")


@dataclass(frozen=True)
class FoundLauncher:
    """A launcher on PATH that corewise can start; `names` are all its names, the shortest first."""

    names: tuple[str, ...]
    launcher: Launcher
    version: str

    @property
    def title(self) -> str:
        """Its name in sentences: `Open MPI 4.1.4`."""
        return f"{self.launcher.package.partition(' (')[0]} {self.version}"


@dataclass(frozen=True)
class Here:
    """What can be used: `preload` [MPI family] is the path of its preload library.

    `troubles` [name of a launcher on PATH] says why it can't be used.
    """

    preload: dict[str, str]
    launchers: list[FoundLauncher]
    troubles: dict[str, str]

    @property
    def mpis(self) -> list[FoundLauncher]:
        """The launchers that belong to an MPI, not to a batch system."""
        return [found for found in self.launchers if not found.launcher.allocated_by]

    def traced(self, found: FoundLauncher) -> list[str]:
        """The MPI families whose programs this launcher starts and corewise can trace."""
        return [family for family in found.launcher.families if family in self.preload]


def look_around() -> Here:
    """Examines PATH and corewise's own files; never fails, and takes at most about TIMEOUT_S."""
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
        # mpirun and mpiexec may be two scripts of the same MPI.
        folder = os.path.dirname(shutil.which(names[0]) or "")
        same = found.setdefault((launcher.name, version, folder), FoundLauncher((), launcher, version))
        found[launcher.name, version, folder] = replace(same, names=_shortest_first([*same.names, *names]))
    return Here(_preload_libraries(), list(found.values()), troubles)


def _preload_libraries() -> dict[str, str]:
    found = {}
    for family in MPI_LIBRARIES:
        with suppress(MissingError):
            found[family] = preload_of(family)
    return found


def _is_asked(name: str) -> bool:
    """Whether find_launcher() takes this name for a launcher that corewise may start."""
    stem = re.split(r"[._-]", name)[0]
    return name not in _UNSUPPORTED and any(stem in launcher.executables for launcher in LAUNCHERS.values())


def _launchers_on_path() -> list[tuple[str, ...]]:
    """The names of each launcher on PATH, the shortest first; names of one file are one launcher."""
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
