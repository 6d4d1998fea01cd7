"""`corewise export`: a placement as another launcher's files, flags and environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from corewise.cli.binding_options import binder_settings, binding_options, placement_wanted
from corewise.cli.listing import print_rows
from corewise.cli.options import json_option, machine_option, near_option, placement_option
from corewise.text.any_bytes import json_text

EXAMPLE = """\b
Example:
  corewise export best.json --for openmpi4 -o launch
  corewise export --binding numa --machine perlmutter:8 --for hydra --hosts n0,n1,n2,n3,n4,n5,n6,n7
"""


@click.command("export", epilog=EXAMPLE)
@click.argument("word", metavar="[PLACEMENT]", type=click.Path(path_type=Path), required=False)
@placement_option("placement", "It may also be given without --placement.")
@click.option("--for", "launcher_name", metavar="LAUNCHER", help="Which launcher; see --list.")
@binding_options
@near_option("Each rank is shown the one that is local to its cores.")
@machine_option("--binding, --near, a rankfile and a rank order go by it.")
@click.option(
    "--hosts",
    metavar="HOST,...",
    help="Node 0, 1, ... of the placement, as n1,n2 or n[1-4]; the allocation's own otherwise.",
)
@click.option("-o", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Write the files there.")
@click.option("--list", "list_launchers", is_flag=True, help="List the launchers.")
@json_option()
def command(
    word: Path | None,
    placement: Path | None,
    launcher_name: str | None,
    near: str | None,
    hosts: str | None,
    folder: Path | None,
    list_launchers: bool,
    as_json: bool,
    **bound: Any,
) -> int:
    """Say how a launcher starts a program under PLACEMENT, or bound: files, flags and environment."""
    from corewise import verbs
    from corewise.execute.exporting import machine_for
    from corewise.launchers import EXPORTED, LAUNCHERS
    from corewise.launchers.hosts import distinct_names
    from corewise.machines import load

    if list_launchers:
        known = sorted((LAUNCHERS | EXPORTED).items())
        print_rows({name: f"{found.sentence} ({found.standing})" for name, found in known}, as_json)
        return 0
    if launcher_name is None:
        raise click.UsageError("expected PLACEMENT --for LAUNCHER (or --list)")
    if word and placement:
        raise click.UsageError(f"found two placements, {word} and {placement}; expected one")
    machine = load(bound.pop("spec"))
    names = None if hosts is None else distinct_names(hosts)
    wanted = placement_wanted(
        placement or word, lambda made: machine_for(made, machine), hosts=names, **bound
    )
    settings = binder_settings(**bound)
    plan = verbs.export(
        wanted, launcher_name, machine, hosts=names, near=near, folder=folder, settings=settings
    )
    if as_json:
        click.echo(json_text({"argv": plan.argv, "env": plan.env, "files": plan.files, "notes": plan.notes}))
        return 0
    click.echo(plan.command_text)
    for path, text in plan.files.items():
        click.echo(f"\nfile {path}" + ("" if folder else f"\n{text.rstrip()}"))
    for note in plan.notes:
        click.echo(f"\nnote: {note}")
    return 0
