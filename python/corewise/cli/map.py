"""corewise map: the placement of an INPUT's ranks on a machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from corewise.cli.options import json_option, machine_option
from corewise.cli.request_options import TRAFFIC_OPTIONS, request_options, traffic_options
from corewise.errors import InputError
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.mapping.mapping import Mapping


@click.command(epilog="Example:  corewise map cg.C.64.npz --machine draco:8 -o placement.json")
@click.argument("source", metavar="INPUT", required=False)
@machine_option()
@click.option("--worst", is_flag=True, help="Look for the worst placement instead of the best.")
@request_options
@traffic_options
@click.option(
    "-o", "output", metavar="PLACEMENT", type=click.Path(path_type=Path), help="Write the placement here."
)
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
    from corewise.nouns.job_programs import programs_beside
    from corewise.nouns.placement import check_target

    if output is not None:
        check_target(output)
    found = verbs.read(source, **{name: asked.pop(name) for name in TRAFFIC_OPTIONS})
    machine = verbs.machine(asked.pop("spec"))
    result = with_progress(
        f"mapping {found.traffic.n_ranks} ranks", lambda: verbs.map(found, machine, **asked)
    )
    if output is not None:
        structs.replace(result.file(), programs=programs_beside(Path(source))).write(output)
        click.echo(f"placement: {output}", err=True)
    click.echo(json_text(result.to_json()) if as_json else "\n".join(_text(result)))


def _print_rows(as_json: bool) -> None:
    from corewise import model
    from corewise.mapping.engines import ENGINES

    solvers: list[dict[str, Any]] = [
        {"name": row.name, "sentence": row.sentence, "citation": row.citation, "optimises": row.optimises}
        for row in model.solvers()
    ]
    for engine in ENGINES.values():
        row = {"name": engine.name, "sentence": engine.sentence, "citation": engine.citation}
        solvers.append({**row, "optimises": engine.optimises, "missing": engine.missing()})
    solvers.sort(key=lambda row: row["name"])
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


def _text(result: Mapping) -> list[str]:
    from corewise.mapping.scoring import score_text
    from corewise.text.quantities import seconds_text

    solution, row = result.solution, result.objective
    aim = result.searched_for
    found = f"{aim} found by {result.request.solver}" if aim else f"as {result.request.solver} places them"
    cut = ", cut short by the deadline" if solution.cut_short else ""
    lines = [
        f"{result.input.name}: {result.input.traffic.n_ranks} ranks on {result.machine.name} "
        f"({result.machine.n_cores} cores)",
        f"{row.name}, {found}: {score_text(row, solution.score)}  "
        f"({result.standing()}; {seconds_text(solution.cpu_s)} of CPU{cut})",
        f"{row.name}: {row.sentence}",
    ]
    if solution.n_optimal is not None:
        lines.append(f"placements with this value: {solution.n_optimal}")
    if result.request.solver == "size-major":
        large = result.input.traffic.large
        lines.append(
            f"size-major looks at messages of {large.threshold_bytes} B and more"
            if large
            else "size-major looks at all bytes: the input has no message sizes"
        )
    lines.append("")
    lines += [f"{name:<14} {score_text(row, values)}" for name, values in result.baselines().items()]
    lines.append("")
    return lines + _nodes_text(result)


_MOST_NODES, _MOST_CORES = 16, 64


def _nodes_text(result: Mapping) -> list[str]:
    """A line for each of the first nodes: which rank is on which cores, in the order of their first ones."""
    from corewise.launchers.launcher import index_list

    ranks: dict[int, list[str]] = {}
    placement, machine = result.solution.placement, result.machine
    for core, rank in sorted((core, rank) for rank, core in enumerate(placement.core_of_rank.tolist())):
        cores = index_list([machine.core_on_node(own) for own in placement.cores(rank).tolist()])
        ranks.setdefault(machine.node_of(core), []).append(f"{cores}:{rank}")
    lines = ["ranks by node, each as core:rank"]
    for node in sorted(ranks)[:_MOST_NODES]:
        more = len(ranks[node]) - _MOST_CORES
        lines.append(
            f"node {node:<4} "
            + " ".join(ranks[node][:_MOST_CORES])
            + (f" and {more} more" if more > 0 else "")
        )
    if len(ranks) > _MOST_NODES:
        lines.append(f"and {len(ranks) - _MOST_NODES} nodes more; -o writes all of them")
    return lines
