"""Corrected commands are tried before they are proposed: each must start every rank, without a new trap."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from corewise.checks.check import RANKFILE, Check, Finding
from corewise.checks.corrected import text
from corewise.checks.situation import Situation
from corewise.errors import CorewiseError
from corewise.execute.folder import working_directory

MOST_TRIED = 8  # commands: each starts a launcher


def tried(
    found: Sequence[tuple[Check, Finding]],
    situation: Situation,
    situation_of: Callable[[Sequence[str]], Situation],
    findings: Callable[[Situation], list[tuple[Check, Finding]]],
) -> list[tuple[Check, Finding]]:
    """The findings with the first of each one's commands that was seen to work, or with none.

    A command works if its launcher ends well with all ranks seen, and it has none of the traps that aren't
    found already, nor the one that it corrects. What is found without a command is left unchanged: its
    commands are examples.
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
    """The situation that the command's launcher makes; None if it doesn't start all its ranks."""
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
