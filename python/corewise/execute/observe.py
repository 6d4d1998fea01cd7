"""From what the ranks of a program reported to a Run: every binding seen beside the one that was wanted."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from corewise import machines
from corewise.execute.start import start
from corewise.execute.streams import Streams
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.files.run import RankBinding, Run
from corewise.launchers.launcher import index_list
from corewise.profile.threads import n_without_core, os_pus_of

if TYPE_CHECKING:
    from corewise.model import Profile, RankInfo


def run_observed(
    plan: LaunchPlan,
    label: str,
    profile_folder: Path,
    wanted: PlacementFile,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    timeout_s: float | None = None,
) -> Run:
    """Runs a placed plan and compares every rank's binding with the placement."""
    ended = start(plan, streams, timeout_s)
    return run_of(label, plan, ended, reported(profile_folder), wanted)


def run_of(
    label: str,
    plan: LaunchPlan,
    ended: tuple[int, float],
    profile: Profile | None,
    wanted: PlacementFile | None,
) -> Run:
    """What happened, from how it ended and what its ranks reported; `profile` is None where none did."""
    exit_code, wall_s = ended
    seen = profile.ranks if profile else []
    n_ranks = max(len(seen), wanted.n_ranks if wanted else 0)
    bindings = []
    for rank in range(n_ranks):
        info = seen[rank] if rank < len(seen) else None
        pus = (os_pus_of(info) or None) if info else None
        pus_wanted = wanted.os_pus[rank] if wanted and wanted.os_pus and rank < wanted.n_ranks else None
        outside = _threads_outside(info, pus_wanted) if info and pus_wanted else []
        bindings.append(RankBinding(rank, info.host if info else "", pus_wanted, pus, outside))
    return Run(
        label=label,
        command=plan.argv,
        source="measured",
        ranks=bindings,
        wall_s=wall_s,
        app_s=max((info.wall_s for info in seen if info.wall_s > 0), default=None),
        mpi_s=fmean(info.mpi_s for info in seen) if seen else None,
        exit_code=exit_code,
        **_threads(seen),
    )


def _threads(ranks: list[RankInfo]) -> dict[str, int]:
    """The threads of a Run, on hosts that are taken to be like this one; nothing where they aren't known."""
    local = machines.here()
    core_of_pu = {pu: core for core in range(local.n_cores) for pu in local.os_pus(core)}
    found = n_without_core(ranks, core_of_pu) if ranks else None
    return {} if found is None else {"n_threads": found[0], "n_threads_without_core": found[1]}


def _threads_outside(rank: RankInfo, wanted: list[int]) -> list[str]:
    """The rank's threads, at MPI_Finalize, with hardware threads that the rank wasn't to have."""
    return [
        f"{thread.name} {index_list(pus)}"
        for thread in rank.threads
        if not set(pus := [int(pu) for pu in thread.os_pus]) <= set(wanted)
    ]


def reported(folder: Path) -> Profile | None:
    """The profile that a job left in `folder`; None where no rank wrote one."""
    from corewise.profile.reading import read_profile

    return read_profile(folder) if holds_profile(folder) else None


def holds_profile(folder: Path) -> bool:
    """At least one rank has begun to report."""
    return any(folder.glob("*.cwprof"))
