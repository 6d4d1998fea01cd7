"""What corewise can do on this machine: a quick check for `--version`, trials for `check --installation`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from corewise import __version__
from corewise.errors import CorewiseError, MissingError
from corewise.installation.capabilities import CAPABILITIES
from corewise.installation.capability import Capability
from corewise.installation.here import Here, look_around
from corewise.installation.system import this_system
from corewise.nouns.installation import Installation, Trial, TriedCapability


@dataclass(frozen=True)
class Seen:
    """What was found of a capability, such as a version, or why it can't be used."""

    capability: Capability
    found: str = ""
    trouble: str = ""
    is_absent: bool = False  # it can be installed

    def advice(self, manager: str) -> str:
        """The trouble, and the command that installs what is missing, in one line."""
        command = self.capability.to_install(manager) if self.is_absent else ""
        return f"{self.trouble}; {command}" if command else self.trouble


def looked_for(here: Here) -> list[Seen]:
    """What is found of each capability, without an MPI job; never fails."""
    with ThreadPoolExecutor(len(CAPABILITIES)) as threads:
        return list(threads.map(lambda row: _seen(row, here), CAPABILITIES.values()))


def _seen(row: Capability, here: Here) -> Seen:
    try:
        return Seen(row, found=row.look(here))
    except (CorewiseError, OSError) as error:
        return Seen(row, trouble=str(error), is_absent=isinstance(error, MissingError))


def check_installation(
    say: Callable[[str], None], capabilities: Iterable[Capability] = CAPABILITIES.values()
) -> Installation:
    """Tries each capability; calls `say` with its name before. Never fails."""
    here, system = look_around(), this_system()
    tried = []
    for row in capabilities:
        say(row.name)
        tried.append(_tried(row, here, system.manager))
    return Installation(__version__, system.name, system.manager, tried)


def _tried(row: Capability, here: Here, manager: str) -> TriedCapability:
    install = ""
    try:
        trials = row.attempt(here)
    except (CorewiseError, OSError, ImportError) as error:
        trials = [Trial(row.name, False, str(error))]
        install = row.to_install(manager) if isinstance(error, MissingError) else ""
    packages = {name: list(packages) for name, packages in row.packages.items()}
    return TriedCapability(row.name, row.serves, trials, install, packages)


__all__ = [
    "CAPABILITIES",
    "Capability",
    "Here",
    "Seen",
    "check_installation",
    "look_around",
    "looked_for",
    "this_system",
]
