"""What `corewise --version` and `corewise check --installation` print: all that was found or is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corewise.cli.listing import print_noun
from corewise.version import __version__

if TYPE_CHECKING:
    from corewise.nouns.installation import Installation


def print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    """The callback of --version."""
    if not asked or ctx.resilient_parsing:
        return
    from corewise.installation.capabilities import installation

    click.echo(f"corewise, version {__version__}")  # first, for scripts that read one line
    click.echo("\n".join(_tables(installation())))
    ctx.exit()


def print_installation(as_json: bool) -> int:
    """Prints all that was found; returns exit code 1 if programs of no MPI can be traced."""
    from corewise.installation.capabilities import installation

    found = installation()
    print_noun(found, as_json, lambda: [*_tables(found), "", _verdict(found)], indent=1)
    return 0 if found.works else 1


def _verdict(found: Installation) -> str:
    can = "can trace, map and run" if found.works else "can't trace or run"
    return f"{found.system}: corewise {can} MPI programs here."


def _tables(found: Installation) -> list[str]:
    from corewise.launchers.mpi_family import family_name
    from corewise.text.table import text_table

    preload = [(family_name(family), file) for family, file in found.preload.items()]
    launchers = [
        (one.title, ", ".join(one.names), ", ".join(map(family_name, one.traces)) or "nothing")
        for one in found.launchers
    ]
    works = [(one.name, one.found) for one in found.capabilities if one.works]
    missing = [(one.name, one.serves, one.advice) for one in found.capabilities if not one.works]
    return [
        *text_table("Preload libraries", ["<for programs of", "<file"], preload),
        *text_table("Launchers", ["<launcher", "<names on PATH", "<traces programs of"], launchers),
        *text_table("Found", ["<what", "<which"], works),
        *text_table("Missing", ["<what", "<needed by", "<what to do"], missing),
    ]
