"""A subcommand that has its own subcommands: `steer explain`, `lab up`."""

from __future__ import annotations

import shutil
from typing import Any

import click

from corewise.cli.help import GroupedCommand
from corewise.errors import did_you_mean, nearest_name


class Group(GroupedCommand, click.Group):
    """A group that is also a command: words that are no subcommand are its own arguments.

    A word near a subcommand's name that is no program either is refused. Options of a subcommand may be
    before its name, as in version 0.1, but a note shows the right order.
    """

    command_class = GroupedCommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = self._first_word(args)
        if at is None or args[at] not in self.commands:
            near = at is not None and nearest_name(args[at], self.commands) and shutil.which(args[at]) is None
            other = args[at:] if near else click.Command.parse_args(self, ctx, args)
            if other and not ctx.resilient_parsing:
                meant = did_you_mean(other[0], self.commands)
                raise click.UsageError(f"{ctx.command_path} has no command '{other[0]}'{meant}", ctx)
            return other
        if ctx.resilient_parsing:  # complete the words after the name
            ctx.args = args[at:]
            return ctx.args
        before, name, after = args[:at], args[at], args[at + 1 :]
        if before:
            place = f"{ctx.command_path} {name} {' '.join(before)}"
            click.echo(f"corewise: note: options follow the name of the command: `{place} ...`", err=True)
        ctx.invoked_subcommand, ctx.args = name, [*before, *after]
        return ctx.args

    def invoke(self, ctx: click.Context) -> Any:
        name = ctx.invoked_subcommand
        if name is None:
            return click.Command.invoke(self, ctx)
        # The parent is the group's parent, so that the usage line has no arguments of the group.
        whole_name = f"{ctx.info_name} {name}"
        with self.commands[name].make_context(whole_name, list(ctx.args), parent=ctx.parent) as context:
            return context.command.invoke(context)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, of.get_short_help_str(100)) for name, of in self.commands.items()])

    def _first_word(self, args: list[str]) -> int | None:
        """Index of the first word in `args` that is no option and no option's value; None after `--`."""
        commands = (self, *self.commands.values())
        options = [each for of in commands for each in of.params if isinstance(each, click.Option)]
        with_value = {name for each in options if not each.is_flag for name in each.opts}
        at = 0
        while at < len(args) and args[at].startswith("-") and args[at] != "--":
            at += 2 if args[at] in with_value else 1
        return at if at < len(args) and args[at] != "--" else None
