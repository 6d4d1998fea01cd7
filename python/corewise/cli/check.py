"""corewise check: what is wrong with bindings here, and the corrected command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun, print_rows
from corewise.cli.options import json_option, launcher_argument
from corewise.cli.progress import status_line

if TYPE_CHECKING:
    from corewise.checks.situation import Check, Finding, Situation, StartedRank
    from corewise.nouns.checked import Checked

EXAMPLE = """\b
Example:
  corewise check -- mpirun -n 4 --rankfile ranks.txt ./app input
"""


@click.command(
    "check", cls=GroupedCommand, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False}
)
@click.option(
    "--installation",
    is_flag=True,
    help="List what corewise can do on this machine, and what to install for the rest.",
)
@click.option("--list", "list_checks", is_flag=True, help="List the traps that are checked.")
@json_option()
@click.option("--machine", "spec", metavar="M", hidden=True)
@launcher_argument("[-- LAUNCHER ... APP ...]", required=False)
def command(
    installation: bool, list_checks: bool, as_json: bool, spec: str | None, argv: tuple[str, ...]
) -> int:
    """Find mistakes in how ranks are bound to cores, and print the corrected command.

    With a command, its launcher starts a small program instead of APP, which reports the mask of each rank.
    APP is not started. A corrected command is printed only after the launcher has started it successfully.
    Without a command, the machine and the environment are checked.

    With --installation, nothing is started: it lists the launchers, libraries and programs that were found.

    Exit code 1: a trap was found, or programs of no MPI here can be traced.
    """
    if spec is not None:
        raise click.UsageError(
            f"check examines the machine that it runs on, not '{spec}'; start it on that machine, without "
            "--machine"
        )
    if installation:
        from corewise.cli.installation import print_installation

        if argv:
            raise click.UsageError("--installation lists what was found here; expected no command")
        return print_installation(as_json)
    # After --installation, which must also work where these can't be loaded.
    from corewise.checks import CHECKS, findings
    from corewise.checks.corrected import tried
    from corewise.checks.discovery import situation_of

    if list_checks:
        print_rows({check.name: check.sentence for check in CHECKS.values()}, as_json)
        return 0
    with status_line() as show:
        if argv:
            show("check: starting the launcher to see the mask of each rank")
        situation = situation_of(argv)
        found = findings(situation)
        if argv and found:
            show("check: starting the launcher to try the corrected command")
        found = tried(found, situation, situation_of, findings)
    checked = _checked(situation, found)
    print_noun(checked, as_json, lambda: _text(checked, _looked_at(situation)), indent=1)
    return 1 if found else 0


def _checked(situation: Situation, found: list[tuple[Check, Finding]]) -> Checked:
    """What `--json` prints."""
    from corewise.nouns.checked import Checked, SeenMask, Trap

    return Checked(
        findings=[
            Trap(check.name, finding.found, finding.why, finding.do, finding.command, check.source)
            for check, finding in found
        ],
        ranks=[
            SeenMask(rank.rank, situation.nodes[rank.node].host, sorted(rank.os_pus))
            for rank in situation.seen
        ],
        unseen=situation.asked.unseen if situation.asked else None,
        notes=_notes(situation),
    )


def _text(checked: Checked, looked_at: str) -> list[str]:
    from corewise.text.quantities import counted

    lines: list[str] = []
    for trap in checked.findings:
        lines += [f"{trap.name}: {trap.found}", f"  why      {trap.why}", f"  do       {trap.do}"]
        lines += [f"  command  {trap.command}"] if trap.command else []
        lines += [""]
    clean = "No trap found, but masks were not checked" if checked.unseen else "Nothing wrong"
    n_found = len(checked.findings)
    verdict = f"{counted(n_found, 'trap')} found" if n_found else clean
    return [*lines, f"{verdict}: {looked_at}.", *checked.notes]


def _notes(situation: Situation) -> list[str]:
    """What could not be checked: a script instead of the program may bind by itself."""
    from corewise.start.programs import SHELLS

    notes = []
    for program in situation.asked.programs if situation.asked else ():
        if program.file.is_script:
            calls = f" It names {program.file.binds_by}." if program.file.binds_by else ""
            kind = "shell" if os.path.basename(program.name) in SHELLS else "script"
            notes.append(
                f"'{program.name}' is a {kind}, which check doesn't start: its binding was not checked."
                f"{calls} `corewise run` and `corewise tune` see the masks that its program ends up with."
            )
    return list(dict.fromkeys(notes))


def _looked_at(situation: Situation) -> str:
    """What was checked, for the verdict."""
    from corewise.text.quantities import counted, index_text

    if situation.seen:
        ranks = counted(len(situation.seen), "rank")
        several = len(situation.nodes) > 1

        def mask(rank: StartedRank) -> str:
            where = f"{situation.nodes[rank.node].host}:" if several else ""
            return f"rank {rank.rank} on {where}{index_text(rank.os_pus)}"

        masks = ", ".join(mask(rank) for rank in situation.seen[:8])
        more = ", ..." if len(situation.seen) > 8 else ""
        on = f" on {len(situation.nodes)} hosts" if several else ""
        return f"{ranks}{on} checked (hardware threads by os_index: {masks}{more})"
    if situation.asked:
        why = f" ({situation.asked.unseen})" if situation.asked.unseen else ""
        return f"the command was checked as written; no rank was seen{why}"
    return "this machine and the environment were checked"
