"""What a batch system is to corewise: how a script asks for nodes, and how it finds the hosts that it got."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corewise.launchers.hosts import AllocationReader


@dataclass(frozen=True)
class JobRequest:
    """What a job asks for: whole nodes, each with places for `ranks_per_node` ranks.

    `cores_per_node` are the cores that the placement reaches into, counted from the node's first one;
    `gpus_per_node` is 0 if ranks are shown no GPU.
    """

    n_nodes: int
    ranks_per_node: int
    cores_per_node: int
    gpus_per_node: int = 0


@dataclass(frozen=True)
class BatchSystem:
    """One batch system. A directive is `prefix` and options, a line before the script's first command.

    `directives` gives the options for a request, a line each; `time` is the one that the user has to fill in.
    `submit` is the command that takes a script. `list_hosts` are lines of bash that set the array `node` to
    the hosts of the job, each once and in the order of the allocation; they follow `begin`, if there is any.
    `hosts` reads the same from a job's environment: the launchers that know it start ranks in such jobs.
    `job_variable` is set in every job. `launcher` is the one that a script starts programs with if the user
    names no other; `job_options` are names of its options that directives say for the whole job. `run_here`
    says whether scripts for it have been run and verified.
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
        """Whether the scripts for it have been run and verified."""
        return "run and verified here" if self.run_here else "written, not run here"
