"""Check and Finding: one trap that bindings fall into, and where it applies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.checks.situation import Asked, Situation


RANKFILE = "corewise.rankfile"


@dataclass(frozen=True)
class Finding:
    """A trap that applies here, in sentences; `command` is the corrected command, if there is one.

    Of a command's trap it is a proposal, and so are those of `otherwise`: `check` prints the first one that
    it has seen start every rank without the trap (proposals.py). `rankfile` are the lines of the file
    RANKFILE that `command` reads; the user gets one command that writes the file first.
    """

    found: str
    why: str
    do: str
    command: str | None = None
    otherwise: tuple[str | None, ...] = ()
    rankfile: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A row of the register: `name` stays the same for scripts, `source` says where the trap is known from.

    `of_command` finds the trap in a command, `of_host` without one. Both are pure functions with at most
    one finding for each thing that is wrong. `explains` names the checks whose findings follow from this
    trap; where this trap is found, they are left out.
    """

    name: str
    sentence: str
    source: str
    of_command: Callable[[Situation, Asked], Iterable[Finding]] = lambda situation, asked: ()
    of_host: Callable[[Situation], Iterable[Finding]] = lambda situation: ()
    explains: frozenset[str] = frozenset()

    def look(self, situation: Situation) -> list[Finding]:
        """What the check finds."""
        asked = situation.asked
        return list(self.of_host(situation) if asked is None else self.of_command(situation, asked))
