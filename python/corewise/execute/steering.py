"""Steering: the user's own command, watched while it runs; its ranks change cores where that pays."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.execute.application import Application
from corewise.execute.folder import working_directory
from corewise.execute.node_topologies import NodeTopology, nodes_of
from corewise.execute.observe import Wanted, reported, run_of
from corewise.execute.start import start
from corewise.execute.steer_replay import replay
from corewise.execute.steer_targets import TARGETS_NS, solved_targets
from corewise.execute.streams import Streams
from corewise.files.run import Run
from corewise.files.steer_machine import steer_settings_text

if TYPE_CHECKING:
    from corewise.model import Machine, Profile, RankInfo

SHARED_FOLDER = "/dev/shm"  # tmpfs: what ranks share is never written to a disk


@dataclass(frozen=True)
class Steered:
    """A steered run: how it ended, its logs, what each tells (steer_replay.replay), and the masks at the end.

    `misplaced` has a sentence for each rank that did not end on a mask that some rank started with, and
    `unchecked` the ranks whose mask at the end is not known, for they did not reach MPI_Finalize.
    """

    run: Run
    logs: list[Path]
    stories: list[dict]
    misplaced: list[str]
    unchecked: list[int]

    @property
    def intervals_dropped(self) -> int:
        """Intervals that were in full logs between the first and the last two of a leader (log_writer.h).

        Numbers of intervals go on from log to log of one leader, and begin at 1 under another.
        """
        dropped = 0
        next_number: dict[int, int] = {}  # by node
        for story in self.stories:
            dropped += max(story["first_interval"] - next_number.get(story["node"], 1), 0)
            next_number[story["node"]] = story["first_interval"] + story["intervals"]
        return dropped


def steer(
    application: Application,
    log: Path,
    dry_run: bool = False,
    async_progress: bool = False,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    settings: dict[str, int] | None = None,
) -> Steered:
    """Runs the command as it is under the steer observer; leaves its log at `log`, whatever ends the command.

    With `async_progress` a thread of a rank makes progress where that is what is missing; MPI is started with
    MPI_THREAD_MULTIPLE. On several hosts each is asked for its cores first, steers its own ranks, and they
    tell each other. `settings` are thresholds other than the defaults (preload/steer/settings.h).
    Raises InputError where `log` is there already, and what node_topologies.nodes_of() raises.
    """
    if os.path.lexists(log):
        raise InputError(f"{log} is there already; choose another name with -o, or remove it")
    chosen = {"dry_run": int(dry_run), "async_progress": int(async_progress)}
    chosen |= {"targets_ns": TARGETS_NS, **(settings or {})}
    several = len(application.hosts) > 1
    machine, nodes = nodes_of(application)
    with working_directory() as folder, _shared_folder(several) as shared:
        plan = application.plan_steered(str(folder), str(folder / "profile"), shared, several, async_progress)
        files = {str(folder / name): text for name, text in settings_files(machine, nodes, chosen).items()}
        plan = replace(plan, files={**plan.files, **files})
        logs: list[Path] = []
        try:
            with solved_targets(folder, machine, {node.file_name: node.machine for node in nodes}):
                ended = start(plan, streams)
        finally:
            logs += _keep_logs(folder, log)
        profile = reported(folder / "profile")
    run = run_of("steered", plan, ended, profile, Wanted(application.host_names, machine=machine))
    misplaced, unchecked = _masks_at_the_end(profile)
    return Steered(run, logs, [replay(kept) for kept in logs], misplaced, unchecked)


def settings_files(
    machine: Machine, nodes: Sequence[NodeTopology], chosen: Mapping[str, int]
) -> dict[str, str]:
    """File name -> what ranks of a node are set to; one file for all where no node was asked (nodes_of())."""
    if not nodes:
        return {"settings": steer_settings_text(machine, chosen)}
    return {f"{node.file_name}.settings": steer_settings_text(node.machine, chosen) for node in nodes}


@contextmanager
def _shared_folder(several: bool) -> Iterator[str]:
    """A private folder in shared memory, removed at the end; SHARED_FOLDER itself on several hosts, and where
    none can be made: then the ranks find that out too, go on unsteered, and say so.
    """
    if several:
        yield SHARED_FOLDER  # of each host; the last rank removes what is in it
        return
    try:
        folder = tempfile.mkdtemp(prefix="corewise-", dir=SHARED_FOLDER)
    except OSError:
        yield SHARED_FOLDER
        return
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _keep_logs(folder: Path, log: Path) -> list[Path]:
    """Moves the logs of a run to `log`; where the leader changed there are several: LOG, LOG-2, ..."""
    found = sorted(folder.glob("*.steer-log"), key=lambda path: path.stat().st_mtime_ns)
    kept = [log, *(log.with_name(f"{log.name}-{number}") for number in range(2, len(found) + 1))]
    for source, target in zip(found, kept, strict=False):
        shutil.move(source, target)
    return kept[: len(found)]


def _masks_at_the_end(profile: Profile | None) -> tuple[list[str], list[int]]:
    """A sentence for each rank on a mask that is none of those at the start, or another rank's too; and the
    ranks that are not known."""
    if profile is None:
        return [], []
    starts = {(rank.node, frozenset(map(int, rank.os_pus))) for rank in profile.ranks}
    ends: dict[int, tuple[int, frozenset[int]]] = {}  # with the node: masks of two nodes may be the same
    for number, rank in enumerate(profile.ranks):
        if (main := _mask_of_main_thread(rank)) is not None:
            ends[number] = (rank.node, main)
    shared = len(starts) < profile.n_ranks  # they were not bound apart: then nothing was swapped
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
    """As of MPI_Finalize; None where the rank did not come so far. The kernel lists a process's first thread
    first."""
    return frozenset(int(pu) for pu in rank.threads[0].os_pus) if rank.finished and rank.threads else None
