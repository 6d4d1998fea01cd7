"""Run: what happened in one start of a program, and its file (formats/FORMATS.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from corewise.files.document import read_json
from corewise.files.table import MOST_INDEX, Table, check_format

FORMAT = "corewise-run"
VERSION = 1

Source = Literal["measured", "emulated", "simulated", "estimated"]


class RunKey(NamedTuple):
    """What repeats share: the label of their placement, and how their times were obtained."""

    label: str
    source: Source


@dataclass(frozen=True)
class RankBinding:
    """One rank's binding, as asked for and as read back from inside the rank (os_index).

    `host` is where it ran, by the name that the job's command has for it (its own name where the command has
    none). `host_wanted` and `os_pus_wanted` are None where nothing was asked for; `host` is empty and
    `os_pus_seen` None where the rank never reported. `threads_outside` are its threads that may leave what
    was wanted, each as "name 0-3".
    """

    rank: int
    host: str
    host_wanted: str | None
    os_pus_wanted: list[int] | None
    os_pus_seen: list[int] | None
    threads_outside: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """On the right host, seen is exactly what was wanted and holds every thread.

        Where nothing was wanted, that the rank reported.
        """
        if self.host_wanted not in (None, self.host):
            return False
        if self.os_pus_wanted is None:
            return self.os_pus_seen is not None
        return self.os_pus_seen == self.os_pus_wanted and not self.threads_outside


@dataclass(frozen=True)
class Run:
    """What happened in one start of a program.

    `label` says which placement it was ("default", "best", "worst", or a file's name). `wall_s` is the
    launcher's start to end; `app_s` the longest rank's time from MPI_Init to MPI_Finalize; `mpi_s` the mean
    over ranks of the time inside MPI. The last two are None where the run was not observed. `n_threads` are
    the program's own threads that worked, all ranks together, and `n_threads_without_core` those of them that
    can't have a core of their own in the masks seen; None where that is not known. `cpu_s` is the CPU time of
    all ranks from MPI_Init to MPI_Finalize, None where a rank didn't report it.
    """

    label: str
    command: list[str]
    source: Source
    ranks: list[RankBinding]
    wall_s: float
    app_s: float | None
    mpi_s: float | None
    exit_code: int
    n_threads: int | None = None
    n_threads_without_core: int | None = None
    cpu_s: float | None = None

    @property
    def key(self) -> RunKey:
        """Runs of one key are repeats of each other; their times may be pooled, others never."""
        return RunKey(self.label, self.source)

    @property
    def time_s(self) -> float | None:
        """What is compared: `app_s` where ranks ran, `wall_s` where their time was computed.

        None for a run that failed, and where no rank reported.
        """
        if self.exit_code != 0:
            return None
        return self.app_s if self.has_processes else self.wall_s

    @property
    def has_processes(self) -> bool:
        """Ranks really ran, so that they have bindings; nothing does in a simulation or an estimate."""
        return self.source in ("measured", "emulated")

    @property
    def threads_note(self) -> str | None:
        """One sentence where threads of ranks share a core; None where none does or nothing is known."""
        if not self.n_threads_without_core or not self.n_threads or self.n_threads <= len(self.ranks):
            return None
        n_ranks, n_cores = len(self.ranks), self.n_threads - self.n_threads_without_core
        return (
            f"{self.n_threads} threads of {n_ranks} rank{'s' * (n_ranks != 1)} have {n_cores} "
            f"core{'s' * (n_cores != 1)} between them, so that two threads share one core: give each rank "
            "more cores (`corewise map --cores-per-rank`) or fewer threads (OMP_NUM_THREADS)."
        )

    @property
    def verified(self) -> bool | None:
        """Every rank reported and has the binding that was asked for; None where no rank is known."""
        return all(rank.ok for rank in self.ranks) if self.ranks else None

    def to_json(self) -> dict[str, Any]:
        """The document that `corewise run --json` prints."""
        ranks = [asdict(rank) | {"ok": rank.ok} for rank in self.ranks]
        return (
            {"format": FORMAT, "version": VERSION}
            | asdict(self)
            | {"ranks": ranks, "verified": self.verified}
        )

    @classmethod
    def from_table(cls, table: Table) -> Run:
        """The run that a document holds; raises InputError naming file and key."""
        check_format(table, FORMAT, VERSION)
        source = table.get("source", str)
        if source not in get_args(Source):
            raise table.error("source", source, f"one of {', '.join(get_args(Source))}")
        return cls(
            label=table.get("label", str),
            command=table.texts("command"),
            source=source,
            ranks=[_binding(rank) for rank in table.tables("ranks")],
            wall_s=_seconds(table, "wall_s"),
            app_s=_seconds(table, "app_s") if table.holds("app_s") else None,
            mpi_s=_seconds(table, "mpi_s") if table.holds("mpi_s") else None,
            exit_code=table.whole("exit_code", least=-MOST_INDEX),
            cpu_s=_seconds(table, "cpu_s") if table.holds("cpu_s") else None,
            **_thread_counts(table),
        )

    @classmethod
    def read(cls, path: Path) -> Run:
        """Reads a run file; raises InputError naming it."""
        return cls.from_table(read_json(path, "what `corewise run --json` prints"))


def by_key(runs: Iterable[Run]) -> dict[RunKey, list[Run]]:
    """Repeats of each other together, in the order in which each key comes first."""
    repeats: dict[RunKey, list[Run]] = {}
    for run in runs:
        repeats.setdefault(run.key, []).append(run)
    return repeats


def key_names(keys: Iterable[RunKey]) -> dict[RunKey, str]:
    """What people read: the label, with the source behind it where another key has the same label."""
    keys = list(keys)
    labels = Counter(key.label for key in keys)
    return {key: key.label if labels[key.label] == 1 else f"{key.label} ({key.source})" for key in keys}


def all_verified(runs: Iterable[Run]) -> bool | None:
    """Of the runs that started processes: False where any binding differs, None where one shows no rank.

    None also where one failed, and where no run started any.
    """
    states = {run.verified if run.exit_code == 0 else None for run in runs if run.has_processes}
    if False in states:
        return False
    return None if not states or None in states else True


def _binding(table: Table) -> RankBinding:
    wanted, seen = (
        table.whole_numbers(key) if table.holds(key) else None for key in ("os_pus_wanted", "os_pus_seen")
    )
    outside = table.texts("threads_outside", [])
    host_wanted = table.get("host_wanted", str) if table.holds("host_wanted") else None
    return RankBinding(table.whole("rank"), table.get("host", str), host_wanted, wanted, seen, outside)


def _seconds(table: Table, key: str) -> float:
    seconds = table.number(key)
    if not 0 <= seconds < float("inf"):
        raise table.error(key, seconds, "a number of seconds from 0")
    return seconds


def _thread_counts(table: Table) -> dict[str, int]:
    """n_threads and n_threads_without_core; nothing where the run doesn't know them."""
    names = ("n_threads", "n_threads_without_core")
    if not any(table.holds(name) for name in names):
        return {}
    counts = {name: table.whole(name) for name in names}
    if counts[names[1]] > counts[names[0]]:
        raise table.error(names[1], counts[names[1]], f"at most {counts[names[0]]}, which is {names[0]}")
    return counts
