"""TraceSummary: what a traced run left in its profile, and how it ended."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from corewise.nouns.codec import Index, Noun, Seconds

Events = Annotated[int, Meta(ge=0)]


class TraceSummary(Noun, frozen=True, kw_only=True):
    """The profile in the folder `profile`, and the exit code and times of the run that it records.

    `unfinished_ranks` did not reach MPI_Finalize. `events_left_out` were counted, but are not kept. `mpi_s`
    is the mean over ranks of the time inside MPI, None with mode "count".
    """

    FORMAT: ClassVar[str] = "corewise-trace"
    WRITTEN_BY: ClassVar[str] = "corewise trace --json"

    profile: str
    n_ranks: Index
    complete: bool
    faults: list[str]
    unfinished_ranks: list[Index]
    events: Events
    events_left_out: Events
    exit_code: int
    wall_s: Seconds
    mpi_s: Seconds | None
