"""Capability: a feature of corewise, how to try it on a machine, and what to install for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.installation.here import Here
    from corewise.nouns.installation import Trial

# Package manager -> its command for installing.
MANAGERS = {
    "apt": "apt-get install",
    "dnf": "dnf install",
    "spack": "spack install",
    "conda": "conda install -c conda-forge",
    "pip": "pip install",
}


@dataclass(frozen=True)
class Capability:
    """A row of the register.

    `serves` names the commands that need it. `look` returns what was found, such as a version or "", without
    an MPI job and in at most about here.TIMEOUT_S. It raises MissingError if something isn't installed,
    InputError if it can't be used. `attempt` really uses the capability; its exceptions are failed trials.
    `packages` are those to install, by package manager (a key of MANAGERS), if there are any.
    """

    name: str
    serves: str
    look: Callable[[Here], str]
    attempt: Callable[[Here], list[Trial]]
    packages: Mapping[str, tuple[str, ...]]

    def to_install(self, manager: str) -> str:
        """The command that installs it by `manager`, pip or spack; empty if unknown."""
        for name in (manager, "pip", "spack"):
            if name in self.packages:
                return f"{MANAGERS[name]} {' '.join(self.packages[name])}"
        return ""
