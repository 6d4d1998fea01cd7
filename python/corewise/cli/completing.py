"""Completion of options and arguments in a shell; modules are imported only on TAB."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pkgutil import resolve_name

import click
from click.shell_completion import CompletionItem

# The names in the register, copied here because importing it is too slow for completion.
SIMULATION_ENGINES = ("emulate", "estimate", "smpi")

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Leaves completion of paths to the shell."""
    return [CompletionItem(incomplete, type="file")]


def names(load: Callable[[], Iterable[str]], or_files: bool = False) -> Completer:
    """Completes the names that `load` returns; with `or_files`, paths if no name matches."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            found = [CompletionItem(name) for name in load() if name.startswith(incomplete)]
        except ImportError:  # its message would be printed into the line that the user types
            found = []
        return found or (files(ctx, param, incomplete) if or_files else [])

    return complete


def command_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`-- LAUNCHER ... APP ...`: an installed launcher or a subcommand first, then paths."""
    if ctx.params.get(param.name or ""):
        return files(ctx, param, incomplete)
    below = ctx.command.commands if isinstance(ctx.command, click.Group) else ()
    return names(lambda: [*below, *_launchers_here()], or_files=True)(ctx, param, incomplete)


def _machines() -> list[str]:
    from corewise.machines import presets

    return [*presets(), "local"]


def _launchers_here() -> list[str]:
    from corewise.launchers import LAUNCHERS

    executables = dict.fromkeys(name for one in LAUNCHERS.values() for name in one.executables)
    return sorted(filter(shutil.which, executables))


def _launchers() -> list[str]:
    from corewise.launchers import EXPORTED, LAUNCHERS

    return sorted(LAUNCHERS | EXPORTED)


def _objectives() -> list[str]:
    from corewise.model import objectives

    return [row.name for row in objectives()]


batch_systems = names(lambda: resolve_name("corewise.batch:BATCH_SYSTEMS"))
engines = names(lambda: SIMULATION_ENGINES)
formats = names(lambda: resolve_name("corewise.profile.formats:FORMATS"))
launchers = names(_launchers)
machines = names(_machines, or_files=True)
objectives = names(_objectives)
solvers = names(lambda: resolve_name("corewise.mapping.solvers:solvers")())
