"""Emulation: the real program on nodes that are namespaces here, their links as slow as the machine's."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import CorewiseError, InputError, MissingError
from corewise.execute.application import observers
from corewise.execute.checks import MOST_RANKS_PER_PU
from corewise.execute.folder import fresh_folder, working_directory
from corewise.execute.observe import Wanted, reported, run_of
from corewise.execute.process import run_command
from corewise.execute.programs import family_loaded, launcher_of
from corewise.execute.repeats import Limits, Series, run_repeats
from corewise.execute.start import write_files
from corewise.execute.streams import Streams
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.files.run import Run
from corewise.lab.cluster import Lab, temporary
from corewise.lab.kind import MOST_NODES, ClusterSpec
from corewise.lab.netns import NETNS
from corewise.lab.rates import check_rate, rate_bits_text
from corewise.launchers import Command, Job
from corewise.launchers.command import Program
from corewise.launchers.launcher import inject
from corewise.simulate.engine import Engine, Request, Simulation
from corewise.text.quantities import counted, seconds_text

if TYPE_CHECKING:
    from corewise.model import Machine

# Of a full Ethernet frame's 1514 bytes 1448 are the program's: 14 are Ethernet's, 20 IP's, 32 TCP's.
_FRAME_BYTES, _PAYLOAD_BYTES = 1514, 1448


class WrongHost(CorewiseError):
    """A rank ran on another node than its placement says: the answer is "no"."""

    exit_code = 1


def link_rate(machine: Machine) -> float:
    """What each node's link is held to, bits/s: a program gets the bandwidth of the machine's network then.

    Raises InputError for a machine that nodes on one bridge can't stand for.
    """
    network = machine.levels[machine.node_level :]
    if machine.n_nodes == 1:
        raise InputError(
            f"{machine.name} has one node; emulation is about the network between nodes: expected two or more"
        )
    if not machine.has_figures:
        raise InputError(
            f"{machine.name} has no bandwidths (a bare tree); expected a machine with one for its network"
        )
    if len(network) > 1:
        raise InputError(
            f"{machine.name} has several network levels ({', '.join(level.name for level in network)}); "
            "emulation has one bridge between all nodes: expected a machine with one level"
        )
    rate = network[0].bandwidth_bytes_per_s * 8 * _FRAME_BYTES / _PAYLOAD_BYTES
    check_rate(rate)
    return rate


def emulate(request: Request) -> Simulation:
    """Runs the program on every placement, interleaved; raises InputError, MissingError or WrongHost.

    Only rank -> node is emulated: all nodes share this machine's cores, on which ranks are not bound.
    """
    rate = link_rate(request.machine)
    files = request.placements.values()
    n_nodes = max(max(file.node) for file in files) + 1
    n_ranks = next(iter(files)).n_ranks
    _check_size(n_nodes, n_ranks)
    family = _family(request.command[0])
    launcher = launcher_of(family)
    slots = max(file.node.count(node) for file in files for node in set(file.node))
    with temporary(NETNS, ClusterSpec(n_nodes, slots, rate)) as lab, working_directory() as folder:
        starter = _Starter(request, lab, launcher, family)
        series = [Series(label, file) for label, file in request.placements.items()]
        limits = Limits(request.timeout_s, n_rounds=request.n_repeats)
        repeats = run_repeats(starter, series, folder, limits, lambda _: False, request.say)
    if repeats.interrupted:
        raise KeyboardInterrupt
    return Simulation(repeats.runs, _notes(request.machine, n_nodes, rate))


@dataclass(frozen=True)
class _Starter:
    """Runs the program once under a placement, in the cluster."""

    request: Request
    lab: Lab
    launcher: str
    family: str

    def __call__(self, series: Series, place: Path) -> Run:
        """Everything of the run lies in the folder `place`, which is removed."""
        with fresh_folder(place):
            plan = self._plan(series.wanted, place)
            write_files(plan)
            streams = Streams(stdin=subprocess.DEVNULL, stdout=self.request.output)
            environment = self.lab.full_environment()
            argv = self.lab.argv(plan.argv)
            ended = run_command(argv, streams, self.request.timeout_s, environment)
            wanted = Wanted(self.lab.record.spec.hosts, replace(series.wanted, os_pus=None))
            run = run_of(series.label, plan, ended, reported(place / "profile"), wanted)
        shutil.rmtree(place, ignore_errors=True)
        _check_hosts(run)
        return replace(run, source="emulated")

    def _plan(self, placement: PlacementFile, place: Path) -> LaunchPlan:
        """Line r of the host file is rank r's host: what all launchers read alike."""
        job = Job(
            command=Command([self.launcher], [Program([], self.request.command)]),
            hosts=self.lab.record.spec.hosts,
            directory=str(place),
            injection=observers(self.family, str(place / "profile")),
            hosts_from="user",
            family=self.family,
        )
        before_app, files = inject(job)
        hosts = str(place / "hosts")
        files[hosts] = "".join(f"{job.hosts[node]}\n" for node in placement.node)
        in_order = {
            "openmpi": ["--hostfile", hosts, "--map-by", "seq", "--bind-to", "none"],
            "mpich": ["-f", hosts],
        }[self.family]
        n_ranks = ["-n", str(placement.n_ranks)]
        return LaunchPlan([self.launcher, *in_order, *n_ranks, *before_app, *self.request.command], {}, files)


def _check_hosts(run: Run) -> None:
    """Every rank of a run that ended well reported, from the node of its placement."""
    for rank in run.ranks:
        if run.exit_code == 0 and not rank.ok:
            raise WrongHost(
                f"rank {rank.rank} of placement '{run.label}' ran on {rank.host or 'an unknown host'}; "
                f"expected {rank.host_wanted}"
            )


def _check_size(n_nodes: int, n_ranks: int) -> None:
    n_pus = len(os.sched_getaffinity(0))
    if n_nodes > MOST_NODES:
        raise InputError(f"found ranks on {n_nodes} nodes; emulation has at most {MOST_NODES}")
    if n_ranks > MOST_RANKS_PER_PU * n_pus:
        raise InputError(
            f"found {n_ranks} ranks, which would share {counted(n_pus, 'hardware thread')} here; expected "
            f"at most {MOST_RANKS_PER_PU * n_pus}"
        )


def _family(program: str) -> str:
    """The MPI family of a program; raises MissingError where it isn't there, InputError for none."""
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    family = family_loaded(path)
    if family is None:
        raise InputError(
            f"'{program}' loads no MPI library itself; expected an MPI program, without a launcher before it"
        )
    return family


def _notes(machine: Machine, n_nodes: int, rate_bits_per_s: float) -> list[str]:
    level = machine.levels[-1]
    n_pus = len(os.sched_getaffinity(0))
    return [
        f"Emulated: {counted(n_nodes, 'node')} on this machine, each link held to "
        f"{rate_bits_text(rate_bits_per_s)} in either direction, {machine.name}'s bandwidth and the headers. "
        f"Its latency, {seconds_text(level.latency_s)}, is not emulated.",
        f"All ranks share {counted(n_pus, 'hardware thread')} here and are not bound: a rank's node counts "
        "in these times, its core doesn't, and what the program computes takes as long as it does here.",
    ]


EMULATE = Engine(
    name="emulate",
    sentence="the real program on namespaces as nodes, their links held to the machine's bandwidth",
    source="emulated",
    run=emulate,
)
