"""Situation: everything that checks look at, found out beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corewise.execute.application import Application
from corewise.execute.host_cpus import HostCpus
from corewise.execute.program_file import UNKNOWN, ProgramFile
from corewise.launchers.environment import environment_of
from corewise.launchers.hosts import Host
from corewise.launchers.openmp import n_threads_asked
from corewise.launchers.parameters import SetParameter
from corewise.launchers.programs import ranks_of_programs
from corewise.launchers.wrapper import environment_behind, unwrapped
from corewise.text.quantities import index_text


@dataclass(frozen=True)
class StartedRank:
    """A rank as the launcher started it: on which of the situation's `nodes`, with which mask (os_index)."""

    rank: int
    node: int
    os_pus: frozenset[int]


@dataclass(frozen=True)
class AskedProgram:
    """One program of the command: its words, its ranks and the variables that it would find.

    `ranks` is None if the command leaves a number of ranks to the launcher; `file` is what its file says.
    """

    app: list[str]
    ranks: tuple[int, ...] | None
    environment: Mapping[str, str]
    file: ProgramFile = UNKNOWN

    @property
    def name(self) -> str:
        """The program itself, after its wrappers."""
        return unwrapped(self.app)[0]

    @property
    def n_threads(self) -> int:
        """Threads of a rank that OMP_NUM_THREADS asks for; one if it says nothing."""
        return n_threads_asked(self.environment) or 1


def programs_of(
    application: Application, around: Mapping[str, str], files: Sequence[ProgramFile]
) -> tuple[AskedProgram, ...]:
    """The programs of a command that starts with the variables `around`; `files[i]` is its i-th program's."""
    command, options = application.command, application.launcher.options
    ranks: Sequence[list[int] | None] = ranks_of_programs(command, options) or [None] * len(command.programs)
    return tuple(
        AskedProgram(
            program.app,
            None if own is None else tuple(own),
            environment_behind(program.app, environment_of(command, options, around, i)),
            file,
        )
        for i, (program, own, file) in enumerate(zip(command.programs, ranks, files, strict=True))
    )


@dataclass(frozen=True)
class Asked:
    """The command to check. `before` are words in front of its launcher, such as `taskset -c 0`.

    `programs` are the command's, in order. `seen` are the ranks as the launcher started them, in order; empty
    where it was not started (`exit_code` None) or failed, with `printed` what it said. `unseen` says why no
    rank was seen though the launcher didn't fail; `timed_out` says that corewise ended it because its time
    was up. `host_lines` are the hosts as the command names them, repeated ones too; `rankfile` is the (path,
    text) of the one that it uses. `mask_before` is what `before` leaves to the launcher. `own_launcher` is
    one of the programs' MPI, None where none is here. `pmi` is the process manager interface that srun gives,
    None under other launchers. `parameters` are the MCA parameters that variables and files set around the
    command, the strongest first.
    """

    application: Application
    programs: tuple[AskedProgram, ...]
    before: tuple[str, ...] = ()
    seen: tuple[StartedRank, ...] = ()
    exit_code: int | None = None
    printed: str = ""
    unseen: str | None = None
    timed_out: bool = False
    host_lines: tuple[Host, ...] = ()
    rankfile: tuple[str, str] | None = None
    mask_before: frozenset[int] | None = None
    own_launcher: str | None = None
    pmi: str | None = None
    parameters: tuple[SetParameter, ...] = ()

    @property
    def read_parameters(self) -> dict[str, str]:
        """Those parameters that the command's launcher reads."""
        project = self.application.launcher.parameter_project
        return {one.name: one.value for one in reversed(self.parameters) if one.project == project}

    def program_of(self, rank: int) -> AskedProgram:
        """The one that this rank runs; the first one if the command doesn't tell."""
        return next((one for one in self.programs if rank in (one.ranks or ())), self.programs[0])


@dataclass(frozen=True)
class Situation:
    """This host, the environment that a launcher would find, and the command if there is one.

    `nodes` are the hosts that ranks were seen on; this host alone if none was.
    """

    here: HostCpus
    environment: Mapping[str, str] = field(default_factory=dict)
    asked: Asked | None = None
    nodes: Sequence[HostCpus] = ()

    @property
    def environments(self) -> list[Mapping[str, str]]:
        """[program] the variables that it would find; those of this process if there is no command."""
        return [program.environment for program in self.asked.programs] if self.asked else [self.environment]

    @property
    def seen(self) -> tuple[StartedRank, ...]:
        """The ranks as the launcher started them."""
        return self.asked.seen if self.asked else ()

    def seen_on(self, node: int) -> list[StartedRank]:
        """Those on one of `nodes`."""
        return [rank for rank in self.seen if rank.node == node]

    @property
    def most_on_a_node(self) -> int:
        """The greatest number of ranks on one node; all of them where nobody has seen where they are."""
        if self.seen:
            return max(Counter(rank.node for rank in self.seen).values())
        application = self.asked.application if self.asked else None
        n_ranks = application.n_ranks if application else None
        return -(-n_ranks // len(application.hosts)) if application and n_ranks else 1


def ranks_text(ranks: Sequence[StartedRank]) -> str:
    """ "rank 3" or "ranks 0-2,5", for a sentence."""
    return f"rank{'s' if len(ranks) > 1 else ''} {index_text(rank.rank for rank in ranks)}"
