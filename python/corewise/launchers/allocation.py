"""Reads the hosts of an allocation from the environment variables of batch systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from corewise.errors import InputError
from corewise.launchers.hosts import AllocationReader, Host, HostSource, host_file
from corewise.text.node_list import MOST_NODES, expand_node_list


def slurm(environment: Mapping[str, str]) -> HostSource | None:
    """SLURM_JOB_NODELIST, with slots as SLURM_TASKS_PER_NODE counts them (sbatch(1))."""
    nodes = environment.get("SLURM_JOB_NODELIST")
    tasks = environment.get("SLURM_TASKS_PER_NODE")

    def parse(text: str) -> list[Host]:
        hosts = [Host(name) for name in expand_node_list(text)]
        slots = task_counts(tasks) if tasks else []
        # Inside a step, the nodes are those of the job, but the counts are those of the step: ignore them.
        if len(slots) != len(hosts):
            return hosts
        return [replace(host, n_slots=n_slots) for host, n_slots in zip(hosts, slots, strict=True)]

    return HostSource("SLURM_JOB_NODELIST", parse, text=nodes) if nodes else None


def task_counts(text: str) -> list[int]:
    """`2(x3),1` as 2, 2, 2, 1, which is Slurm's notation for counts per node. Raises InputError."""
    counts: list[int] = []
    for word in text.split(",") if text else ():
        match = re.fullmatch(r"([0-9]{1,6})(?:\(x([0-9]{1,5})\))?", word)
        if match is None or len(counts) > MOST_NODES:
            raise InputError(
                f"SLURM_TASKS_PER_NODE is {text!r:.80}; expected counts of tasks such as 2(x3),1"
            )
        counts += [int(match[1])] * int(match[2] or 1)
    return counts


def lsf(environment: Mapping[str, str]) -> HostSource | None:
    """LSB_MCPU_HOSTS: `n1 4 n2 2`, each host with its slots."""
    hosts = environment.get("LSB_MCPU_HOSTS")
    return HostSource("LSB_MCPU_HOSTS", _lsf_hosts, text=hosts) if hosts else None


def _lsf_hosts(text: str) -> list[Host]:
    words = text.split()
    if len(words) % 2 or not all(re.fullmatch("[0-9]{1,6}", count) for count in words[1::2]):
        raise InputError(f"{text!r:.80} is no list of hosts with their slots; expected one such as n1 4 n2 2")
    return [Host(name, int(count)) for name, count in zip(words[::2], words[1::2], strict=True)]


def _grid_engine_hosts(text: str) -> list[Host]:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for words in lines:
        if len(words) < 2 or not re.fullmatch("[0-9]{1,6}", words[1]):
            raise InputError(
                f"found {' '.join(words)!r:.80}; expected a host and its slots, as in n1 4 queue@n1 UNDEFINED"
            )
    return [Host(words[0], int(words[1])) for words in lines]


def flux(environment: Mapping[str, str]) -> HostSource | None:
    """The answer of the Flux instance of FLUX_URI, whose environment has no hosts (flux-getattr(1))."""
    command = ("flux", "getattr", "hostlist")
    return (
        HostSource("`flux getattr hostlist`", _flux_hosts, command=command)
        if "FLUX_URI" in environment
        else None
    )


def _flux_hosts(text: str) -> list[Host]:
    return [Host(name) for name in expand_node_list(text.strip())]


def host_file_named_by(variable: str, parse: Callable[[str], list[Host]] = host_file) -> AllocationReader:
    """A reader of a variable that names a file of hosts, such as a launcher's own HYDRA_HOST_FILE."""

    def read(environment: Mapping[str, str]) -> HostSource | None:
        path = environment.get(variable)
        return HostSource(f"{variable} {path}", parse, path=path) if path else None

    return read


# Lines such as `n1 4 queue@n1 UNDEFINED`, a host and its slots (sge_pe(5)).
grid_engine = host_file_named_by("PE_HOSTFILE", _grid_engine_hosts)
pbs = host_file_named_by("PBS_NODEFILE")  # one host a line, repeated for each of its slots
