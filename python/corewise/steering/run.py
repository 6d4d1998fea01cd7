"""Runs the user's own command with steering: its ranks change cores if that makes it faster."""

from __future__ import annotations

import json
import subprocess
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from corewise.errors import CorewiseError, InputError, did_you_mean
from corewise.model import Machine, Profile, RankInfo
from corewise.nouns.steered_run import SteeredLog, SteeredRun
from corewise.observe.node_topologies import NodeTopology, nodes_of
from corewise.observe.runs import reported, run_of
from corewise.profile.threads import crowded_host
from corewise.start.application import Application
from corewise.start.folder import hidden_folder, working_directory
from corewise.start.launching import printed_by, start
from corewise.start.program_file import refuse_unrecordable
from corewise.start.programs import find_programs, native
from corewise.start.streams import Streams
from corewise.start.this_node import is_this_host
from corewise.steering.logs import held_place, holds_logs, keep_logs
from corewise.steering.machine import steer_settings_text
from corewise.steering.replay import PROGRAM, replay
from corewise.steering.targets import TARGETS_NS, solved_targets

# Settings for which corewise doesn't use the library's default.
CHOSEN = {"targets_ns": TARGETS_NS}

# Settings that users can't set, and why.
_OF_A_RUN = {
    "node": "each node has its own number",
    "dry_run": "`--dry-run` sets it",
    "async_progress": "`--async-progress` sets it",
}


@dataclass(frozen=True)
class Setting:
    """A setting: a whole number from `least` to `most`, in `unit`."""

    name: str
    default: int
    least: int
    most: int
    unit: str
    meaning: str
    source: str


def steer_settings() -> dict[str, Setting]:
    """The settings that users may set, by name, in the order of a log."""
    done = subprocess.run([native(PROGRAM), "--settings"], capture_output=True, check=True)
    rows = [Setting(**row) for row in json.loads(done.stdout)]
    return {
        row.name: replace(row, default=CHOSEN.get(row.name, row.default))
        for row in rows
        if row.name not in _OF_A_RUN
    }


def checked_settings(given: Mapping[str, int | str]) -> dict[str, int]:
    """The values as numbers; raises InputError for an unknown setting or a wrong value."""
    if not isinstance(given, Mapping):
        raise InputError(f"found settings={given!r:.60}; expected a dict of whole numbers by name")
    known = steer_settings() if given else {}
    return {name: _value(name, value, known) for name, value in given.items()}


def _value(name: str, value: int | str, known: Mapping[str, Setting]) -> int:
    if name in _OF_A_RUN:
        raise InputError(f"the setting '{name}' can't be set: {_OF_A_RUN[name]}")
    if name not in known:
        near = did_you_mean(name, known)
        raise InputError(f"unknown setting '{name}'{near or '; corewise steer --list-settings shows all'}")
    setting = known[name]
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = None
    if number is None or not setting.least <= number <= setting.most:
        raise InputError(
            f"{name}: found '{value}'; expected a whole number from {setting.least} to {setting.most} "
            f"({setting.unit})"
        )
    return number


def steer(
    application: Application,
    log: Path,
    dry_run: bool = False,
    async_progress: bool = False,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    settings: Mapping[str, int] | None = None,
) -> SteeredRun:
    """Runs the command unchanged with the steer observer; keeps its logs at `log` in any case.

    With `async_progress`, a thread of a rank calls MPI if sends make no progress; MPI is initialised with
    MPI_THREAD_MULTIPLE. If there are several hosts, each reports its cores first and steers its own ranks.
    `settings` differ from the defaults. Before the start, raises what refuse_unrecordable(),
    checked_settings(), check_log_target() and node_topologies.nodes_of() raise.
    """
    for program in find_programs(application.command, application.launcher):
        refuse_unrecordable(program)
    chosen = {"dry_run": int(dry_run), "async_progress": int(async_progress)}
    chosen |= CHOSEN | checked_settings(settings or {})
    job = uuid.uuid4().hex
    with (
        held_place(log) as place,
        working_directory(holds_logs, application.host_names) as folder,
        shared_folder(application, job, folder) as shared,
    ):
        machine, nodes = nodes_of(application)
        reports = folder / "profile"
        plan = application.plan_steered(str(folder), str(reports), shared.path, job, async_progress)
        files = {str(folder / name): text for name, text in settings_files(machine, nodes, chosen).items()}
        plan = structs.replace(plan, files={**plan.files, **files})
        try:
            with solved_targets(folder, machine, {node.file_name: node.machine for node in nodes}):
                ended = start(plan, streams)
        finally:
            logs, trouble = keep_logs(folder, log, place)
        profile, unread = _profile_in(reports)
        misplaced, unchecked = _masks_at_the_end(profile)
        shared.is_clean = ended[0] == 0 and not unread and not unchecked
    run = run_of("steered", plan, ended, profile, application.wanted(None, machine))
    explained, refused = _explained(logs)
    crowd = crowded_host(profile) if profile else None
    return SteeredRun(
        dry_run=dry_run,
        run=run,
        logs=[str(log) for log in logs],
        explained=explained,
        misplaced=misplaced,
        unchecked_ranks=unchecked,
        trouble=[*trouble, *unread, *refused],
        crowd=crowd,
    )


def _profile_in(folder: Path) -> tuple[Profile | None, list[str]]:
    """The profile of the ranks, and a sentence if it can't be read."""
    try:
        return reported(folder), []
    except CorewiseError as error:
        return None, [str(error)]


def _explained(logs: Iterable[Path]) -> tuple[list[SteeredLog], list[str]]:
    """The logs that can be read, and a sentence for each other log."""
    found: list[SteeredLog] = []
    refused: list[str] = []
    for log in logs:
        try:
            found.append(replay(log))
        except CorewiseError as error:
            refused.append(str(error))
    return found, refused


def settings_files(
    machine: Machine, nodes: Sequence[NodeTopology], chosen: Mapping[str, int]
) -> dict[str, str]:
    """File name -> settings for the ranks of a node; one file for all if no node was asked (nodes_of())."""
    if not nodes:
        return {"settings": steer_settings_text(machine, chosen)}
    return {
        f"{node.file_name}.settings": steer_settings_text(node.machine, {"node": number, **chosen})
        for number, node in enumerate(nodes)
    }


def _masks_at_the_end(profile: Profile | None) -> tuple[list[str], list[int]]:
    """Sentences on ranks with wrong masks at the end, and the ranks whose masks are unknown.

    A mask is wrong if no rank started with it, or if another rank has it too."""
    if profile is None:
        return [], []
    starts = {(rank.node, frozenset(map(int, rank.os_pus))) for rank in profile.ranks}
    ends: dict[int, tuple[int, frozenset[int]]] = {}  # (node, mask), because masks of two nodes may be equal
    for number, rank in enumerate(profile.ranks):
        if (main := _mask_of_main_thread(rank)) is not None:
            ends[number] = (rank.node, main)
    shared = len(starts) < profile.n_ranks  # ranks shared masks, so that nothing was swapped
    sentences = []
    for number, end in ends.items():
        twin = next((other for other, taken in ends.items() if other != number and taken == end), None)
        mask = sorted(end[1])
        if end not in starts:
            sentences.append(f"rank {number} ended on a mask that no rank started with: {mask}")
        elif twin is not None and not shared:
            sentences.append(f"rank {number} ended on the same mask as rank {twin}: {mask}")
    return sentences, [number for number in range(profile.n_ranks) if number not in ends]


def _mask_of_main_thread(rank: RankInfo) -> frozenset[int] | None:
    """The main thread's mask at MPI_Finalize, None before it. The kernel lists the main thread first."""
    return frozenset(int(pu) for pu in rank.threads[0].os_pus) if rank.finished and rank.threads else None


SHARED_FOLDER = "/dev/shm"  # tmpfs, so that shared memory is never written to disk
PREFIX = "corewise-"  # of names in it
CLEAN_UP_S = 20.0  # Hydra waits forever for a host that can't be reached


@dataclass
class SharedFolder:
    """`path` is the same on every host.

    The caller sets `is_clean` if every rank reached MPI_Finalize, because the last rank on each host then
    removes the files."""

    path: str
    is_clean: bool = False


@contextmanager
def shared_folder(application: Application, job: str, directory: Path) -> Iterator[SharedFolder]:
    """A private folder in shared memory, removed at the end.

    If it can't be created, it is SHARED_FOLDER itself; ranks then also fail to share memory, continue without
    steering, and report it. On several hosts it is SHARED_FOLDER of each. At the end, the files of `job` are
    removed unless `is_clean`: on other hosts by a process that the launcher starts, with files in
    `directory`.
    """
    if len(application.hosts) > 1:
        shared = SharedFolder(SHARED_FOLDER)
        try:
            yield shared
        finally:
            if not shared.is_clean:
                _remove_files(application, f"corewise-{job}-*", directory)
        return
    with ExitStack() as stack:
        try:
            folder = str(stack.enter_context(hidden_folder(Path(SHARED_FOLDER), PREFIX)))
        except OSError:
            folder = SHARED_FOLDER
        yield SharedFolder(folder)


def _remove_files(application: Application, pattern: str, directory: Path) -> None:
    """Removes the job's files; ignores errors, because only a few MB would be left."""
    for path in Path(SHARED_FOLDER).glob(pattern):
        with suppress(OSError):
            path.unlink()
    if all(is_this_host(host) for host in application.host_names):
        return
    find = ["find", SHARED_FOLDER, "-maxdepth", "1", "-name", pattern, "-delete"]
    with suppress(CorewiseError, OSError):
        printed_by(application.plan_on_each_host(find, str(directory / "clean-up")), CLEAN_UP_S)
