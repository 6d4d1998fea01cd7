"""Tries corrected commands before they are printed: each must start every rank without a new trap."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from corewise.checks.check import RANKFILE, Check, Finding
from corewise.checks.corrected import text
from corewise.checks.situation import Situation
from corewise.errors import CorewiseError
from corewise.start.folder import working_directory

MOST_TRIED = 8  # commands, each of which starts a launcher


def tried(
    found: Sequence[tuple[Check, Finding]],
    situation: Situation,
    situation_of: Callable[[Sequence[str]], Situation],
    findings: Callable[[Situation], list[tuple[Check, Finding]]],
) -> list[tuple[Check, Finding]]:
    """The findings, each with the first of its commands that works, or without a command.

    A command works if its launcher starts all ranks, and if it has no new trap and not the trap that it
    corrects. Findings on a host without a command stay unchanged, because their commands are examples.
    """
    if situation.asked is None:
        return list(found)
    names = {check.name for check, _ in found}
    known: dict[str, Situation | None] = {}

    def works(check: Check, finding: Finding, command: str) -> bool:
        if command not in known and len(known) < MOST_TRIED:
            known[command] = _seen_under(command, finding.rankfile, situation_of)
        where = known.get(command)
        return where is not None and {one.name for one, _ in findings(where)} <= names - {check.name}

    chosen = []
    for check, finding in found:
        proposals = filter(None, (finding.command, *finding.otherwise))
        command = next((one for one in proposals if works(check, finding, one)), None)
        if command and finding.rankfile:
            writes = text(["printf", r"%s\n", *finding.rankfile])
            command = f"{writes} >{RANKFILE} && {command}"
        chosen.append((check, replace(finding, command=command, otherwise=(), rankfile=())))
    return chosen


def _seen_under(
    command: str, rankfile: Sequence[str], situation_of: Callable[[Sequence[str]], Situation]
) -> Situation | None:
    """The situation of the command; None if its launcher doesn't start all ranks."""
    try:
        if rankfile:
            with working_directory() as folder:
                path = folder / RANKFILE
                path.write_text("\n".join(rankfile) + "\n")
                where = situation_of([word.replace(RANKFILE, str(path)) for word in shlex.split(command)])
        else:
            where = situation_of(shlex.split(command))
    except CorewiseError:
        return None
    asked = where.asked
    if asked is None:
        return None
    wanted = asked.application.n_ranks
    return where if asked.exit_code == 0 and len(asked.seen) >= (wanted or 1) else None
