"""`corewise steer` swaps ranks between cores while the program runs; `steer explain` shows its log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli.group import Group
from corewise.cli.listing import print_noun
from corewise.cli.options import (
    JSON_WITH_OUTPUT,
    json_option,
    launcher_argument,
    output_option,
    picture_option,
)
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.nouns.steered_run import SteeredLog, SteeredRun
    from corewise.plots.picture_file import Picture

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
@click.option("--dry-run", is_flag=True, help="Decide and write the log, but swap nothing.")
@click.option(
    "--async-progress",
    is_flag=True,
    help="If sends make no progress while a rank computes, let a thread of the rank call MPI. This starts "
    "MPI with MPI_THREAD_MULTIPLE; callbacks of the program may run on that thread.",
)
@output_option("log", "LOG", "New log file. Default: corewise.steer-log, else corewise-2.steer-log, ...")
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting, for example window_ns=400000000. Repeatable.",
)
@click.option(
    "--list-settings", is_flag=True, help="List the settings with default, unit, meaning and source."
)
@JSON_WITH_OUTPUT
@launcher_argument(required=False)
def command(
    given: tuple[str, ...], list_settings: bool, as_json: bool, argv: tuple[str, ...], **asked: Any
) -> int:
    """Swap ranks between cores while the program runs, if that makes it faster.

    Each rank needs its own core: let the launcher bind. A swap that doesn't help is undone. The log records
    observations and decisions; `corewise steer explain` shows it. The exit code is that of the program.
    """
    from corewise import verbs

    if list_settings:
        _list_settings(as_json)
        return 0
    if not argv:
        raise click.UsageError("expected -- LAUNCHER ... APP ... (or --list-settings)")
    from corewise.steering.run import checked_settings

    settings = checked_settings(dict(_name_and_value(word) for word in given))
    steered = verbs.steer(argv, settings=settings, output=sys.stderr if as_json else None, **asked)
    for sentence in steered.trouble:
        click.echo(f"corewise: {sentence}", err=True)
    if as_json:
        click.echo(json_text(steered.to_json()))
    else:
        click.echo("\n".join(_summary(steered)), err=True)
    return steered.run.exit_code or (1 if steered.misplaced else 0)


def _name_and_value(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise click.UsageError(f"--set: found '{word}'; expected NAME=VALUE")
    return name, value


def _list_settings(as_json: bool) -> None:
    from dataclasses import asdict

    from corewise.steering.run import steer_settings

    rows = steer_settings().values()
    if as_json:
        click.echo(json_text({"settings": [asdict(row) for row in rows]}, indent=1))
        return
    for row in rows:
        source = row.source[0].upper() + row.source[1:]
        click.echo(f"{row.name}={row.default}  ({row.unit})\n    {row.meaning} {source}.")


def _summary(steered: SteeredRun) -> list[str]:
    """The lines on what happened."""
    nothing = [f"corewise: {steered.nothing_steered}"] if steered.nothing_steered else []
    if not steered.logs:
        return [
            "corewise: nothing was steered and no log was written: expected two ranks or more on this node, "
            "each bound to its own core, that call MPI for some tenths of a second",
            *nothing,
        ]
    return [
        *(_told(steered) if steered.explained else []),
        *_places(steered),
        *(f"  `corewise steer explain {path}` shows each decision" for path in steered.logs),
        *nothing,
    ]


def _told(steered: SteeredRun) -> list[str]:
    """Lines on swaps and waiting times, from the logs."""
    from corewise.text.quantities import counted, percent_text

    done = counted(steered.swaps, "swap")
    if steered.dry_run:
        done = f"dry run, {counted(steered.proposed_swaps, 'swap')} proposed"
    lines = [f"corewise: {done}, {steered.rollbacks} undone; the command took {steered.wall_s:.3g} s"]
    before, after = steered.wait_before, steered.wait_after
    if before is not None:
        of_node = " of their node" if len({log.node for log in steered.explained}) > 1 else ""
        parts = (
            "" if after is None else f" before the first swap{of_node}, {percent_text(after)} after the last"
        )
        lines.append(f"  ranks waited {percent_text(before)} of their time{parts}")
    if steered.intervals_dropped:
        lines.append(
            f"  {steered.intervals_dropped} intervals are in no log: of logs that are full, each 64 MiB, the "
            "first and the last two are kept"
        )
    return lines


def _places(steered: SteeredRun) -> list[str]:
    """Lines on the cores of the ranks at the end."""
    lines = [f"  {sentence}" for sentence in steered.misplaced]
    if steered.unchecked_ranks:
        from corewise.text.quantities import index_text

        which = index_text(steered.unchecked_ranks)
        lines.append(f"  last cores unknown, because these ranks did not reach MPI_Finalize: {which}")
    if steered.run.ranks and not steered.misplaced and not steered.unchecked_ranks:
        lines.append("  at the end, each rank was on the cores that it or another rank had at the start")
    return lines


@command.command("explain", epilog="Example:  corewise steer explain app.steer-log --picture app.png")
@picture_option("Cores, waiting times and decisions over time.")
@json_option()
@click.argument("log", type=click.Path(path_type=Path), metavar="LOG")
def explain(log: Path, pictures: list[Picture], as_json: bool) -> int:
    """Show the decisions of a log with their evidence and outcome.

    Exit code 1: the observations in the log lead to another decision than the recorded one.
    """
    from corewise.steering.replay import intervals, replay

    told, seen = replay(log), intervals(log)
    for picture in pictures:
        from corewise.plots.steered_run import steered_run_figure

        picture.write_figure(lambda: steered_run_figure(seen, told.decisions))
        click.echo(f"wrote {picture.path}", err=True)
    print_noun(told, as_json, lambda: _text(told), indent=1)
    return 1 if told.differs else 0


def _head(log: SteeredLog) -> str:
    return (
        f"{log.log}: node {log.node}, {log.intervals} intervals, decisions {len(log.decisions)}, "
        f"swaps {log.swaps}, undone {log.rollbacks}"
    )


def _text(log: SteeredLog) -> list[str]:
    lines = [_head(log)]
    for decision in log.decisions:
        ranks = " and ".join(map(str, decision.ranks))
        lines += [
            "",
            f"{decision.time_s:9.3f} s  {decision.action}, rank {ranks}   "
            f"{decision.metric}, confidence {decision.confidence:.2f}",
            f"             because  {decision.because}",
            f"             outcome  {decision.outcome}",
        ]
    if log.advice:
        lines += ["", f"advice: {log.advice}"]
    return [*lines, "", _replayed(log)]


def _replayed(log: SteeredLog) -> str:
    """Whether the replay reproduced the recorded decisions."""
    differs = log.differs
    if differs:
        return (
            f"interval {differs.interval} is decided differently now: recorded '{differs.recorded}', "
            f"now '{differs.again}'"
        )
    if log.compared == 0:
        return "the log has observations without decisions: these are the decisions that steering would take"
    return f"all {log.compared} recorded decisions are reproduced"
