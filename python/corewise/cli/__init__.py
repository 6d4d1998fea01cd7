"""The command line: one file per subcommand, named by its verb, loaded only when it is called.

Other packages add commands (added_commands).
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import TextIOWrapper
from typing import Any

import click
from click.shell_completion import CompletionItem

from corewise.cli.installation import print_version
from corewise.errors import INTERRUPTED, CorewiseError, MissingError, Note, did_you_mean, options_typed
from corewise.interrupts import came_of_interrupt, termination_raises
from corewise.text.escaping import PRINTABLE

_FOUND = re.compile(r"(?P<value>'.*'|\S+) is not (?:one of|in the range|a valid)")


def usage_sentence(error: click.ClickException) -> str:
    """What is wrong, and what was expected or where the help is."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    path = ctx.command_path.removeprefix(ctx.find_root().command_path).strip() if ctx else ""
    see = f"; `corewise {path} --help` shows all options" if path else ""
    if isinstance(error, click.NoSuchOption):
        near = did_you_mean(error.option_name, error.possibilities or ())
        return f"{path or 'corewise'} has no option '{error.option_name}'{near or see}"
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name} needs a value{see}"
    if isinstance(error, click.MissingParameter) and error.param and ctx:
        return f"{path} needs {_needed(error.param, ctx)}"
    if isinstance(error, click.BadParameter) and error.param:
        return _bad_value(error)
    return error.format_message().removeprefix("corewise ").removesuffix(".") + see


def _needed(param: click.Parameter, ctx: click.Context) -> str:
    """The missing parameter as typed, and the first example of the command."""
    name = param.make_metavar(ctx)
    if isinstance(param, click.Option):
        name = f"{param.opts[0]} {name}, {(param.help or '').rstrip('.').lower()}"
    examples = re.findall(r"(?m)corewise .*$", ctx.command.epilog or "")
    return f"{name}, for example `{examples[0]}`" if examples else name


def _bad_value(error: click.BadParameter) -> str:
    param = error.param
    assert param is not None
    name = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name
    found, expected = _FOUND.match(error.message), _expected(param.type)
    if not found or not expected:
        return f"{name}: {error.message.removesuffix('.')}"
    return f"{name} is {found['value']}; expected {expected}"


def _expected(kind: Any) -> str:
    if isinstance(kind, click.Choice):
        *others, last = map(str, kind.choices)
        return f"{', '.join(others)} or {last}" if others else last
    number = "a whole number" if isinstance(kind, (click.IntRange, type(click.INT))) else "a number"
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        least = "" if kind.min is None else f"{'above' if kind.min_open else 'of at least'} {kind.min}"
        most = "" if kind.max is None else f"{'below' if kind.max_open else 'at most'} {kind.max}"
        return " ".join([number, " and ".join(filter(None, [least, most]))]).strip()
    return number if isinstance(kind, (type(click.INT), type(click.FLOAT))) else ""


# Sorted by name; `corewise --help` shows the sentences.
COMMANDS: dict[str, str] = {
    "advise": "Predict whether placement matters, how much, and why.",
    "check": "Find mistakes in bindings, and print the corrected command.",
    "completion": "Print the script that completes commands in a shell.",
    "export": "Write a placement for a launcher or as a job script.",
    "map": "Find the best placement of ranks on a machine.",
    "probe": "Measure latency and bandwidth of every level of this machine.",
    "report": "Write the HTML page of a tune, or of several runs.",
    "run": "Run a program under a placement, and verify every binding.",
    "score": "Compute all objectives of a placement.",
    "show": "Show the traffic of a profile or a matrix.",
    "simulate": "Predict a program's time on a machine that isn't here.",
    "steer": "Swap ranks between cores while the program runs.",
    "topo": "Show a machine: tree, levels and links.",
    "trace": "Record who sends how much to whom.",
    "tune": "The main job: find the best placement, and measure whether it helps.",
}

LABORATORY = ("bench", "lab", "study", "sweep")  # commands of the package corewise-laboratory


@dataclass(frozen=True)
class AddedCommands:
    """Commands of another package: `table` is like COMMANDS, `package` has a module for each of its names."""

    package: str
    table: dict[str, str]


@cache
def added_commands() -> dict[str, AddedCommands]:
    """Heading in `corewise --help` -> the commands that a package adds below it.

    A package adds commands by an entry point of the group "corewise.commands", for example `laboratory =
    "corewise_laboratory.cli:COMMANDS"`: its name is the heading, its value is the table. The table is in a
    package with a module for each command, whose click command is named `command`.
    """
    from importlib.metadata import entry_points

    added = {}
    for point in sorted(entry_points(group="corewise.commands"), key=lambda point: point.name):
        try:
            added[point.name.capitalize()] = AddedCommands(point.module, point.load())
        except (ImportError, AttributeError) as error:
            warnings.warn(Note(f"commands of {point.module} are left out: {error}"), stacklevel=2)
    return added


def module_of(name: str) -> str | None:
    """The module of a command; None if no installed package has it."""
    if name in COMMANDS:
        return f"{__name__}.{name}"
    found = (added.package for added in added_commands().values() if name in added.table)
    package = next(found, None)
    return f"{package}.{name}" if package else None


# The output of `corewise` without arguments.
FIRST_STEPS = """\
Does placement matter for my program on this machine?   corewise tune -- mpirun -n 8 ./app
Would it matter on a cluster that isn't here?           corewise tune --machine draco:8 -- mpirun -n 64 ./app
What else is there?                                     corewise --help"""


class LazyGroup(click.Group):
    """A group that imports the module of a command only when the command is used."""

    def main(self, *args: Any, **named: Any) -> Any:
        with options_typed():
            return super().main(*args, **named)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(FIRST_STEPS, err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for added in added_commands().values() for name in added.table)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = module_of(cmd_name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if args and not args[0].startswith("-") and module_of(args[0]) is None:
            if args[0] in LABORATORY:
                raise MissingError(
                    f"{args[0]} is a command of the laboratory, which is not installed; install the package "
                    "corewise-laboratory (from the sources: scripts/setup)"
                )
            near = did_you_mean(args[0], self.list_commands(ctx))
            raise click.UsageError(f"unknown command '{args[0]}'{near}", ctx)
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None and found is not None and not isinstance(found, click.Group):
            _refuse_repeated(name, found, rest, ctx)
        return name, found, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        for heading, added in added_commands().items():
            with formatter.section(heading):
                formatter.write_dl(list(added.table.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes names from the tables, without importing commands."""
        tables = [COMMANDS, *(added.table for added in added_commands().values())]
        rows = [row for table in tables for row in table.items() if row[0].startswith(incomplete)]
        own = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=sentence) for name, sentence in rows), *own]


def _refuse_repeated(name: str, found: click.Command, args: list[str], parent: click.Context) -> None:
    """Raises UsageError for a second --machine or --placement if the command takes only one.

    Some commands take several, and click would silently use the last one.
    """
    ctx = found.context_class(found, info_name=name, parent=parent, **found.context_settings)
    *_, order = found.make_parser(ctx).parse_args(list(args))
    given = Counter(each for each in order if isinstance(each, click.Option))
    for option, times in given.items():
        if times > 1 and not option.multiple and {"--machine", "--placement"} & set(option.opts):
            raise click.UsageError(
                f"{max(option.opts, key=len)} was given {times} times; `{name}` takes one: "
                f"leave out the others, or start `{name}` once for each",
                ctx,
            )


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version, what was found on this machine, and what is missing.",
)
def cli() -> None:
    """Does it matter which core each rank runs on, which placement is best, and did it help?

    The main job:  corewise tune -- mpirun -n 8 ./app
    """


def _note_or(other: Callable[..., None]) -> Callable[..., None]:
    """A showwarning() that prints notes on standard error, and passes other warnings on to `other`."""

    def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
        if issubclass(category, Note):
            click.echo(f"corewise: note: {message}", err=True)
        else:
            other(message, category, *rest, **named)

    return show


def _not_loaded(error: BaseException) -> str:
    while error.__cause__ is not None:  # the first cause, because NumPy adds thirty lines to it
        error = error.__cause__
    what = str(error) or "there is no memory left"
    if "cannot open shared object file" in what:
        return f"{what}; `corewise check --installation` names the package to install"
    return f"{what}; raise the limit on memory if there is one (ulimit -v), or install corewise again"


def main() -> None:
    """Entry point: prints errors as one sentence on standard error, and sets the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None if it is closed
            stream.reconfigure(errors=PRINTABLE)
    warnings.showwarning = _note_or(warnings.showwarning)
    try:
        with termination_raises():
            status = cli(standalone_mode=False)
    except CorewiseError as error:
        click.echo(f"corewise: {error}", err=True)
        sys.exit(error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        click.echo(f"corewise: {usage_sentence(error)}", err=True)
        sys.exit(2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"corewise: {where}{error.strerror}; expected room and permission to write", err=True)
        os._exit(2)  # flushing standard output at exit would fail again
    except (ImportError, MemoryError) as error:
        click.echo(f"corewise: {_not_loaded(error)}", err=True)
        sys.exit(MissingError.exit_code)
    except BaseException as error:
        if not (isinstance(error, click.Abort) or came_of_interrupt(error)):
            raise
        kept = f"; {error.__cause__}" if str(error.__cause__ or "") else ""
        click.echo(f"corewise: interrupted{kept}", err=True)
        if sys.stdout:
            sys.stdout.flush()
        os._exit(INTERRUPTED)  # without cleaning up, because a solver's thread may still be running
    sys.exit(status if isinstance(status, int) else 0)
