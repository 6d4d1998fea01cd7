"""`corewise trace`: records the profile of a program that the user starts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.help import GroupedCommand
from corewise.cli.options import JSON_WITH_OUTPUT, launcher_argument, output_option
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.model import Profile

EXAMPLE = """\b
Example:
  corewise trace -o app.profile -- mpirun -n 8 ./app input
"""


@click.command(
    "trace", cls=GroupedCommand, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False}
)
@output_option("target", "PROFILE", "New folder for the profile.", required=True)
@click.option(
    "--mode",
    metavar="MODE",
    type=click.Choice(["count", "time", "events"]),
    default="time",
    show_default=True,
    help="What to record. count: calls and bytes (cheapest); time: also times; events: also each call in "
    "order.",
)
@click.option(
    "--event-mib",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="N",
    help="MiB of events that each rank keeps. Later events are counted but not kept.",
)
@JSON_WITH_OUTPUT
@launcher_argument()
def command(target: Path, mode: str, event_mib: int, as_json: bool, argv: tuple[str, ...]) -> int:
    """Record who sends how much to whom while the program runs.

    If the program fails, or SIGTERM ends the trace, the profile holds what happened until then. Exit code 1:
    the program failed, or a part of the profile is missing.
    """
    from corewise import verbs
    from corewise.observe import tracing

    output = sys.stderr if as_json else None
    recording = verbs.trace(argv, target, mode=mode, event_mib=event_mib, output=output)
    run, profile = recording.run, recording.profile
    assert run is not None  # it was traced just now
    if as_json:
        click.echo(json_text(recording.to_json()))
    else:
        state = "complete" if profile.complete else "incomplete"
        click.echo(f"{target}: {state} profile of {profile.n_ranks} ranks, {run.wall_s:.3g} s", err=True)
        for sentence in [*events_told(profile), *unfinished(profile), *profile.faults]:
            click.echo(f"  {sentence}", err=True)
    if run.exit_code != 0:
        click.echo(f"corewise: the program ended with exit code {run.exit_code}", err=True)
    lost = tracing.not_recorded(profile, target)
    for sentence in lost:
        click.echo(f"corewise: {sentence}", err=True)
    return 1 if run.exit_code != 0 or lost else 0


def events_told(profile: Profile) -> list[str]:
    """Sentences on the number of events and of events left out; empty without events."""
    from corewise.profile.text import event_totals

    sentences = []
    if profile.n_events:
        sentences.append(f"events: {event_totals(profile)}")
    if profile.n_events_dropped:
        left_out = f"{profile.n_events_dropped:,} events were left out"
        sentences.append(f"{left_out}: give more --event-mib, or trace less")
    return sentences


def unfinished(profile: Profile) -> list[str]:
    """A sentence on the ranks that did not finish; empty if all did."""
    from corewise.observe.tracing import unfinished_ranks
    from corewise.text.quantities import index_text

    ranks = unfinished_ranks(profile)
    if not ranks:
        return []
    which = f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {index_text(ranks)}"
    return [f"{which} of {profile.n_ranks} did not reach MPI_Finalize"]
