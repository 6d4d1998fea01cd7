"""corewise --version: the version, what was found on this machine, and what is missing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from corewise import __version__

if TYPE_CHECKING:
    from corewise.installation import Here, Seen


def print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """The callback of --version; starts no MPI job."""
    if not asked or ctx.resilient_parsing:
        return
    from corewise.installation import look_around, looked_for

    click.echo(f"corewise, version {__version__}")  # first, for scripts that read one line
    here = look_around()
    click.echo("\n".join(_lines(here, looked_for(here))))
    ctx.exit()


def _lines(here: Here, seen: list[Seen]) -> list[str]:
    from corewise.installation import this_system
    from corewise.launchers.mpi_family import family_name
    from corewise.text.table import text_table

    manager = this_system().manager
    preload = [(family_name(family), os.path.basename(path)) for family, path in here.preload.items()]
    launchers = [
        (one.title, ", ".join(one.names), ", ".join(map(family_name, here.traced(one))) or "nothing")
        for one in here.launchers
    ]
    found = [(one.capability.name, one.found) for one in seen if one.found]
    missing = [
        (one.capability.name, one.capability.serves, one.advice(manager)) for one in seen if one.trouble
    ]
    return [
        *text_table("Preload libraries", ["<for programs of", "<file"], preload),
        *text_table("Launchers", ["<launcher", "<names on PATH", "<traces programs of"], launchers),
        *text_table("Found", ["<what", "<which"], found),
        *text_table("Missing", ["<what", "<needed by", "<what to do"], missing),
    ]
