"""Run: what happened in one start of a program, and its file (formats/FORMATS.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar, Literal, NamedTuple

from corewise.nouns.codec import FieldError, Index, Noun, Seconds
from corewise.nouns.seen_devices import SeenDevices

AS_WRITTEN = "as-written"  # label of runs of tune's command without the settings that all other runs have
Source = Literal["measured", "emulated", "simulated", "estimated"]


class RunKey(NamedTuple):
    """What repeats share: the label of their placement, and how their times were obtained."""

    label: str
    source: Source


class RankBinding(Noun, frozen=True):
    """One rank's binding, as asked for and as read back from inside the rank (os_index).

    `host` is where it ran, by the name that the job's command has for it (its own name where the command has
    none). `host_wanted` and `os_pus_wanted` are None if nothing was asked for; `host` is empty and
    `os_pus_seen` None if the rank never reported. `threads_outside` are its threads that may leave what
    was wanted, each as "name 0-3". `devices_wanted` are the variables by which corewise showed it a GPU or
    network card, None if it showed none; `devices_seen` those that the rank had at the end of MPI_Init, with
    Slurm's lists of GPUs; `device_files` the GPUs that it had open at MPI_Finalize. `gpu_notes` say why
    another GPU would fit better, each "sees ..." or "shares ...".
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("ok",)
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("devices_wanted", "devices_seen", "device_files", "gpu_notes")

    rank: Index
    host: str
    host_wanted: str | None = None
    os_pus_wanted: list[Index] | None = None
    os_pus_seen: list[Index] | None = None
    threads_outside: list[str] = []
    devices_wanted: dict[str, str] | None = None
    devices_seen: dict[str, str] = {}
    device_files: list[str] = []
    gpu_notes: list[str] = []

    @property
    def other_devices(self) -> list[str]:
        """The variables that the rank has not as corewise set them, with what it has."""
        return [
            f"{name}={self.devices_seen[name]}, requested {value}"
            if name in self.devices_seen
            else f"{name} is not set, requested {value}"
            for name, value in (self.devices_wanted or {}).items()
            if self.devices_seen.get(name) != value
        ]

    @property
    def devices_text(self) -> str:
        """What it had of variables and open files: "CUDA_VISIBLE_DEVICES=0; open: /dev/nvidia0"."""
        return SeenDevices([self.rank], self.devices_seen, self.device_files).text

    @property
    def ok(self) -> bool:
        """On the right host, seen is exactly what was wanted and holds every thread; devices as wanted.

        Where nothing was wanted, that the rank reported.
        """
        if self.host_wanted not in (None, self.host) or self.other_devices:
            return False
        if self.os_pus_wanted is None:
            return self.os_pus_seen is not None
        return self.os_pus_seen == self.os_pus_wanted and not self.threads_outside


class Run(Noun, frozen=True):
    """What happened in one start of a program.

    `label` says which placement it was ("default", "best", "worst", or a file's name). `wall_s` is the
    launcher's start to end; `app_s` the longest rank's time from MPI_Init to MPI_Finalize; `mpi_s` the mean
    over ranks of the time inside MPI. The last two are None if the run was not observed. `n_threads` are
    the program's own threads that worked, all ranks together, and `n_threads_without_core` those of them that
    can't have a separate core in the masks seen; None where that is not known. `cpu_s` is the CPU time of
    all ranks from MPI_Init to MPI_Finalize, None where a rank didn't report it. `gpus_asked` are options and
    variables of the command that ask for GPUs, empty if there are none.
    """

    FORMAT: ClassVar[str] = "corewise-run"
    SCHEMA: ClassVar[int] = 2
    WRITTEN_BY: ClassVar[str] = "corewise run --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("verified",)
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("gpus_asked",)

    label: str
    command: list[str]
    source: Source
    ranks: list[RankBinding]
    wall_s: Seconds
    app_s: Seconds | None
    mpi_s: Seconds | None
    exit_code: int
    n_threads: Index | None = None
    n_threads_without_core: Index | None = None
    cpu_s: Seconds | None = None
    gpus_asked: str = ""

    def __post_init__(self) -> None:
        """Raises FieldError where the threads don't add up."""
        if (self.n_threads_without_core or 0) > (self.n_threads or 0):
            expected = f"at most {self.n_threads or 0}, which is n_threads"
            raise FieldError("n_threads_without_core", self.n_threads_without_core, expected)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(run): a row for each rank, columns as in RankBinding."""
        from corewise.model import arrow_stream

        kinds = {"rank": "int", "host": "str", "host_wanted": "str", "os_pus_wanted": "list"}
        kinds |= {"os_pus_seen": "list", "ok": "bool"}
        return arrow_stream(
            [(name, kind, [getattr(rank, name) for rank in self.ranks]) for name, kind in kinds.items()]
        )

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
        """One sentence where threads of ranks share a core; None if none does or nothing is known."""
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
        """Every rank reported and has the binding that was asked for; None if no rank is known."""
        return all(rank.ok for rank in self.ranks) if self.ranks else None


def runs_stream(runs: Iterable[Run]) -> object:
    """For data frames: a row for each run, columns as in Run."""
    from corewise.model import arrow_stream

    runs = list(runs)
    kinds = {"label": "str", "source": "str", "wall_s": "float", "app_s": "float", "mpi_s": "float"}
    kinds |= {"cpu_s": "float", "exit_code": "int", "verified": "bool"}
    return arrow_stream([(name, kind, [getattr(run, name) for run in runs]) for name, kind in kinds.items()])


def by_key(runs: Iterable[Run]) -> dict[RunKey, list[Run]]:
    """Repeats of each other together, in the order in which each key comes first."""
    repeats: dict[RunKey, list[Run]] = {}
    for run in runs:
        repeats.setdefault(run.key, []).append(run)
    return repeats


def key_names(keys: Iterable[RunKey]) -> dict[RunKey, str]:
    """What people read: the label, with the source after it where another key has the same label."""
    keys = list(keys)
    labels = Counter(key.label for key in keys)
    return {key: key.label if labels[key.label] == 1 else f"{key.label} ({key.source})" for key in keys}


def all_verified(runs: Iterable[Run]) -> bool | None:
    """Of the runs that started processes: False if any binding differs, None if one shows no rank.

    None also where one failed, and where no run started any.
    """
    states = {run.verified if run.exit_code == 0 else None for run in runs if run.has_processes}
    if False in states:
        return False
    return None if not states or None in states else True
