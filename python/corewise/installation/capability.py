"""Capability: something that a machine lets corewise do, how it is tried, and what to install for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.installation.here import Here
    from corewise.nouns.installation import Trial

# Package manager -> the words in front of its packages.
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

    `serves` names the commands that need it. `look` returns what is here, such as a version or an empty text,
    without an MPI job and in about here.TIMEOUT_S at most; it raises MissingError for what isn't installed,
    and InputError for what can't be used. `attempt` uses it for real; what it raises is a trial that failed.
    `packages` has what to install by package manager, a key of MANAGERS; a manager without such a package has
    no entry.
    """

    name: str
    serves: str
    look: Callable[[Here], str]
    attempt: Callable[[Here], list[Trial]]
    packages: Mapping[str, tuple[str, ...]]

    def to_install(self, manager: str) -> str:
        """The command that installs it, by `manager` or without root privileges; empty if none is known."""
        for name in (manager, "pip", "spack"):
            if name in self.packages:
                return f"{MANAGERS[name]} {' '.join(self.packages[name])}"
        return ""
