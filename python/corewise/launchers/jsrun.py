"""LSF's jsrun: an explicit resource file, which can express any placement. Exported, not run here.

Syntax: IBM Job Step Manager, "Explicit Resource File (ERF) format" and "jsrun command"; host and hardware
thread numbers as in OLCF's "ERF CPU Indexing": hosts count from 1, physical indices are os_index.
"""

from __future__ import annotations

from corewise.launchers.launcher import Job, Launcher, host_of, inject, masks_of
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

WHICH_HOSTS = "Host 1 of the file is the first compute host of the allocation; names are not written there."


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """jsrun --erf_input FILE: a line for each rank. Raises InputError for a placement without OS indices."""
    for rank in range(placement.n_ranks):
        host_of(placement, job, rank)
    before_app, files = inject(job)
    path = f"{job.directory}/resources.erf"
    argv = [*job.command.start, "--erf_input", path, *before_app, *job.command.app]
    return LaunchPlan(argv, {}, {path: resource_file(placement)} | files, [WHICH_HOSTS])


def resource_file(placement: Placement) -> str:
    """A header, then a line such as `rank: 0: { host: 1; cpu: {0-3} }` for each rank."""
    sharing = "allow" if placement.overlaps else "error"
    lines = ["cpu_index_using: physical", f"overlapping_rs: {sharing}", f"oversubscribe_cpu: {sharing}"]
    for rank, mask in enumerate(masks_of(placement)):
        lines.append(f"rank: {rank}: {{ host: {placement.node[rank] + 1}; cpu: {{{index_text(mask)}}} }}")
    return "\n".join(lines) + "\n"


LAUNCHER = Launcher(
    name="jsrun",
    sentence="LSF's jsrun: --erf_input FILE, an explicit resource file",
    families=("openmpi",),
    plan=plan,
    any_host="+n{node}",
    executables=("jsrun",),
)
