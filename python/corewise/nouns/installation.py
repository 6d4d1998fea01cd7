"""Installation: what corewise can do on a machine, what it can't, and what to install for that."""

from __future__ import annotations

from typing import ClassVar

from corewise.nouns.codec import Noun

MAIN_JOB = "main-job"  # without this capability, corewise is of no use


class Trial(Noun, frozen=True):
    """One trial of a capability: with `what` (`Open MPI 4.1.4`), whether it worked, and what was found."""

    what: str
    works: bool
    found: str


class TriedCapability(Noun, frozen=True):
    """A capability and its trials; `serves` names the commands that need it.

    `install` is the command that installs what is missing, empty if nothing is missing or the command is
    unknown. `packages` are the capability's packages by package manager: apt, dnf, spack, conda, pip.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("works",)

    name: str
    serves: str
    trials: list[Trial]
    install: str
    packages: dict[str, list[str]]

    @property
    def works(self) -> bool:
        """Whether at least one trial worked."""
        return any(trial.works for trial in self.trials)


class Installation(Noun, frozen=True):
    """`system` is the name of the operating system, `manager` its package manager: apt, dnf or empty."""

    FORMAT: ClassVar[str] = "corewise-installation"
    WRITTEN_BY: ClassVar[str] = "corewise check --installation --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("works",)

    corewise: str
    system: str
    manager: str
    capabilities: list[TriedCapability]

    @property
    def works(self) -> bool:
        """Whether the main job (trace, map, run) works with at least one MPI."""
        return any(one.name == MAIN_JOB and one.works for one in self.capabilities)
