"""corewise score: every objective of a placement."""

from __future__ import annotations

from pathlib import Path

import click

from corewise.cli.layer_option import LAYER_OPTION
from corewise.text.any_bytes import json_text


@click.command(epilog="Example:  corewise score placement.json cg.C.64.npz --machine draco:8")
@click.argument("placement_path", metavar="PLACEMENT", type=click.Path(path_type=Path))
@click.argument("source", metavar="INPUT")
@click.option("--machine", "spec", metavar="M", default="local", help="The machine; this one if not given.")
@LAYER_OPTION
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(placement_path: Path, source: str, spec: str, layer: str, as_json: bool) -> None:
    """Score a placement file for the traffic of INPUT, beside block, round-robin and random placements.

    The machine must be the one that the placement was made for: the fingerprints are compared. PLACEMENT may
    also be a rank order of Cray's MPI, as CrayPat writes it (MPICH_RANK_ORDER*).
    """
    from corewise.files.placement import read_placement
    from corewise.files.rank_order import is_rank_order, read_rank_order
    from corewise.machines import load
    from corewise.mapping import scoring
    from corewise.mapping.constraints import ConstraintRequest
    from corewise.mapping.mapping import BASELINES
    from corewise.mapping.request import Request
    from corewise.mapping.solve import solve
    from corewise.profile.inputs import read_input

    machine = load(spec)
    if is_rank_order(placement_path):
        file = read_rank_order(placement_path, machine)
    else:
        file = read_placement(placement_path)
    found = read_input(source, layer)
    scores = {"placement": scoring.score_all(found.traffic, machine, file.on(machine))}
    widths = {len(cores) for cores in file.cores}
    same = ConstraintRequest(
        cores_per_rank=widths.pop() if len(widths) == 1 else 1, oversubscribe=file.oversubscribed
    )
    for name in BASELINES:
        request = Request(solver=name, constraints=same)
        baseline = solve(found, machine, request).solution.placement
        scores[name] = scoring.score_all(found.traffic, machine, baseline)

    rows = scoring.objectives_for(machine)
    if as_json:
        document = {name: scoring.scores_json(machine, values) for name, values in scores.items()}
        document["scores"] = document.pop("placement")
        units = {name: row.unit for name, row in rows.items()}
        click.echo(json_text({"machine": machine.name, "units": units} | document))
        return
    for objective, row in rows.items():
        click.echo(f"{objective}  ({row.sentence})")
        for name, values in scores.items():
            click.echo(f"  {name:<12} {scoring.score_text(row, values[objective])}")
