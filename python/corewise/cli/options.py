"""Options of several commands, defined once, so that a name has one meaning everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from corewise.cli import completing

if TYPE_CHECKING:
    from corewise.plots.picture_file import Form, Picture

Command = TypeVar("Command", bound=Callable[..., Any])

_STYLE = "corewise.options.style"
_OLD = "corewise.options.old"  # key of a context's values of old spellings, by the new name


def old_spelling(name: str, new: str, **given: Any) -> Callable[[Command], Command]:
    """A hidden option of an earlier version: old_values() gives its value to the option `new`."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        if value is not None:
            click.echo(f"corewise: note: {name} is now {new}", err=True)
            ctx.meta.setdefault(_OLD, {}).setdefault(new.split()[0], []).append((name, value))

    return click.option(
        name, f"old_{name.strip('-')}", hidden=True, is_eager=True, expose_value=False, callback=keep, **given
    )


def old_values(ctx: click.Context, new: str) -> list[tuple[str, Any]]:
    """(old spelling, value) of each old spelling of the option `new` that was used."""
    found: list[tuple[str, Any]] = ctx.meta.get(_OLD, {}).get(new, [])
    return found


def _style_option(command: Command) -> Command:
    """--style, whose value _style_of() returns."""

    def keep(ctx: click.Context, param: click.Parameter, value: str) -> None:
        ctx.meta[_STYLE] = value

    return click.option(
        "--style",
        type=click.Choice(["page", "paper"]),
        default="page",
        show_default=True,
        is_eager=True,
        expose_value=False,
        callback=keep,
        help="Style of pictures: page, or paper for a column of a two-column paper.",
    )(command)


def _style_of(ctx: click.Context) -> Any:
    return ctx.meta.get(_STYLE, "page")


def picture_option(what: str, old: Mapping[str, Form | None] | None = None) -> Callable[[Command], Command]:
    """--picture FILE and --style, the keyword `pictures`: Pictures whose files may be written.

    `what` is the sentence on what is drawn. `old` maps earlier spellings to the form of the file.
    """

    def checked(ctx: click.Context, param: click.Parameter, paths: Iterable[Path]) -> list[Picture]:
        from corewise.plots.picture_file import Picture

        pictures = [Picture.by_ending(path, style=_style_of(ctx)) for path in paths]
        for name, path in old_values(ctx, "--picture"):
            form = (old or {})[name]
            pictures.append(Picture(path, form) if form else Picture.by_ending(path))
        for picture in pictures:
            picture.check()
        return pictures

    file = click.Path(path_type=Path)

    def add(command: Command) -> Command:
        for name, form in (old or {}).items():
            new = f"--picture FILE.{form}" if form else "--picture FILE"
            command = old_spelling(name, new, type=file, metavar="FILE")(command)
        command = _style_option(command)
        forms = "Formats: .png, .svg, .pdf."
        help = f"Draw a picture to this file. {what} {forms} Repeatable."
        return click.option(
            "--picture", "pictures", metavar="FILE", multiple=True, type=file, callback=checked, help=help
        )(command)

    return add


def machine_option(
    more: str = "", default: str | None = "local", several: bool = False, otherwise: str = "this machine"
) -> Callable[[Command], Command]:
    """--machine M, the keyword `spec` (a tuple `specs` of several). Help calls the default `otherwise`."""
    return click.option(
        "--machine",
        "specs" if several else "spec",
        metavar="M",
        shell_complete=completing.machines,
        multiple=several,
        default=(default,) if several else default,
        help=f"Machine, for example draco:8 or node.xml. Default: {otherwise}. {more}".strip(),
    )


def placement_option(name: str, more: str = "", several: bool = False) -> Callable[[Command], Command]:
    """--placement PLACEMENT."""
    return click.option(
        "--placement",
        name,
        type=click.Path(path_type=Path),
        metavar="PLACEMENT",
        multiple=several,
        help=f"A file of `corewise map -o`, an Open MPI rankfile or a rank order. {more}".strip(),
    )


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Combines several options into one decorator, in this order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def launcher_argument(
    metavar: str = "-- LAUNCHER ... APP ...", required: bool = True
) -> Callable[[Command], Command]:
    """The command of a launcher, the keyword `argv`."""
    return click.argument(
        "argv",
        nargs=-1,
        required=required,
        type=click.UNPROCESSED,
        shell_complete=completing.command_words,
        metavar=metavar,
    )


def output_option(name: str, metavar: str, what: str, required: bool = False) -> Callable[[Command], Command]:
    """-o FILE, the keyword `name`."""
    return click.option(
        "-o", name, type=click.Path(path_type=Path), metavar=metavar, help=what, required=required
    )


def json_option(more: str = "") -> Callable[[Command], Command]:
    """--json, the keyword `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print one JSON document. {more}".strip())


# For commands that start a program of the user.
JSON_WITH_OUTPUT = json_option("The program's output goes to standard error.")


def timeout_option(what: str) -> Callable[[Command], Command]:
    """--timeout: wall time of a run. A solver's limit is --deadline, in CPU seconds."""
    return click.option(
        "--timeout",
        "timeout_s",
        type=click.FloatRange(min=1),
        default=300,
        show_default=True,
        metavar="WALL_SECONDS",
        help=f"Stop a run after this time. {what}".strip(),
    )


REPEAT_TIME = click.FloatRange(min=0, min_open=True)


def repeat_time_option(name: str, what: str) -> Callable[[Command], Command]:
    """--repeat-time: how long runs are repeated. It stops no run."""
    return click.option(
        "--repeat-time",
        name,
        type=REPEAT_TIME,
        metavar="WALL_SECONDS",
        help=f"Time for repeated runs. After the first pass, start another only if it fits. {what}",
    )


def repeats_option(what: str) -> Callable[[Command], Command]:
    """--repeats N, the keyword `repeats`."""
    return click.option(
        "--repeats",
        "repeats",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"Runs of each placement. {what}",
    )


def ranks_option(more: str = "") -> Callable[[Command], Command]:
    """-n N, the keyword `n_ranks`."""
    return click.option(
        "-n", "n_ranks", type=click.IntRange(min=1), metavar="N", help=f"Number of ranks. {more}".strip()
    )


def mpi_option(more: str) -> Callable[[Command], Command]:
    """--mpi, the keyword `mpi`."""
    return click.option("--mpi", type=click.Choice(["openmpi", "mpich"]), help=f"MPI library. {more}")


def near_option(more: str) -> Callable[[Command], Command]:
    """--near, a device that ranks are close to."""
    return click.option(
        "--near",
        metavar="gpu|nic|NAME",
        help="Device near each rank: gpu, nic, a maker (nvidia, amd, intel) or a name that `corewise topo` "
        f"shows. {more}",
    )


# The names in mapping.process_binding.BINDINGS, and "pu"; copied because that module is slow to import.
BINDING_NAMES = ("board", "core", "l3", "node", "numa", "package", "pu", "socket")

# The names in corewise.profile.inputs.LAYERS; copied because that module is slow to import.
LAYER_OPTION = click.option(
    "--layer",
    metavar="LAYER",
    type=click.Choice(["p2p", "coll", "coll:binomial", "coll:recursive-doubling", "coll:ring", "rma"]),
    default="p2p",
    show_default=True,
    help="Traffic to read: p2p (point to point), coll (collectives), rma (one-sided), or the messages of an "
    "algorithm: coll:binomial, coll:recursive-doubling, coll:ring.",
)

FORMAT_OPTION = click.option(
    "--format",
    metavar="NAME",
    shell_complete=completing.formats,
    help="Format of INPUT, for example edges; `corewise show --list` lists them. Default: detected.",
)
