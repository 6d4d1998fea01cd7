"""Installation: what corewise can do on a machine, what it can't, and what to install for that."""

from __future__ import annotations

from typing import ClassVar

from corewise.nouns.codec import Noun

MAIN_JOB = "main-job"  # without this capability, corewise is of no use


class FoundCapability(Noun, frozen=True):
    """A capability; `serves` names the commands that need it.

    `found` is what is installed for it, such as a version, or why it can't be used if not `works`. `install`
    is the command that installs what is missing, empty if nothing is missing or the command is unknown.
    """

    name: str
    serves: str
    works: bool
    found: str
    install: str

    @property
    def advice(self) -> str:
        """What was found, and the command that installs what is missing, in one line."""
        return f"{self.found}; {self.install}" if self.install else self.found


class FoundStarter(Noun, frozen=True):
    """A launcher on PATH: `title` (`Open MPI 4.1.4`), its names, and the MPI families that can be traced."""

    title: str
    names: list[str]
    traces: list[str]


class Installation(Noun, frozen=True):
    """`system` is the operating system's name; `preload` the file of the preload library, by MPI family."""

    FORMAT: ClassVar[str] = "corewise-installation"
    WRITTEN_BY: ClassVar[str] = "corewise check --installation --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("works",)

    corewise: str
    system: str
    preload: dict[str, str]
    launchers: list[FoundStarter]
    capabilities: list[FoundCapability]

    @property
    def works(self) -> bool:
        """Whether programs of at least one MPI can be traced and run."""
        return any(one.name == MAIN_JOB and one.works for one in self.capabilities)
