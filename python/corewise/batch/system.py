"""Interface of batch systems: how a script requests nodes, and how it finds its hosts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corewise.launchers.hosts import AllocationReader


@dataclass(frozen=True)
class JobRequest:
    """A request for whole nodes, each for `ranks_per_node` ranks.

    `cores_per_node` is one more than the highest core that the placement uses on a node; `gpus_per_node` is 0
    if ranks get no GPUs.
    """

    n_nodes: int
    ranks_per_node: int
    cores_per_node: int
    gpus_per_node: int = 0


@dataclass(frozen=True)
class BatchSystem:
    """One batch system. A directive is a line with `prefix` and options before the script's first command.

    * `directives`: the options for a request, one item per line. `time` is the option that the user fills in.
    * `submit`: the command that submits a script.
    * `list_hosts`: lines of bash that set the array `node` to the job's distinct hosts in the order of the
      allocation. `begin` are lines before them.
    * `hosts`: reads the hosts from the environment of a job. Launchers whose `allocations` contain it work in
      such jobs.
    * `job_variable`: a variable that is set in every job.
    * `launcher`: the default launcher of scripts. `job_options` are names of its options that directives have
      for the whole job.
    * `run_here`: scripts for it have been run and verified.
    """

    name: str
    sentence: str
    prefix: str
    directives: Callable[[JobRequest], Sequence[str]]
    time: str
    submit: str
    list_hosts: str
    hosts: AllocationReader
    job_variable: str
    launcher: str
    begin: str = ""
    job_options: frozenset[str] = frozenset()
    run_here: bool = False

    @property
    def standing(self) -> str:
        """Whether scripts for it have been run and verified, in words."""
        return "run and verified here" if self.run_here else "written, not run here"
