"""`corewise lab`: creates, uses and ends emulated clusters on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click
from corewise.cli.group import Group
from corewise.cli.options import JSON_WITH_OUTPUT, json_option
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.clusters.cluster import Lab
    from corewise.clusters.kind import ClusterSpec, Kind

EXAMPLE = """\b
Example:
  corewise lab run netns --nodes 4 --rate 100mbit -- mpirun -n 8 ./app
  corewise lab run netns --rate 1gbit -- corewise tune -- mpirun -n 8 ./app
  corewise lab up slurm
  corewise lab run slurm -- srun -N 4 hostname
  corewise lab down
"""


def _shape_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for creating a cluster or a virtual machine (Kind.options) to a command."""
    for option in reversed(_SHAPE_OPTIONS):
        command = option(command)
    return command


_SHAPE_OPTIONS = (
    click.option("--nodes", type=int, metavar="N", help="Number of nodes. Default: 4. For netns and slurm."),
    click.option(
        "--slots",
        type=int,
        metavar="K",
        help="Slots of each node: how many ranks it takes. Default: the number of CPUs of this machine.",
    ),
    click.option(
        "--rate",
        metavar="RATE",
        help="Bandwidth of each node's link, for example 100mbit or 1gbit. Default: unlimited.",
    ),
    click.option("--smt", is_flag=True, help="Two hardware threads per core. For numa-vm."),
    click.option(
        "--add",
        multiple=True,
        type=click.Path(exists=True),
        metavar="PATH",
        help="Copy this file into the virtual machine. For numa-vm. Repeatable.",
    ),
)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value not in (None, ()) and value is not False}


@click.group("lab", cls=Group, epilog=EXAMPLE)
@click.option(
    "--list",
    "list_kinds",
    is_flag=True,
    help="List the kinds, and for each whether it is up or what it lacks on this machine.",
)
@json_option()
def command(list_kinds: bool, as_json: bool) -> None:
    """Make clusters on this machine, use them and end them.

    Everything is emulated by this machine: all nodes share its cores, and --rate slows
    links down.
    """
    if not list_kinds:
        raise click.UsageError("expected up, down or run, and a KIND (or --list)")
    from corewise.cli.listing import print_rows
    from corewise.clusters.cluster import found

    from corewise_laboratory.clusters import KINDS

    def state(kind: Kind) -> str:
        return kind.missing or ("up" if kind.cluster and found(kind) else "")

    print_rows({name: f"{kind.sentence}{_in_brackets(state(kind))}" for name, kind in KINDS.items()}, as_json)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


@command.command("up", epilog="Example:  corewise lab up netns --nodes 4 --rate 100mbit")
@click.argument("name", metavar="KIND")
@_shape_options
@json_option()
def up(name: str, as_json: bool, **options: Any) -> None:
    """Make a cluster that stays until it is ended."""
    from corewise.clusters import cluster
    from corewise.errors import InputError

    from corewise_laboratory.clusters import kind_named

    kind = kind_named(name)
    if kind.cluster is None:
        raise InputError(f"{name} boots for each command; expected `corewise lab run {name} -- COMMAND`")
    lab = cluster.up(kind, _spec(kind, _given(options)))
    if as_json:
        click.echo(json_text(_document(lab) | {"environment": lab.environment()}))
    else:
        hosts = lab.record.spec.hosts
        click.echo(
            f"{name} is up: {hosts[0]} to {hosts[-1]}. Use it:  corewise lab run {name} -- COMMAND", err=True
        )


@command.command("down", epilog="Example:  corewise lab down netns")
@click.argument("name", metavar="[KIND]", required=False)
@json_option()
def down(name: str | None, as_json: bool) -> None:
    """End the clusters that are up, or the one of a KIND."""
    from corewise.clusters import cluster

    from corewise_laboratory.clusters import KINDS, kind_named

    ended = cluster.down([kind_named(name).name] if name else KINDS)
    if as_json:
        click.echo(json_text({"down": ended}))
    else:
        click.echo(f"{', '.join(ended)}: down" if ended else f"no {name or 'cluster'} was up", err=True)


@command.command("run", epilog="Example:  corewise lab run netns --nodes 4 -- mpirun -n 8 ./app")
@click.argument("name", metavar="KIND")
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND ...")
@_shape_options
@JSON_WITH_OUTPUT
def run(name: str, argv: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Run a command in the cluster that is up, else in one that is made for it alone."""
    from corewise import LaunchPlan
    from corewise.start.launching import start
    from corewise.start.streams import Streams

    from corewise_laboratory.clusters import kind_named

    kind, given = kind_named(name), _given(options)
    kind.refuse_other_options(given)
    streams = Streams(stdout=sys.stderr if as_json else None)
    document: dict[str, Any] = {"kind": name, "command": list(argv)}
    if kind.cluster is None:
        assert kind.boot is not None
        kind.check()
        code, wall_s = start(LaunchPlan(kind.boot(given, argv)), streams)
    else:
        with _cluster(kind, given) as lab:
            document |= _document(lab)
            code, wall_s = start(LaunchPlan(lab.argv(list(argv)), lab.environment()), streams)
    if as_json:
        click.echo(json_text(document | {"exit_code": code, "wall_s": wall_s}))
    return code


def _cluster(kind: Kind, given: dict[str, Any]) -> AbstractContextManager[Lab]:
    """The running cluster of this kind, else a new one that ends with the block."""
    from corewise.clusters import cluster
    from corewise.errors import InputError

    lab = cluster.found(kind)
    if lab and given:
        raise InputError(
            f"{kind.name} is up, so that --{next(iter(given))} comes too late; leave it out, or end that "
            f"cluster with `corewise lab down {kind.name}`"
        )
    return nullcontext(lab) if lab else cluster.temporary(kind, _spec(kind, given))


def _spec(kind: Kind, given: dict[str, Any]) -> ClusterSpec:
    from corewise.clusters.kind import ClusterSpec
    from corewise.clusters.rates import parse_rate

    kind.refuse_other_options(given)
    return ClusterSpec(
        n_nodes=given.get("nodes", 4),
        slots=given.get("slots", len(os.sched_getaffinity(0))),
        rate_bits_per_s=parse_rate(given["rate"]) if "rate" in given else None,
    )


def _document(lab: Lab) -> dict[str, Any]:
    spec = lab.record.spec
    return {
        "kind": lab.kind.name,
        "hosts": spec.hosts,
        "slots": spec.slots,
        "rate_bits_per_s": spec.rate_bits_per_s,
    }
