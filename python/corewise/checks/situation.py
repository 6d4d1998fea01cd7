"""Situation: the input of all checks, determined before they run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from corewise.launchers.command_semantics import environment_of
from corewise.launchers.hosts import Host
from corewise.launchers.openmp import n_threads_asked
from corewise.launchers.options import SetParameter
from corewise.launchers.programs import ranks_of_programs
from corewise.launchers.wrapper import environment_behind, unwrapped
from corewise.observe.host_cpus import HostCpus
from corewise.start.application import Application
from corewise.start.program_file import UNKNOWN, ProgramFile
from corewise.text.quantities import index_text


@dataclass(frozen=True)
class StartedRank:
    """A rank as the launcher started it: its index in Situation.nodes, and its mask (os_index)."""

    rank: int
    node: int
    os_pus: frozenset[int]


@dataclass(frozen=True)
class AskedProgram:
    """One program of the command: its words, its ranks and its environment.

    `ranks` is None if the command leaves a number of ranks to the launcher.
    """

    app: list[str]
    ranks: tuple[int, ...] | None
    environment: Mapping[str, str]
    file: ProgramFile = UNKNOWN

    @property
    def name(self) -> str:
        """The program without its wrappers."""
        return unwrapped(self.app)[0]

    @property
    def n_threads(self) -> int:
        """Threads of a rank by OMP_NUM_THREADS; 1 if it is not set."""
        return n_threads_asked(self.environment) or 1


def programs_of(
    application: Application, around: Mapping[str, str], files: Sequence[ProgramFile]
) -> tuple[AskedProgram, ...]:
    """The programs of a command in the environment `around`; `files[i]` is its i-th program's file."""
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
class AskedCommand:
    """The command to check. `before` are words before its launcher, such as `taskset -c 0`.

    `programs` are the command's, in order. `seen` are the ranks as the launcher started them, in order; empty
    if it failed or was not started (`exit_code` None). `printed` is its output. `unseen` says why no rank was
    seen although the launcher didn't fail. `timed_out`: corewise stopped it after the time limit.
    `host_lines` are the hosts in the command, including repeated ones. `rankfile` is (path, text) of its
    rankfile. `mask_before` is the mask after `before`. `own_launcher` is a launcher of the programs' MPI,
    None if there is none. `pmi` is the process management interface of srun, None with other launchers.
    `parameters` are the MCA parameters in variables and files, by precedence.
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
        """The parameters that the command's launcher reads."""
        project = self.application.launcher.parameter_project
        return {one.name: one.value for one in reversed(self.parameters) if one.project == project}

    def program_of(self, rank: int) -> AskedProgram:
        """The program of this rank; the first one if unknown."""
        return next((one for one in self.programs if rank in (one.ranks or ())), self.programs[0])


@dataclass(frozen=True)
class Situation:
    """This host, the environment of a launcher started here, and the command if there is one.

    `nodes` are the hosts on which ranks were seen.
    """

    here: HostCpus
    environment: Mapping[str, str] = field(default_factory=dict)
    asked: AskedCommand | None = None
    nodes: Sequence[HostCpus] = ()

    @property
    def environments(self) -> list[Mapping[str, str]]:
        """[program] its environment; that of this process if there is no command."""
        return [program.environment for program in self.asked.programs] if self.asked else [self.environment]

    @property
    def seen(self) -> tuple[StartedRank, ...]:
        """The ranks as the launcher started them."""
        return self.asked.seen if self.asked else ()

    def seen_on(self, node: int) -> list[StartedRank]:
        """The ranks on one of `nodes`."""
        return [rank for rank in self.seen if rank.node == node]

    @property
    def most_on_a_node(self) -> int:
        """The greatest number of ranks on one node; assumes an even distribution if no rank was seen."""
        if self.seen:
            return max(Counter(rank.node for rank in self.seen).values())
        application = self.asked.application if self.asked else None
        n_ranks = application.n_ranks if application else None
        return -(-n_ranks // len(application.hosts)) if application and n_ranks else 1


def ranks_text(ranks: Sequence[StartedRank]) -> str:
    """ "rank 3" or "ranks 0-2,5", for a sentence."""
    return f"rank{'s' if len(ranks) > 1 else ''} {index_text(rank.rank for rank in ranks)}"


RANKFILE = "corewise.rankfile"


@dataclass(frozen=True)
class Finding:
    """A trap that was found, in sentences; `command` is the corrected command, if there is one.

    If the trap is in the user's command, `command` and `otherwise` are proposals: `check` prints the first
    one that starts every rank without the trap (corrected.py). `rankfile` are the lines of the file RANKFILE
    that `command` reads; the printed command writes this file first.
    """

    found: str
    why: str
    do: str
    command: str | None = None
    otherwise: tuple[str | None, ...] = ()
    rankfile: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A row of the register. `name` must not change, because scripts use it; `source` documents the trap.

    `of_command` finds the trap in a command, `of_host` on the host if no command is given. Both are pure
    functions with at most one finding per problem. `explains` are checks whose findings follow from this
    trap; they are left out if this trap is found.
    """

    name: str
    sentence: str
    source: str
    of_command: Callable[[Situation, AskedCommand], Iterable[Finding]] = lambda situation, asked: ()
    of_host: Callable[[Situation], Iterable[Finding]] = lambda situation: ()
    explains: frozenset[str] = frozenset()

    def look(self, situation: Situation) -> list[Finding]:
        asked = situation.asked
        return list(self.of_host(situation) if asked is None else self.of_command(situation, asked))
