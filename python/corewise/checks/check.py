"""Check and Finding: a trap of bindings, and a place where it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.checks.situation import AskedCommand, Situation


RANKFILE = "corewise.rankfile"


@dataclass(frozen=True)
class Finding:
    """A trap that was found, in sentences; `command` is the corrected command, if there is one.

    If the trap is in the user's command, `command` and `otherwise` are proposals: `check` prints the first
    one that starts every rank without the trap (proposals.py). `rankfile` are the lines of the file RANKFILE
    that `command` reads; the printed command writes this file first.
    """

    found: str
    why: str
    do: str
    command: str | None = None
    otherwise: tuple[str | None, ...] = ()
    rankfile: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A row of the register. `name` must not change, because scripts use it; `source` documents the trap.

    `of_command` finds the trap in a command, `of_host` on the host if no command is given. Both are pure
    functions with at most one finding per problem. `explains` are checks whose findings follow from this
    trap; they are left out if this trap is found.
    """

    name: str
    sentence: str
    source: str
    of_command: Callable[[Situation, AskedCommand], Iterable[Finding]] = lambda situation, asked: ()
    of_host: Callable[[Situation], Iterable[Finding]] = lambda situation: ()
    explains: frozenset[str] = frozenset()

    def look(self, situation: Situation) -> list[Finding]:
        asked = situation.asked
        return list(self.of_host(situation) if asked is None else self.of_command(situation, asked))
