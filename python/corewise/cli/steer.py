"""`corewise steer`: ranks swapped between cores while their program runs; and a log of that, explained."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli.group import Group
from corewise.cli.options import JSON_BESIDE_OUTPUT, json_option, picture_option
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.files.steer_story import Story
    from corewise.plots.picture_file import Picture
    from corewise.steering.run import Steered

EXAMPLE = """\b
Example:
  corewise steer -o app.steer-log -- mpirun --bind-to core -n 2 ./app input
  corewise steer explain app.steer-log --picture app.png
"""


@click.command(
    "steer",
    cls=Group,
    epilog=EXAMPLE,
    subcommand_metavar="| explain ...",
    context_settings={"allow_interspersed_args": False},
)
@click.option("--dry-run", is_flag=True, help="Watch, decide and write the log, but swap nothing.")
@click.option(
    "--async-progress",
    is_flag=True,
    help="Where sends stand still while their rank computes, let a thread of it call MPI. MPI is started "
    "with MPI_THREAD_MULTIPLE, and functions that the program gives to MPI may run on that thread.",
)
@click.option(
    "-o",
    "log",
    type=click.Path(path_type=Path),
    metavar="LOG",
    help="The log, a new file; otherwise the first of corewise.steer-log, corewise-2.steer-log, ...",
)
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of steering, for example window_ns=400000000. Repeatable.",
)
@click.option("--list-settings", is_flag=True, help="List the settings: default, unit, meaning, source.")
@JSON_BESIDE_OUTPUT
@click.argument("argv", nargs=-1, type=click.UNPROCESSED, metavar="-- LAUNCHER ... APP ...")
def command(
    dry_run: bool,
    async_progress: bool,
    log: Path | None,
    given: tuple[str, ...],
    list_settings: bool,
    as_json: bool,
    argv: tuple[str, ...],
) -> int:
    """Swap ranks between cores while the program runs, where that makes it faster.

    Each rank needs a core of its own, so let the launcher bind. Swaps that don't pay are taken back. What was
    seen and decided is in the log, which explain reads; the exit code is the program's own.
    """
    from corewise import verbs

    if list_settings:
        _list_settings(as_json)
        return 0
    if not argv:
        raise click.UsageError("expected -- LAUNCHER ... APP ... (or --list-settings)")
    from corewise.steering.settings import checked_settings

    settings = checked_settings(dict(_name_and_value(word) for word in given))
    output = sys.stderr if as_json else None
    steered = verbs.steer(
        argv, log, dry_run=dry_run, async_progress=async_progress, settings=settings, output=output
    )
    for sentence in steered.trouble:
        click.echo(f"corewise: {sentence}", err=True)
    if as_json:
        click.echo(json_text(_document(steered, dry_run)))
    else:
        click.echo("\n".join([*_summary(steered, dry_run), *_nothing_steered(steered)]), err=True)
    return steered.run.exit_code or (1 if steered.misplaced else 0)


def _name_and_value(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise click.UsageError(f"--set: found '{word}'; expected NAME=VALUE")
    return name, value


def _list_settings(as_json: bool) -> None:
    from dataclasses import asdict

    from corewise.steering.settings import steer_settings

    rows = steer_settings().values()
    if as_json:
        click.echo(json_text({"settings": [asdict(row) for row in rows]}, indent=1))
        return
    for row in rows:
        source = row.source[0].upper() + row.source[1:]
        click.echo(f"{row.name}={row.default}  ({row.unit})\n    {row.meaning} {source}.")


def _document(steered: Steered, dry_run: bool) -> dict[str, Any]:
    from corewise.steering.waits import wait_shares

    before, after = wait_shares(steered.stories)
    return {
        "logs": [str(path) for path in steered.logs],
        "dry_run": dry_run,
        "exit_code": steered.run.exit_code,
        "wall_s": steered.run.wall_s,
        "n_ranks": len(steered.run.ranks),
        "proposed_swaps": sum(
            decision["action"] == "swap" for story in steered.stories for decision in story["decisions"]
        ),
        "swaps": sum(story["swaps"] for story in steered.stories),
        "rollbacks": sum(story["rollbacks"] for story in steered.stories),
        "own_messages": sum(story["own_messages"] for story in steered.stories),
        "own_bytes": sum(story["own_bytes"] for story in steered.stories),
        "wait_before": before,
        "wait_after": after,
        "intervals_dropped": steered.intervals_dropped,
        "misplaced": steered.misplaced,
        "unchecked_ranks": steered.unchecked,
        "nothing_steered": _nothing_steered(steered),
        "trouble": steered.trouble,
    }


def _summary(steered: Steered, dry_run: bool) -> list[str]:
    """What happened, on standard error: the output is the program's own."""
    if not steered.logs:
        return [
            "corewise: nothing was steered and no log was written: expected two ranks or more on this node, "
            "each bound to a core of its own, that call MPI for some tenths of a second"
        ]
    told = _told(steered, _document(steered, dry_run)) if steered.stories else []
    return [
        *told,
        *_places(steered),
        *(f"  `corewise steer explain {path}` tells each decision" for path in steered.logs),
    ]


def _nothing_steered(steered: Steered) -> list[str]:
    """Why nothing could be steered, as the last line; empty where ranks have a core each, or were swapped."""
    from corewise.text.quantities import counted

    crowd = steered.crowd
    if crowd is None or any(story["swaps"] for story in steered.stories):
        return []
    pus = counted(crowd.n_pus, "hardware thread")
    return [
        f"corewise: nothing was steered: {crowd.n_ranks} ranks share {pus} of host {crowd.host}; "
        "expected one for each rank: start fewer ranks, or take more cores"
    ]


def _told(steered: Steered, document: dict[str, Any]) -> list[str]:
    """What the logs tell."""
    done = f"swaps {document['swaps']}"
    if document["dry_run"]:
        done = f"{document['proposed_swaps']} swaps would have been tried"
    lines = [f"corewise: {done}, taken back {document['rollbacks']}, {steered.run.wall_s:.3g} s in all"]
    before, after = document["wait_before"], document["wait_after"]
    if before is not None:
        waited = f"ranks waited {before:.1%} of their time"
        of_node = " of their node" if len({story["node"] for story in steered.stories}) > 1 else ""
        lines.append(
            f"  {waited}"
            + ("" if after is None else f" before the first swap{of_node}, {after:.1%} after the last")
        )
    if document["own_messages"]:
        own = f"{document['own_messages']} messages, {document['own_bytes']} bytes"
        lines.append(f"  steering's own traffic between the nodes: {own}")
    if steered.intervals_dropped:
        lines.append(
            f"  {steered.intervals_dropped} intervals are in no log: of logs that are full, each 64 MiB, the "
            "first and the last two are kept"
        )
    return lines


def _places(steered: Steered) -> list[str]:
    """Where the ranks ended, as far as they told."""
    lines = [f"  {sentence}" for sentence in steered.misplaced]
    if steered.unchecked:
        from corewise.launchers.launcher import index_list

        which = index_list(steered.unchecked)
        lines.append(f"  not known where these ranks ended, for they did not reach MPI_Finalize: {which}")
    if steered.run.ranks and not steered.misplaced and not steered.unchecked:
        lines.append("  every rank ended on the cores that a rank started with")
    return lines


@command.command("explain", epilog="Example:  corewise steer explain app.steer-log --picture app.png")
@picture_option("Who was on which core, who waited, what was decided.", old={"-o": None})
@json_option()
@click.argument("log", type=click.Path(path_type=Path), metavar="LOG")
def explain(log: Path, pictures: list[Picture], as_json: bool) -> int:
    """Show the decisions of a log with their evidence and outcome.

    Exit code 1 says that a recorded decision did not come out again from the log's observations.
    """
    from corewise.steering.replay import explained

    story, seen = explained(log)
    for picture in pictures:
        from corewise.plots.steered_run import write_steered_run

        write_steered_run(picture, _head(log, story), story["node"], seen, story["decisions"])
        click.echo(f"wrote {picture.path}", err=True)
    if as_json:
        click.echo(json_text({"log": str(log)} | story, indent=1))
    else:
        click.echo("\n".join(_text(log, story)))
    return 1 if story["differs"] else 0


def _head(log: Path, story: Story) -> str:
    return (
        f"{log}: node {story['node']}, {story['intervals']} intervals, decisions {len(story['decisions'])}, "
        f"swaps {story['swaps']}, taken back {story['rollbacks']}"
    )


def _text(log: Path, story: Story) -> list[str]:
    lines = [_head(log, story)]
    for decision in story["decisions"]:
        ranks = " and ".join(map(str, decision["ranks"]))
        lines += [
            "",
            f"{decision['time_s']:9.3f} s  {decision['action']}, rank {ranks}   "
            f"{decision['metric']}, confidence {decision['confidence']:.2f}",
            f"             because  {decision['because']}",
            f"             outcome  {decision['outcome']}",
        ]
    if story["advice"]:
        lines += ["", f"advice: {story['advice']}"]
    return [*lines, "", _replayed(story)]


def _replayed(story: Story) -> str:
    """Whether the recorded decisions came out again."""
    differs = story["differs"]
    if differs:
        return (
            f"interval {differs['interval']} came out differently: recorded '{differs['recorded']}', "
            f"again '{differs['again']}'"
        )
    if story["compared"] == 0:
        return "the log holds observations without decisions: these are the ones that steering would take"
    return f"all {story['compared']} intervals came out again as they were recorded"
