"""How `--help` shows the options of a command: in groups, the most used ones first."""

from __future__ import annotations

from collections.abc import Iterator

import click

# Heading -> its options in order. Other options, and an option that is alone in its group, are under
# "Common".
_GROUPS = {
    "Search": ("--objective", "--solver", "--effort", "--worst", "--deadline", "--threads", "--seed"),
    "Constraints": (
        "--cores-per-rank",
        "--near",
        "--fix",
        "--free",
        "--free-per-node",
        "--oversubscribe",
        "--constraints",
    ),
    "Traffic": ("--phase", "--layer", "--format"),
    "Batch job": ("--submit", "--job-options"),
    "Output": ("-o", "--picture", "--style", "--text", "--list", "--json", "--help"),
}
_FEWEST = 6  # with fewer options, there is one list

Record = tuple[str, str]  # an option as typed, and its help


class GroupedCommand(click.Command):
    """A command whose help has groups of options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, records in option_groups(self, ctx):
            with formatter.section(heading):
                formatter.write_dl(records, col_max=24)


def option_groups(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, list[Record]]]:
    """Heading and options of each group that isn't empty; one group, "Options", if there are few."""
    options = {name: each for each in command.get_params(ctx) for name in each.opts}
    records = {name: record for name, each in options.items() if (record := _record(each, ctx))}
    if len(set(records.values())) < _FEWEST:
        yield "Options", list(dict.fromkeys(records.values()))
        return
    groups = {title: [records[name] for name in names if name in records] for title, names in _GROUPS.items()}
    groups = {title: found for title, found in groups.items() if len(found) > 1}
    grouped = {record for found in groups.values() for record in found}
    yield "Common", [record for record in dict.fromkeys(records.values()) if record not in grouped]
    yield from groups.items()


def _record(option: click.Parameter, ctx: click.Context) -> Record | None:
    """The option's line of help, without a range of numbers, which the error for a wrong number shows."""
    record = option.get_help_record(ctx)
    if record is None or not isinstance(option, click.Option):
        return None
    in_range = option.get_help_extra(ctx).get("range")
    names, text = record
    if in_range:
        text = text.replace(f"; {in_range}]", "]").replace(f"  [{in_range}]", "")
    return names, text
