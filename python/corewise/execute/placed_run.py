"""One run of a command under a placement, with every binding read back."""

from __future__ import annotations

from corewise.execute.application import Application
from corewise.execute.folder import working_directory
from corewise.execute.hosts_known import HostsKnown
from corewise.execute.observe import run_observed
from corewise.execute.preconditions import check_placement
from corewise.execute.streams import Streams
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run


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
