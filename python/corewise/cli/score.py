"""corewise score: every objective of a placement."""

from __future__ import annotations

from pathlib import Path

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.options import FORMAT_OPTION, LAYER_OPTION, json_option, machine_option, placement_option
from corewise.text.escaping import json_text

EXAMPLE = """\b
Example:
  corewise score placement.json cg.C.64.npz --machine draco:8
  corewise score rankfile cg.C.64.npz --machine draco:8
"""


@click.command(cls=GroupedCommand, epilog=EXAMPLE)
@click.argument(
    "words", metavar="[PLACEMENT] INPUT", shell_complete=completing.files, nargs=-1, required=True
)
@placement_option("Same as the argument.")
@machine_option()
@LAYER_OPTION
@FORMAT_OPTION
@json_option()
def command(
    words: tuple[str, ...], placement: Path | None, spec: str, layer: str, format: str | None, as_json: bool
) -> None:
    """Score a placement for the traffic of INPUT, compared with block, round-robin and random placements.

    PLACEMENT is a file of `corewise map`, an Open MPI rankfile, or a rank order (Cray's MPICH_RANK_ORDER, or
    any list of ranks). A file of corewise must have been made for the same machine.
    """
    from corewise import verbs
    from corewise.mapping.scoring import score_text
    from corewise.model import objective

    if len(words) != (1 if placement else 2):
        raise click.UsageError("expected one PLACEMENT and one INPUT")
    source = words[-1]
    result = verbs.score(placement or Path(words[0]), verbs.read(source, layer=layer, format=format), spec)
    if as_json:
        click.echo(json_text(result.to_json()))
        return
    for name in result.units:
        row = objective(name)
        click.echo(f"{name}  ({row.sentence})")
        for label, scores in result.by_placement.items():
            click.echo(f"  {label:<12} {score_text(row, scores[name])}")
