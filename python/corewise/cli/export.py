"""`corewise export`: a placement as another launcher's files, flags and environment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.binding_options import binder_settings, binding_options, placement_wanted
from corewise.cli.listing import print_rows
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.files.launch_plan import LaunchPlan
    from corewise.files.placement import PlacementFile
    from corewise.launchers import Injection, Launcher
    from corewise.model import Machine

EXAMPLE = """\b
Example:
  corewise export best.json --for openmpi4 -o launch
  corewise export --binding numa --machine perlmutter:8 --for hydra --hosts n0,n1,n2,n3,n4,n5,n6,n7
"""


@click.command("export", epilog=EXAMPLE)
@click.argument("placement", type=click.Path(path_type=Path), required=False)
@click.option("--for", "launcher_name", metavar="LAUNCHER", help="Which launcher; see --list.")
@binding_options
@click.option(
    "--near",
    metavar="gpu|nic|NAME",
    help="Show each rank the one GPU, network card or device of that name that is local to its cores.",
)
@click.option(
    "--machine", "spec", metavar="M", default="local", help="What --binding and --near go by; else this."
)
@click.option(
    "--hosts", metavar="HOST,...", help="Node 0, 1, ... of the placement; the allocation's own otherwise."
)
@click.option("-o", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Write the files there.")
@click.option("--list", "list_launchers", is_flag=True, help="List the launchers.")
@click.option("--json", "as_json", is_flag=True, help="One document.")
def command(
    placement: Path | None,
    launcher_name: str | None,
    near: str | None,
    hosts: str | None,
    folder: Path | None,
    list_launchers: bool,
    as_json: bool,
    **bound,
) -> int:
    """Say how a launcher starts a program under PLACEMENT, or bound: files, flags and environment."""
    from corewise.execute.programs import BINDER, native
    from corewise.launchers import EXPORTED, LAUNCHERS, Injection, launcher
    from corewise.machines import load

    if list_launchers:
        known = sorted((LAUNCHERS | EXPORTED).items())
        print_rows({name: f"{found.sentence} ({found.standing})" for name, found in known}, as_json)
        return 0
    if launcher_name is None:
        raise click.UsageError("expected PLACEMENT --for LAUNCHER (or --list)")
    spec = bound.pop("spec")
    wanted = placement_wanted(placement, lambda _: load(spec), **bound)
    rank_env = _variables(wanted, near, load(spec)) if near else ()
    injection = Injection(native(BINDER), settings=binder_settings(**bound), rank_env=rank_env)
    plan = _plan(wanted, launcher(launcher_name), hosts, folder, injection)
    if folder is not None:
        _write(plan, folder)
    if as_json:
        click.echo(json_text({"argv": plan.argv, "env": plan.env, "files": plan.files, "notes": plan.notes}))
        return 0
    click.echo(plan.command_text)
    for path, text in plan.files.items():
        click.echo(f"\nfile {path}" + ("" if folder else f"\n{text.rstrip()}"))
    for note in plan.notes:
        click.echo(f"\nnote: {note}")
    return 0


def _plan(
    placement: PlacementFile,
    launcher: Launcher,
    hosts: str | None,
    folder: Path | None,
    injection: Injection,
) -> LaunchPlan:
    from corewise.launchers import Command, Job, Program
    from corewise.launchers.hosts import distinct_names

    unnamed = hosts is None
    names = _unnamed_hosts(launcher, max(placement.node) + 1) if unnamed else distinct_names(hosts)
    command = Command(launcher.start, [Program(options=[], app=["APP"])])
    source = "nowhere" if unnamed else "user"
    plan = launcher.plan(placement, Job(command, names, str(folder or "."), injection, source))
    names_of_own = {name for variables in injection.rank_env for name in variables}
    note = f"corewise-bind gives each rank its own {', '.join(sorted(names_of_own))}."
    return replace(plan, notes=[*plan.notes, note]) if names_of_own else plan


def _variables(placement: PlacementFile, near: str, machine: Machine) -> tuple[dict[str, str], ...]:
    from corewise.execute.near import Near

    placement.on(machine)  # refuses another machine than the one that the placement was made for
    return Near(near, machine).variables(placement, {})


def _unnamed_hosts(launcher: Launcher, n_nodes: int) -> list[str]:
    """This host for one node; else the launcher's way to say "the i-th host of the allocation"."""
    from corewise.errors import InputError

    if n_nodes == 1:
        return ["localhost"]
    if launcher.any_host is None:
        raise InputError(
            f"{launcher.name} needs the names of the {n_nodes} nodes: give --hosts HOST,HOST,..."
        )
    return [launcher.any_host.format(node=node) for node in range(n_nodes)]


def _write(plan: LaunchPlan, folder: Path) -> None:
    from corewise.errors import InputError
    from corewise.execute.folder import refuse_foreign_link
    from corewise.execute.start import write_files

    refuse_foreign_link(folder)
    for path in plan.files:
        if Path(path).exists():
            raise InputError(f"{path} is there already; choose another folder than {folder} or remove it")
    write_files(plan)
