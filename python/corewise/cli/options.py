"""The table of options that several commands have, so that a name has one meaning everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from corewise.cli import completing

if TYPE_CHECKING:
    from corewise.plots.picture_file import Form, Picture

Command = TypeVar("Command", bound=Callable[..., Any])

_STYLE = "corewise.options.style"
_BY_FORM = "corewise.options.by_form"  # key of a context's path of --png or --svg


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Combines several options into one decorator, in this order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _row(name: str, keyword: str, what: str, **row: Any) -> Callable[..., Callable[[Command], Command]]:
    """A row of the table. A command calls it with the end of its help, and with what differs there."""

    def option(more: str = "", keyword: str = keyword, **others: Any) -> Callable[[Command], Command]:
        return click.option(name, keyword, **(row | others), help=f"{what} {more}".strip())

    return option


json_option = _row("--json", "as_json", "Print one JSON document.", is_flag=True)
# For commands that start a program of the user.
JSON_WITH_OUTPUT = json_option("The program's output goes to standard error.")
mpi_option = _row("--mpi", "mpi", "MPI library.", type=click.Choice(["openmpi", "mpich"]))
near_option = _row(
    "--near",
    "near",
    "Device near each rank: gpu, nic, a maker (nvidia, amd, intel) or a name that `corewise topo` shows.",
    metavar="gpu|nic|NAME",
)
placement_option = _row(
    "--placement",
    "placement",
    "A file of `corewise map -o`, an Open MPI rankfile or a rank order.",
    type=click.Path(path_type=Path),
    metavar="PLACEMENT",
)
ranks_option = _row("-n", "n_ranks", "Number of ranks.", type=click.IntRange(min=1), metavar="N")
# How long runs are repeated. It stops no run.
repeat_time_option = _row(
    "--repeat-time",
    "repeat_time_s",
    "Time for repeated runs. After the first pass, start another only if it fits.",
    type=click.FloatRange(min=0, min_open=True),
    metavar="WALL_SECONDS",
)
repeats_option = _row(
    "--repeats", "repeats", "Runs of each placement.", type=click.IntRange(min=1), metavar="N"
)
# Wall time of a run. A solver's limit is --deadline, in CPU seconds.
timeout_option = _row(
    "--timeout",
    "timeout_s",
    "Stop a run after this time.",
    type=click.FloatRange(min=1),
    default=300,
    show_default=True,
    metavar="WALL_SECONDS",
)


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


def picture_option(what: str, by_form: Form | None = None) -> Callable[[Command], Command]:
    """--picture FILE and --style, the keyword `pictures`: Pictures whose files may be written.

    `what` is the sentence on what is drawn. `by_form`: --png or --svg writes this form to any file.
    """

    def checked(ctx: click.Context, param: click.Parameter, paths: Iterable[Path]) -> list[Picture]:
        from corewise.plots.picture_file import Picture

        pictures = [Picture.by_ending(path, style=_style_of(ctx)) for path in paths]
        if by_form and (path := ctx.meta.get(_BY_FORM)):
            pictures.append(Picture(path, by_form))
        for picture in pictures:
            picture.check()
        return pictures

    def keep(ctx: click.Context, param: click.Parameter, path: Path | None) -> None:
        ctx.meta[_BY_FORM] = path

    file = click.Path(path_type=Path)

    def add(command: Command) -> Command:
        if by_form:
            hidden: dict[str, Any] = {"hidden": True, "is_eager": True, "expose_value": False}
            command = click.option(f"--{by_form}", type=file, callback=keep, **hidden)(command)
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


# A solver's seed has 64 bits.
SEED = click.IntRange(0, 2**64 - 1)


class CpuSeconds(click.FloatRange):
    """A number of seconds from 0; also refuses NaN, which passes click's comparison."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return seconds


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

# The keywords of mapping.request.request_of().
request_options = together(
    click.option(
        "--objective",
        metavar="O",
        shell_complete=completing.objectives,
        help="What to minimise; `corewise map --list` lists the objectives. Default: time if latency and "
        "bandwidth of the machine are known, else hop-bytes.",
    ),
    click.option(
        "--solver",
        metavar="S",
        shell_complete=completing.solvers,
        default="auto",
        show_default=True,
        help="Algorithm; `corewise map --list` lists them.",
    ),
    click.option(
        "--seed", metavar="K", type=SEED, default=1, show_default=True, help="Seed of random choices."
    ),
    click.option(
        "--effort",
        metavar="LEVEL",
        type=click.Choice(["fast", "default", "strong"]),
        default="default",
        show_default=True,
        help="How hard to search: fast, default or strong.",
    ),
    click.option(
        "--deadline",
        metavar="CPU_SECONDS",
        type=CpuSeconds(min=0),
        help="Stop each search after this much CPU time. Default: no limit.",
    ),
    click.option(
        "--threads",
        metavar="K",
        type=click.IntRange(1, 1024),
        default=1,
        show_default=True,
        help="Threads of the search. They don't change the answer.",
    ),
    click.option(
        "--cores-per-rank",
        type=click.IntRange(min=1),
        metavar="K",
        help="Cores of each rank, next to each other on one node. Default: one for each thread in the "
        "profile if there is room, else one.",
    ),
    click.option(
        "--free",
        multiple=True,
        metavar="NODE:CORES",
        help="Leave these cores free, for example all:0 or 0:2-3 (logical numbers). Repeatable.",
    ),
    click.option(
        "--free-per-node",
        type=click.IntRange(min=0),
        metavar="N",
        help="Leave N cores of each node free, the last ones of each package in turn.",
    ),
    click.option(
        "--fix",
        multiple=True,
        metavar="RANK=PLACE",
        help="Fix a rank to a node (3=0) or to a core of it (3=0:5). Repeatable.",
    ),
    near_option("Only cores near such a device are used."),
    click.option(
        "--constraints",
        metavar="FILE.toml",
        type=click.Path(path_type=Path),
        help="Read constraints from this file. Options add to it.",
    ),
    click.option(
        "--oversubscribe", is_flag=True, help="Let ranks share cores if there are more ranks than cores."
    ),
)

# The keywords of verbs.read().
TRAFFIC_OPTIONS = ("phases", "layer", "format")
traffic_options = together(
    click.option(
        "--phase",
        "phases",
        metavar="N|INPUT",
        multiple=True,
        help="Use phase N alone, numbered as `corewise show` does, or add another INPUT as a phase. "
        "Repeatable.",
    ),
    LAYER_OPTION,
    FORMAT_OPTION,
)

# The keywords of Bound (mapping/binding_request.py).
binding_options = together(
    click.option(
        "--binding",
        metavar="OBJECT",
        type=click.Choice(BINDING_NAMES),
        help="Bind each rank to a whole core, l3, numa, package (socket) or node (board) around its cores, "
        "or to one hardware thread of each core (pu). Without a placement: to the objects in order.",
    ),
    click.option(
        "--processes-per-object",
        type=click.IntRange(min=1),
        metavar="K",
        help="Without a placement: ranks on each object. Default: from the command's number, or one.",
    ),
    click.option(
        "--share",
        is_flag=True,
        help="Without a placement: each rank gets all cores of its object, shared with the others there.",
    ),
    click.option(
        "--omp-places",
        is_flag=True,
        help="Set OMP_PLACES and OMP_PROC_BIND=close, so that OpenMP threads get the cores of their rank.",
    ),
    click.option(
        "--membind", is_flag=True, help="Allocate each rank's memory on the NUMA domains of its cores."
    ),
)
