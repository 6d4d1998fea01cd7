"""corewise map: the placement of an INPUT's ranks on a machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun
from corewise.cli.options import (
    TRAFFIC_OPTIONS,
    json_option,
    machine_option,
    output_option,
    request_options,
    traffic_options,
)
from corewise.errors import InputError
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.mapping import Mapping
    from corewise.nouns.placement import Placement
    from corewise.profile.inputs import Input


@click.command(
    cls=GroupedCommand, epilog="Example:  corewise map cg.C.64.npz --machine draco:8 -o placement.json"
)
@click.argument("source", metavar="INPUT", shell_complete=completing.files, required=False)
@machine_option()
@click.option("--worst", is_flag=True, help="Find the worst placement instead of the best.")
@request_options
@traffic_options
@output_option("output", "PLACEMENT", "File for the placement.")
@click.option("--list", "list_rows", is_flag=True, help="List the solvers and the objectives.")
@json_option()
def command(source: str | None, output: Path | None, list_rows: bool, as_json: bool, **asked: Any) -> None:
    """Place the ranks of INPUT, a profile or a matrix, on the cores of a machine.

    link-load keeps every rank on its node (block order) and solves each node by itself; the other objectives
    choose nodes and cores.
    """
    if list_rows:
        _print_rows(as_json)
        return
    if source is None:
        raise InputError("found no INPUT; expected a profile or a matrix file (corewise map --help)")
    from corewise import verbs
    from corewise.cli.progress import with_progress
    from corewise.files.document import check_replaced
    from corewise.nouns.placement import Placement, programs_beside

    if output is not None:
        check_replaced(output, Placement.read, "a placement")
    found = verbs.read(source, **{name: asked.pop(name) for name in TRAFFIC_OPTIONS})
    machine = verbs.machine(asked.pop("spec"))
    result = with_progress(
        f"mapping {found.traffic.n_ranks} ranks", lambda: verbs.map(found, machine, **asked)
    )
    if output is not None:
        structs.replace(result.placement, programs=programs_beside(Path(source))).write(output)
        click.echo(f"placement: {output}", err=True)
    print_noun(result, as_json, lambda: _text(result, found, machine))


def _print_rows(as_json: bool) -> None:
    from corewise import model
    from corewise.mapping import solvers as table

    solvers: list[dict[str, Any]] = []
    for solver in table.solvers().values():
        fields = {
            "name": solver.name,
            "sentence": solver.sentence,
            "citation": solver.citation,
            "optimises": solver.optimises,
        }
        solvers.append(fields | ({"missing": solver.missing()} if solver.missing else {}))
    objectives: list[dict[str, Any]] = [
        {"name": row.name, "unit": row.unit, "sentence": row.sentence, "source": row.source}
        for row in model.objectives()
    ]
    if as_json:
        click.echo(json_text({"solvers": solvers, "objectives": objectives}, indent=1))
        return
    for title, rows, origin in (
        ("solvers", solvers, "citation"),
        ("objectives (lower is better)", objectives, "source"),
    ):
        click.echo(title)
        for row in rows:
            click.echo(f"  {row['name']:<16} {row['sentence']}")
            click.echo(f"  {'':<16} {row[origin]}")
            if row.get("missing"):
                click.echo(f"  {'':<16} {row['missing']}")


def _text(result: Mapping, found: Input, machine: Machine) -> list[str]:
    from corewise.mapping.scoring import score_text
    from corewise.model import objective
    from corewise.nouns.mapping import listed
    from corewise.text.quantities import seconds_text

    row, traffic = objective(result.objective), found.traffic
    aim = "worst" if result.worst else "best"
    how = f"{aim} found by {result.solver}" if result.searched else f"as {result.solver} places them"
    cut = ", cut short by the deadline" if result.cut_short else ""
    lines = [
        f"{found.name}: {traffic.n_ranks} ranks on {machine.name} ({machine.n_cores} cores)",
        f"{row.name}, {how}: {score_text(row, listed(result.value))}  "
        f"({result.standing}; {seconds_text(result.cpu_s)} of CPU{cut})",
        f"{row.name}: {row.sentence}",
    ]
    if result.n_optimal is not None:
        lines.append(f"placements with this value: {result.n_optimal}")
    if result.solver == "size-major":
        lines.append(
            f"size-major counts messages of {traffic.large.threshold_bytes} B and more"
            if traffic.large
            else "size-major counts all bytes: the input has no message sizes"
        )
    lines.append("")
    lines += [f"{name:<14} {score_text(row, listed(value))}" for name, value in result.baselines.items()]
    return [*lines, "", *_nodes_text(result.placement)]


_MOST_NODES, _MOST_CORES = 16, 64


def _nodes_text(placement: Placement) -> list[str]:
    """A line for each of the first nodes: its ranks with their cores, in the order of first cores."""
    from corewise.text.quantities import index_text

    ranks: dict[int, list[str]] = {}
    for _, rank in sorted((core, rank) for rank, core in enumerate(placement.core)):
        of_node = ranks.setdefault(placement.node[rank], [])
        of_node.append(f"{index_text(placement.cores[rank])}:{rank}")
    lines = ["ranks by node, each as core:rank"]
    for node in sorted(ranks)[:_MOST_NODES]:
        more = len(ranks[node]) - _MOST_CORES
        lines.append(
            f"node {node:<4} "
            + " ".join(ranks[node][:_MOST_CORES])
            + (f" and {more} more" if more > 0 else "")
        )
    if len(ranks) > _MOST_NODES:
        lines.append(f"and {len(ranks) - _MOST_NODES} more nodes; -o writes all of them")
    return lines
