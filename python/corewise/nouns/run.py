"""Run: the result of one start of a program, and its file (formats/FORMATS.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta

from corewise.nouns.codec import Count, FieldError, Index, Noun, Seconds
from corewise.nouns.tables import Tabular, as_columns


class SeenDevices(Noun, frozen=True):
    """Ranks with equal variables that choose devices, and with the same open device files of GPUs."""

    ranks: list[Index]
    variables: dict[str, str]
    files: list[str]

    @property
    def text(self) -> str:
        """Variables and files, such as `CUDA_VISIBLE_DEVICES=0; open: /dev/nvidia0`; may be empty."""
        variables = ", ".join(f"{name}={value}" for name, value in self.variables.items())
        return "; ".join(filter(None, [variables, f"open: {', '.join(self.files)}" if self.files else ""]))


def seen_alike(of_ranks: Iterable[tuple[int, Mapping[str, str], Sequence[str]]]) -> list[SeenDevices]:
    """Groups (rank, variables, files) by equal variables and files; leaves out ranks with neither."""
    found: dict[str, SeenDevices] = {}
    for rank, variables, files in of_ranks:
        seen = SeenDevices([rank], dict(variables), list(files))
        if seen.text:
            found.setdefault(seen.text, SeenDevices([], seen.variables, seen.files)).ranks.append(rank)
    return list(found.values())


AS_WRITTEN = "as-written"  # label of tune's runs without the launcher options that its other runs have
Source = Literal["measured", "emulated", "simulated", "estimated"]


class RunKey(NamedTuple):
    """What repeats share: the label of their placement, and how their times were obtained."""

    label: str
    source: Source


class RankBinding(Noun, frozen=True):
    """One rank's binding, as asked for and as read back from inside the rank (os_index).

    `host` is where the rank ran, named as in the job's command (or the host's own name if the command has
    none). `host_wanted` and `os_pus_wanted` are None if nothing was asked for; `host` is empty and
    `os_pus_seen` None if the rank never reported. `threads_outside` are threads of the rank that may run
    outside the wanted mask, each as "name 0-3". `devices_wanted` are the variables with which corewise made
    one GPU or network card visible, None without. `devices_seen` are the rank's variables at the end of
    MPI_Init, with Slurm's lists of GPUs. `device_files` are the GPUs that it had open at MPI_Finalize.
    `gpu_notes` are reasons for another GPU, each "sees ..." or "shares ...".
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
        """The variables that differ from what corewise set, with the rank's values."""
        return [
            f"{name}={self.devices_seen[name]}, requested {value}"
            if name in self.devices_seen
            else f"{name} is not set, requested {value}"
            for name, value in (self.devices_wanted or {}).items()
            if self.devices_seen.get(name) != value
        ]

    @property
    def devices_text(self) -> str:
        """Its variables and open files, such as "CUDA_VISIBLE_DEVICES=0; open: /dev/nvidia0"."""
        return SeenDevices([self.rank], self.devices_seen, self.device_files).text

    @property
    def ok(self) -> bool:
        """Whether the rank has the wanted host, devices and exactly the wanted mask, which no thread leaves.

        If nothing was wanted: whether the rank reported its mask.
        """
        if self.host_wanted not in (None, self.host) or self.other_devices:
            return False
        if self.os_pus_wanted is None:
            return self.os_pus_seen is not None
        return self.os_pus_seen == self.os_pus_wanted and not self.threads_outside


class Run(Tabular, Noun, frozen=True):
    """The result of one start of a program.

    `label` is the placement's ("default", "best", "worst", or a file's name). Times are in s: `wall_s` from
    the launcher's start to its end, `app_s` from MPI_Init to MPI_Finalize (the longest rank's), `mpi_s`
    inside MPI (the mean over ranks). The last two are None if the run was not observed. `cpu_s` is the CPU
    time of all ranks from MPI_Init to MPI_Finalize, None if a rank didn't report it. `n_threads` counts the
    program's threads that worked, `n_threads_without_core` those without a separate core in the masks; None
    if unknown. `gpus_asked` are options and variables of the command that ask for GPUs, else empty.
    """

    FORMAT: ClassVar[str] = "corewise-run"
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
        """Raises FieldError if more threads lack a core than there are."""
        if (self.n_threads_without_core or 0) > (self.n_threads or 0):
            expected = f"at most {self.n_threads or 0}, which is n_threads"
            raise FieldError("n_threads_without_core", self.n_threads_without_core, expected)

    def columns(self) -> dict[str, Any]:
        """A row for each rank, with columns as in RankBinding."""
        names = ("rank", "host", "host_wanted", "os_pus_wanted", "os_pus_seen", "ok")
        return as_columns(names, [[getattr(rank, name) for name in names] for rank in self.ranks])

    @property
    def key(self) -> RunKey:
        """Runs with equal keys are repeats of each other. Only times of repeats may be pooled."""
        return RunKey(self.label, self.source)

    @property
    def time_s(self) -> float | None:
        """The time to compare: `app_s` if ranks ran, `wall_s` if the time was computed.

        None if the run failed or no rank reported.
        """
        if self.exit_code != 0:
            return None
        return self.app_s if self.has_processes else self.wall_s

    @property
    def has_processes(self) -> bool:
        """Whether ranks really ran and have bindings. In simulations and estimates, none did."""
        return self.source in ("measured", "emulated")

    @property
    def threads_note(self) -> str | None:
        """One sentence if threads of ranks share a core; None if not, or if unknown."""
        if not self.n_threads_without_core or not self.n_threads or self.n_threads <= len(self.ranks):
            return None
        n_ranks, n_cores = len(self.ranks), self.n_threads - self.n_threads_without_core
        return (
            f"{self.n_threads} threads of {n_ranks} rank{'s' * (n_ranks != 1)} have {n_cores} "
            f"core{'s' * (n_cores != 1)} between them, so that two threads share one core: give each rank "
            "more cores (`corewise map --cores-per-rank`) or fewer threads (OMP_NUM_THREADS)."
        )

    @property
    def n_asked(self) -> int:
        """The number of ranks for which a binding was asked for."""
        return sum(rank.os_pus_wanted is not None for rank in self.ranks)

    @property
    def verified(self) -> bool | None:
        """Whether every rank reported and has the wanted binding; None if no rank is known."""
        return all(rank.ok for rank in self.ranks) if self.ranks else None


class Crowd(Noun, frozen=True):
    """`n_ranks` ranks of `host` share `n_pus` hardware threads, fewer than one each."""

    host: str
    n_ranks: Count
    n_pus: Count


class Width(Noun, frozen=True):
    """Runs of the placement `of` with wider or narrower masks; their label is `of`-`binding`.

    `binding` is what the ranks were bound to: one of BINDINGS or "pu" (mapping/process_binding.py), or
    "none" where each rank was free on its node. The runs are compared with those of `of` itself.
    """

    of: Literal["default", "best"]
    binding: str
    runs: list[Run]

    @property
    def label(self) -> str:
        return f"{self.of}-{self.binding}"


def runs_columns(runs: Iterable[Run]) -> dict[str, Any]:
    """A row for each run, with columns as in Run."""
    names = ("label", "source", "wall_s", "app_s", "mpi_s", "cpu_s", "exit_code", "verified")
    return as_columns(names, [[getattr(run, name) for name in names] for run in runs])


def by_key(runs: Iterable[Run]) -> dict[RunKey, list[Run]]:
    """The runs grouped by key, in the order in which the keys first occur."""
    repeats: dict[RunKey, list[Run]] = {}
    for run in runs:
        repeats.setdefault(run.key, []).append(run)
    return repeats


def times_by_key(repeats: Mapping[RunKey, Sequence[Run]]) -> dict[RunKey, list[float]]:
    """The times to compare, s, of runs by key; failed runs have none."""
    return {key: [run.time_s for run in runs if run.time_s is not None] for key, runs in repeats.items()}


def key_names(keys: Iterable[RunKey]) -> dict[RunKey, str]:
    """Names for people: the label, followed by the source if another key has the same label."""
    keys = list(keys)
    labels = Counter(key.label for key in keys)
    return {key: key.label if labels[key.label] == 1 else f"{key.label} ({key.source})" for key in keys}


def all_verified(runs: Iterable[Run]) -> bool | None:
    """Whether every run that started processes has the wanted bindings.

    False if any binding differs; else None if a run failed or shows no rank, or if no run started processes.
    """
    states = {run.verified if run.exit_code == 0 else None for run in runs if run.has_processes}
    if False in states:
        return False
    return None if not states or None in states else True


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
