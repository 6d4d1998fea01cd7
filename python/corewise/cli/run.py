"""`corewise run`: starts a program under a placement, and verifies every binding."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from corewise.cli.help import GroupedCommand
from corewise.cli.options import (
    JSON_WITH_OUTPUT,
    binding_options,
    launcher_argument,
    near_option,
    placement_option,
)
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.nouns.launch_plan import LaunchPlan
    from corewise.nouns.run import Run

EXAMPLE = """\b
Example:
  corewise run --placement best.json -- mpirun -n 8 ./app input
  corewise run --binding socket -- mpirun ./app input
"""


@click.command("run", cls=GroupedCommand, epilog=EXAMPLE, context_settings={"allow_interspersed_args": False})
@placement_option(keyword="placement_path")
@binding_options
@near_option("Each rank is shown the nearest one.")
@click.option("--dry-run", is_flag=True, help="Print the command, environment and files, but start nothing.")
@JSON_WITH_OUTPUT
@launcher_argument()
def command(
    placement_path: Path | None,
    near: str | None,
    dry_run: bool,
    as_json: bool,
    argv: tuple[str, ...],
    **bound: Any,
) -> int:
    """Run a program under a placement and verify every binding.

    Exit code 1: the binding of a rank differs from the placement, or the program failed.
    """
    from corewise import verbs

    if dry_run:
        print_plan(_planned(argv, placement_path, near, bound), as_json)
        return 0
    output = sys.stderr if as_json else None
    run = verbs.run(argv, placement_path, near=near, output=output, **bound)
    if as_json:
        click.echo(json_text(run.to_json()))
    else:
        print_run(run)
    return 0 if run.verified and run.exit_code == 0 else 1


def _planned(
    argv: tuple[str, ...], placement_path: Path | None, near: str | None, bound: dict[str, Any]
) -> LaunchPlan:
    from corewise.mapping.binding_request import BindingRequest
    from corewise.observe import preconditions
    from corewise.observe.placed_run import placed

    request = BindingRequest(**bound)
    place = partial(request.placement, placement_path)
    application, placement, known = placed(argv, place, request.settings, near, preconditions.assumed)
    preconditions.check_placement(placement, application, known)
    here = str(Path.cwd() / ".corewise-run")
    plan = application.plan_placed(placement, here, f"{here}/profile")
    note = known.note(placement, by_placement=not (bound["binding"] or near))
    return structs.replace(plan, notes=[*plan.notes, *filter(None, [note])])


def print_plan(plan: LaunchPlan, as_json: bool, written: bool = False) -> None:
    """Prints a plan: a command to copy with its environment variables, and its files.

    If the files are `written` already, only their names are printed.
    """
    if as_json:
        click.echo(json_text(plan.to_json()))
        return
    click.echo(plan.command_text)
    for path, text in plan.files.items():
        click.echo(f"\nfile {path}" + ("" if written else f"\n{text.rstrip()}"))
    for note in plan.notes:
        click.echo(f"\nnote: {note}")


def print_run(run: Run) -> None:
    """Prints a line for each rank, then the verdict, on standard error; standard output is the program's."""
    from corewise.nouns.run import seen_alike
    from corewise.profile.text import devices_table
    from corewise.text.quantities import index_text
    from corewise.text.table import text_table

    def pus(indices: list[int] | None) -> str:
        return "-" if indices is None else index_text(indices)

    rows = [
        (
            str(r.rank),
            r.host_wanted or "-",
            r.host or "-",
            pus(r.os_pus_wanted),
            pus(r.os_pus_seen),
            "ok" if r.ok else "not seen" if r.os_pus_seen is None else "DIFFERS",
        )
        for r in run.ranks
    ]
    heads = (">rank", "<host wanted", "<host", "<wanted", "<seen", "<")
    lines = text_table("Bindings (requested and seen: hardware threads, os_index)", heads, rows)
    lines += [f"rank {r.rank}: thread {thread} leaves it" for r in run.ranks for thread in r.threads_outside]
    lines += [f"rank {r.rank}: {what}" for r in run.ranks for what in [*r.other_devices, *r.gpu_notes]]
    lines += [f"GPUs that the command asks for: {run.gpus_asked}"] if run.gpus_asked else []
    title, devices = devices_table(seen_alike((r.rank, r.devices_seen, r.device_files) for r in run.ranks))
    lines += text_table(title, devices.heads, devices.rows)
    lines += [run.threads_note] if run.threads_note else []
    click.echo("\n".join([*lines, verdict(run)]), err=True)


def verdict(run: Run) -> str:
    """One or two sentences: how the run ended, and whether the bindings are as requested."""
    from corewise.text.quantities import exit_text

    times = f"{run.wall_s:.3g} s" + (
        "" if run.mpi_s is None else f", {run.mpi_s:.3g} s of it inside MPI (mean)"
    )
    ended = times if run.exit_code == 0 else f"the program ended with exit code {run.exit_code} after {times}"
    n_unreported = sum(r.os_pus_seen is None for r in run.ranks)
    if run.verified:
        return f"All {len(run.ranks)} bindings are as requested; {ended}."
    if n_unreported == len(run.ranks) and run.exit_code != 0:
        return (
            f"'{run.command[0]}' failed ({exit_text(run.exit_code)}) before a rank reported, after {times}. "
            "What it printed is above; if that is not the reason, check that the program links its MPI "
            "dynamically."
        )
    if n_unreported == len(run.ranks):
        return (
            f"No rank reported its binding: is this an MPI program that links its MPI dynamically?; {ended}."
        )
    differ = sum(not r.ok for r in run.ranks)
    return f"{differ} of {len(run.ranks)} bindings differ ({n_unreported} ranks did not report); {ended}."
