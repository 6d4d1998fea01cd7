"""One run of a command under a placement, with every binding read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple
from warnings import warn

from corewise.errors import Note
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe import preconditions
from corewise.observe.preconditions import HostsKnown, check_placement
from corewise.observe.runs import run_observed
from corewise.start.application import Application, parse_application
from corewise.start.folder import working_directory
from corewise.start.near import Near
from corewise.start.streams import Streams


class Placed(NamedTuple):
    """A command, its placement and its hosts. Nothing is started yet."""

    application: Application
    placement: Placement
    known: HostsKnown


def placed(
    command: Sequence[str],
    place: Callable[[Callable[[Placement | None], Machine], int | None, list[str]], Placement],
    binder_settings: tuple[str, ...],
    near: str | None = None,
    hosts: Callable[[Application], HostsKnown] = preconditions.asked,
) -> Placed:
    """The command with its placement, which `place` makes as BindingRequest.placement() does.

    `near` makes only the device near its cores visible to each rank. Warns of what in the environment maps or
    binds, because the program starts without it. Raises InputError and MissingError.
    """
    application = replace(parse_application(command), binder_settings=binder_settings)
    application.refuse_placing()
    for variable in application.own_binding:
        what = "maps or binds, but corewise sets the placement: the program starts without it"
        warn(f"'{variable}' {what}", Note, stacklevel=3)
    known = hosts(application)
    placement = place(known.machine_for, application.n_ranks, known.hosts)
    if near is not None:
        application = replace(application, near=Near(near, known.machine_for(placement)))
    return Placed(application, placement, known)


def run_placed(
    application: Application,
    placement: Placement,
    known: HostsKnown,
    label: str,
    streams: Streams,
    timeout_s: float | None = None,
) -> Run:
    """Runs the command under the placement; after `timeout_s` the command is stopped (TIMED_OUT).

    Raises InputError, before the start, if the placement doesn't fit the command or its hosts.
    """
    check_placement(placement, application, known)
    with working_directory(hosts=application.host_names) as folder:
        plan = application.plan_placed(placement, str(folder), str(folder / "profile"))
        wanted = application.wanted(placement, known.machine)
        return run_observed(plan, label, folder / "profile", wanted, streams, timeout_s)
