"""`corewise steer`: what a steered run decided, told from its log."""

from __future__ import annotations

from pathlib import Path

import click

from corewise.text.any_bytes import json_text


@click.command(epilog="Example:  corewise steer explain app.steer-log")
@click.argument("action", type=click.Choice(["explain"]))
@click.argument("log", metavar="LOG", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(action: str, log: Path, as_json: bool) -> int:
    """Explain a steering log: every decision with its evidence and its outcome.

    The log's observations are given to the same decision function again; exit code 1 says that a recorded
    decision did not come out again. LOG may also hold made observations without decisions (docs/steering.md).

    explain is all there is so far: remapping a program while it runs is not built yet.
    """
    from corewise.execute.steer_replay import replay

    story = replay(log)
    if as_json:
        click.echo(json_text({"log": str(log)} | story, indent=1))
    else:
        click.echo("\n".join(_text(log, story)))
    return 1 if story["differs"] else 0


def _text(log: Path, story: dict) -> list[str]:
    lines = [
        f"{log}: node {story['node']}, {story['intervals']} intervals, swaps {story['swaps']}, "
        f"taken back {story['rollbacks']}"
    ]
    for decision in story["decisions"]:
        ranks = " and ".join(map(str, decision["ranks"]))
        lines += [
            "",
            f"{decision['time_s']:9.3f} s  {decision['action']}, rank {ranks}   "
            f"{decision['metric']}, confidence {decision['confidence']:.2f}",
            f"             because  {decision['because']}",
            f"             outcome  {decision['outcome']}",
        ]
    return [*lines, "", _replayed(story)]


def _replayed(story: dict) -> str:
    """Whether the recorded decisions came out again."""
    differs = story["differs"]
    if differs:
        return (
            f"interval {differs['interval']} came out differently: recorded '{differs['recorded']}', "
            f"again '{differs['again']}'"
        )
    if story["compared"] == 0:
        return "the log holds observations without decisions: these are the ones that steering would take"
    return f"all {story['compared']} recorded decisions came out again"
