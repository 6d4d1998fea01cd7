"""Situation: everything that checks look at, found out beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corewise.execute.application import Application
from corewise.execute.host_cpus import HostCpus
from corewise.launchers.hosts import Host
from corewise.launchers.openmp import n_threads_asked
from corewise.text.quantities import index_text


@dataclass(frozen=True)
class SeenRank:
    """A rank as the launcher started it: on which of the situation's `nodes`, with which mask (os_index)."""

    rank: int
    node: int
    os_pus: frozenset[int]


@dataclass(frozen=True)
class Asked:
    """The command to check. `before` are words in front of its launcher, such as `taskset -c 0`.

    `program_family` is the MPI whose library the program loads, None where it doesn't tell. `seen` are the
    ranks as the launcher started them, in order; empty where it was not started (`exit_code` None) or failed,
    with `printed` what it said. `unseen` says why no rank was seen though the launcher didn't fail;
    `timed_out` says that corewise ended it because its time was up. `host_lines` are the hosts as the command
    names them, repeated ones too; `rankfile` is the (path, text) of the one that it uses. `mask_before` is
    what `before` leaves to the launcher. `own_launcher` is one of the program's MPI, None where none is here.
    `pmi` is the process manager interface that srun gives, None under other launchers.
    """

    application: Application
    before: tuple[str, ...] = ()
    program_family: str | None = None
    seen: tuple[SeenRank, ...] = ()
    exit_code: int | None = None
    printed: str = ""
    unseen: str | None = None
    timed_out: bool = False
    host_lines: tuple[Host, ...] = ()
    rankfile: tuple[str, str] | None = None
    mask_before: frozenset[int] | None = None
    own_launcher: str | None = None
    pmi: str | None = None


@dataclass(frozen=True)
class Situation:
    """This host, the environment that a program would find, and the command where there is one.

    `nodes` are the hosts that ranks were seen on; this host alone where none was.
    """

    here: HostCpus
    environment: Mapping[str, str] = field(default_factory=dict)
    asked: Asked | None = None
    nodes: Sequence[HostCpus] = ()

    @property
    def n_threads(self) -> int:
        """Threads of a rank that OMP_NUM_THREADS asks for; one where it says nothing."""
        return n_threads_asked(self.environment) or 1

    @property
    def seen(self) -> tuple[SeenRank, ...]:
        """The ranks as the launcher started them."""
        return self.asked.seen if self.asked else ()

    def seen_on(self, node: int) -> list[SeenRank]:
        """Those on one of `nodes`."""
        return [rank for rank in self.seen if rank.node == node]

    @property
    def most_on_a_node(self) -> int:
        """The greatest number of ranks on one node; all of them where nobody has seen where they are."""
        if self.seen:
            return max(Counter(rank.node for rank in self.seen).values())
        asked = self.asked.application.n_ranks if self.asked else None
        return -(-asked // len(self.asked.application.hosts)) if asked else 1


def ranks_text(ranks: Sequence[SeenRank]) -> str:
    """ "rank 3" or "ranks 0-2,5", for a sentence."""
    return f"rank{'s' if len(ranks) > 1 else ''} {index_text(rank.rank for rank in ranks)}"
