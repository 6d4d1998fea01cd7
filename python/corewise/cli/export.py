"""`corewise export`: a placement as another launcher's files, flags and environment, or as a job script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_rows
from corewise.cli.options import (
    binding_options,
    json_option,
    machine_option,
    near_option,
    output_option,
    placement_option,
)
from corewise.cli.run import print_plan
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.nouns.launch_plan import JobScript

EXAMPLE = """\b
Example:
  corewise export best.json --for openmpi4 -o launch
  corewise export best.json --script slurm -o job.sh
  corewise export --binding numa --machine perlmutter:8 --for hydra --hosts n0,n1,n2,n3,n4,n5,n6,n7
"""


@click.command("export", cls=GroupedCommand, epilog=EXAMPLE)
@click.argument("word", metavar="[PLACEMENT]", type=click.Path(path_type=Path), required=False)
@placement_option("Same as the argument.")
@click.option(
    "--for",
    "launcher_name",
    metavar="LAUNCHER",
    shell_complete=completing.launchers,
    help="Launcher, for example openmpi4; --list shows all.",
)
@click.option(
    "--script",
    "system_name",
    metavar="SYSTEM",
    shell_complete=completing.batch_systems,
    help="Write a job script for slurm, pbs, lsf or flux.",
)
@binding_options
@near_option("Each rank is shown the nearest one.")
@machine_option("Needed by --binding, --near, rankfiles and rank orders.")
@click.option(
    "--hosts",
    metavar="HOST,...",
    help="Names of nodes 0, 1, ...: n1,n2 or n[1-4]. Default: the hosts of the allocation.",
)
@output_option("target", "PATH", "Folder for the files, or new file for the job script.")
@click.option("--list", "list_known", is_flag=True, help="List the launchers and the batch systems.")
@json_option()
def command(
    word: Path | None,
    placement: Path | None,
    launcher_name: str | None,
    system_name: str | None,
    near: str | None,
    hosts: str | None,
    target: Path | None,
    list_known: bool,
    as_json: bool,
    **bound: Any,
) -> int:
    """Write PLACEMENT for a launcher: its files, flags and environment variables.

    With --script, write a job script that requests nodes, starts the program under the placement, and reports
    the bindings.
    """
    from corewise import verbs
    from corewise.batch import BATCH_SYSTEMS
    from corewise.launchers import EXPORTED, LAUNCHERS
    from corewise.machines import load

    if list_known:
        rows = {
            name: f"{one.sentence} ({one.standing})" for name, one in sorted((LAUNCHERS | EXPORTED).items())
        }
        scripts = {
            f"--script {one.name}": f"{one.sentence} ({one.standing})" for one in BATCH_SYSTEMS.values()
        }
        print_rows(rows if as_json else rows | scripts, as_json)  # in JSON a key is a launcher
        return 0
    if launcher_name is None and system_name is None:
        raise click.UsageError("expected PLACEMENT --for LAUNCHER, or PLACEMENT --script SYSTEM (or --list)")
    if system_name and hosts is not None:
        raise click.UsageError("a job script takes the hosts of its allocation; leave --hosts out")
    if word and placement:
        raise click.UsageError(f"found two placements, {word} and {placement}; expected one")
    machine = load(bound.pop("spec"))
    given = placement or word
    if system_name:
        script = verbs.export_script(given, system_name, machine, launcher=launcher_name, near=near, **bound)
        _print_script(script, BATCH_SYSTEMS[system_name].submit, target, as_json)
        return 0
    assert launcher_name is not None
    plan = verbs.export(given, launcher_name, machine, hosts=hosts, near=near, folder=target, **bound)
    print_plan(plan, as_json, written=target is not None)
    return 0


def _print_script(script: JobScript, submit: str, target: Path | None, as_json: bool) -> None:
    """Writes the script to a new file, or prints it."""
    from corewise.files.whole_file import write_new

    if target is not None:
        write_new(target, script.script)
        click.echo(f"{target}: fill in the lines marked FILL IN, then run {submit} {target}", err=True)
    if as_json:
        click.echo(json_text(script.to_json()))
    elif target is None:
        click.echo(script.script, nl=False)
