"""Traces the user's own command into a profile."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from corewise.errors import InputError, Note, RunError
from corewise.interrupts import Terminated
from corewise.nouns.placement import JobProgram, write_programs
from corewise.nouns.run import Run, TraceSummary
from corewise.observe.node_topologies import slots_of
from corewise.observe.runs import holds_profile, reported, run_of
from corewise.start.application import TIMED, Application, RecordedCalls
from corewise.start.folder import InUse, alone_in, fresh_folder
from corewise.start.launching import start
from corewise.start.program_file import doubt_of, refuse_unrecordable
from corewise.start.programs import find_programs, preload_of
from corewise.start.streams import Streams
from corewise.text.quantities import exit_text

if TYPE_CHECKING:
    from corewise.model import Profile

# 20 KiB for header and call table, 64 KiB for a rank's record and first rows (preload/store/store.c).
LEAST_ROOM_BYTES = 96 * 1024


@dataclass(frozen=True)
class Recording:
    """A profile and its run; `run` is None if an earlier command made the profile, `path` is its folder."""

    profile: Profile
    run: Run | None
    path: str = ""

    @property
    def ended_well(self) -> bool:
        """False if the run failed."""
        return self.run is None or self.run.exit_code == 0

    @property
    def wall_s(self) -> float:
        """The program's duration, s: of the launcher, or of the longest rank for an earlier profile."""
        return self.run.wall_s if self.run else max(rank.wall_s for rank in self.profile.ranks)

    def to_json(self) -> dict[str, Any]:
        """The document that `corewise trace --json` prints; only if there is a run."""
        profile, run = self.profile, self.run
        assert run is not None
        summary = TraceSummary(
            profile=self.path,
            n_ranks=profile.n_ranks,
            complete=profile.complete,
            faults=list(profile.faults),
            unfinished_ranks=unfinished_ranks(profile),
            events=profile.n_events,
            events_left_out=profile.n_events_dropped,
            exit_code=run.exit_code,
            wall_s=run.wall_s,
            mpi_s=run.mpi_s,
        )
        return summary.to_json()

    def slots(self, application: Application) -> list[int] | None:
        """The index of each profile node among the command's hosts; None if a node is not among them."""
        found = slots_of(application.host_names, self.profile.nodes, is_now=self.run is not None)
        return [min(slots) for slots in found] if all(found) else None


def unfinished_ranks(profile: Profile) -> list[int]:
    """The ranks that did not reach MPI_Finalize."""
    return [rank for rank, info in enumerate(profile.ranks) if not info.finished]


def earlier_recording(folder: Path, application: Application) -> Recording:
    """A profile of an earlier `trace` or `tune`; raises InputError if it can't be of this command."""
    from corewise.profile.reading import read_profile

    if not folder.is_dir() or (folder / "profile").is_dir():
        near = f"; did you mean {folder / 'profile'}?" if folder.is_dir() else ""
        raise InputError(
            f"is no profile; expected the folder that `corewise trace -o` made or `corewise tune` "
            f"left as DIR/profile{near}",
            path=folder,
        )
    profile, asked = read_profile(folder), application.n_ranks
    if asked is not None and asked != profile.n_ranks:
        raise InputError(
            f"the command starts {asked} ranks, {folder} has {profile.n_ranks}; expected as many"
        )
    return Recording(profile, None)


class NotObserved(RunError):
    """The program ran, but no rank reported: the answer is "no"."""


def trace(
    application: Application,
    target: Path,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    recorded: RecordedCalls = TIMED,
    timeout_s: float | None = None,
) -> tuple[Run, Profile]:
    """Runs the command unchanged and records its profile in the folder `target`.

    After `timeout_s`, the command is stopped (TIMED_OUT). With mode "count", calls are not timed. The profile
    is kept if the program fails or is ended from outside (Terminated, SIGKILL), but not after Ctrl-C. Raises
    InputError if `target` exists and is not an empty folder of the user, and for a program that can't be
    recorded; NotObserved if no rank reported.
    """
    for program in find_programs(application.command, application.launcher):
        refuse_unrecordable(program)
    with fresh_folder(target, keeps=_holds_what_stays) as folder, alone_in(folder) as scratch:
        plan = application.plan_as_is(str(scratch), str(folder), recorded=recorded)
        try:
            ended = start(plan, streams, timeout_s)
        except Terminated as error:
            if not holds_profile(folder):
                raise
            raise Terminated(f"what was recorded until then is in {target}") from error
        profile = reported(folder)
        if profile is None:
            raise NotObserved(_why_unobserved(application, ended[0], folder))
        _keep_programs(folder, application.programs(profile.n_ranks), target)
    run = run_of("default", plan, ended, profile, application.wanted(None, application.machine))
    return (run if recorded.mode != "count" else structs.replace(run, mpi_s=None)), profile


def doubts(application: Application) -> list[str]:
    """Sentences on why a program of the command may not be recorded, to print before the start."""
    programs = dict.fromkeys(find_programs(application.command, application.launcher))
    found = (doubt_of(program, preload_of(application.family)) for program in programs)
    return [doubt for doubt in found if doubt is not None]


def _keep_programs(folder: Path, programs: list[JobProgram], target: Path) -> None:
    """A full file system is no reason to lose what the ranks recorded: a note says what is missing."""
    try:
        write_programs(folder, programs)
    except InputError as error:
        lost = f"{target} doesn't name the job's programs and their launcher options: {error}"
        warnings.warn(Note(lost), stacklevel=2)


def _free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _holds_what_stays(folder: Path, error: BaseException) -> bool:
    return isinstance(error, InUse) or (isinstance(error, Terminated) and holds_profile(folder))


def not_recorded(profile: Profile, target: Path) -> list[str]:
    """Sentences on what is missing in the profile at `target`."""
    missing = [str(rank) for rank, info in enumerate(profile.ranks) if info.node < 0]
    sentences = []
    if missing:
        which = f"rank {missing[0]} has" if len(missing) == 1 else f"{len(missing)} ranks have"
        sentences.append(f"{which} no record in {target}; what the ranks printed says why")
    if profile.calls_without_room:
        sentences.append(
            f"{target} had no room for {profile.calls_without_room} calls (disk full, quota or file size "
            "limit); trace again into a folder with room"
        )
    return sentences


def _why_unobserved(application: Application, exit_code: int, folder: Path) -> str:
    if (free := _free_bytes(folder)) < LEAST_ROOM_BYTES:
        return (
            f"no rank could be recorded: the file system of {folder} is full ({free} bytes free); expected "
            f"{LEAST_ROOM_BYTES} or more. Trace again into a folder with room"
        )
    app, expected = application.command.app[0], f"an MPI program that links {application.family} dynamically"
    if exit_code == 0:
        if doubted := doubts(application):
            return f"no rank of '{app}' reported: {doubted[0]}"
        return f"no rank of '{app}' reported: expected {expected} and reaches MPI_Init"
    return (
        f"'{application.command.executable}' failed ({exit_text(exit_code)}) before a rank of '{app}' "
        f"reported. What it printed is above; if that is not the reason, check that '{app}' is {expected}"
    )
