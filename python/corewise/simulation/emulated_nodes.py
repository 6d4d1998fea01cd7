"""Network namespaces as a machine's nodes, with links as slow as its network, and programs on them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import structs

from corewise.clusters.cluster import Lab, temporary
from corewise.clusters.kind import ClusterSpec
from corewise.clusters.netns import NETNS
from corewise.clusters.rates import check_rate
from corewise.errors import InputError, MissingError, RunError
from corewise.launchers import Command, Job
from corewise.launchers.command import Program
from corewise.launchers.launcher import inject
from corewise.machines.spec import FRAME_BYTES, LATENCY_S, MEASURED, PAYLOAD_BYTES
from corewise.model import LinkFigures, Machine
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.machine import with_figures
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.runs import reported, run_of
from corewise.start.application import TIMED, RecordedCalls, observers
from corewise.start.folder import fresh_folder
from corewise.start.launching import start
from corewise.start.programs import family_loaded, launcher_of
from corewise.start.streams import Streams
from corewise.start.wanted import Wanted

# Messages within a node have this machine's speed. Measured: a ping-pong of 8 and of 1e6 bytes, Open MPI 4.1
# on two loaded cores, 2026-11-22: 1.3 to 1.7 us and 3.1 to 5.0 GB/s.
_WITHIN_NODE = LinkFigures(1.5e-6, 4e9, MEASURED)


class WrongHost(RunError):
    """A rank ran on another node than its placement says; exit code 1."""


def link_rate(machine: Machine) -> float:
    """The limit of each node's link, bits/s, for which a program gets the machine's network bandwidth.

    Raises InputError for a machine that nodes on one bridge can't emulate.
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
    rate = network[0].bandwidth_bytes_per_s * 8 * FRAME_BYTES / PAYLOAD_BYTES
    check_rate(rate)
    return rate


def as_emulated(machine: Machine) -> Machine:
    """The machine as emulated: only the bandwidth of the network is that of `machine`.

    Use it for mapping and predictions, because the latency of `machine` is not emulated.
    """
    *within, network = machine.levels
    figures = [(level.name, _WITHIN_NODE) for level in within]
    source = f"emulated; latency: {MEASURED}"
    figures.append((network.name, LinkFigures(LATENCY_S, network.bandwidth_bytes_per_s, source, tcp=True)))
    return with_figures(machine, figures)


@dataclass(frozen=True)
class EmulatedProgram:
    """A program to run: `command` without a launcher, and its MPI family.

    It starts in `directory` (None: the current folder), with `environment` added to ours. `recorded` says
    what its profile contains.
    """

    command: list[str]
    family: str
    directory: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)
    streams: Streams = Streams(stdin=subprocess.DEVNULL)
    recorded: RecordedCalls = TIMED

    @classmethod
    def of(cls, command: list[str], **options: Any) -> EmulatedProgram:
        """Determines the MPI family; raises MissingError without the program, InputError without a family."""
        return cls(command, _family(command[0]), **options)


@dataclass(frozen=True)
class EmulatedNodes:
    """Running nodes, on which programs start under any placement that fits."""

    lab: Lab

    def run(
        self,
        label: str,
        placement: Placement,
        program: EmulatedProgram,
        place: Path,
        timeout_s: float,
        keeps_profile: bool = False,
    ) -> Run:
        """Runs the program once; raises WrongHost, and MissingError without a launcher.

        All files of the run are in the folder `place`, which is removed unless `keeps_profile`; the profile
        is in `place`/profile.
        """
        with fresh_folder(place):
            plan = self._plan(placement, program, place)
            argv = self.lab.argv(plan.argv, program.directory)
            environment = self.lab.environment() | program.environment
            ended = start(structs.replace(plan, argv=argv, env=environment), program.streams, timeout_s)
            wanted = Wanted(self.lab.record.spec.hosts, structs.replace(placement, os_pus=None))
            run = run_of(label, plan, ended, reported(place / "profile"), wanted)
            _check_hosts(run)
        if not keeps_profile:
            shutil.rmtree(place, ignore_errors=True)
        return structs.replace(run, source="emulated")

    def _plan(self, placement: Placement, program: EmulatedProgram, place: Path) -> LaunchPlan:
        """Uses a host file with the host of rank r in line r, which all launchers can read."""
        executable, launcher = launcher_of(program.family)
        job = Job(
            command=Command([executable], [Program([], program.command)]),
            hosts=self.lab.record.spec.hosts,
            directory=str(place),
            injection=observers(program.family, str(place / "profile"), program.recorded),
            hosts_from="user",
            family=program.family,
        )
        before_app, files = inject(job)
        hosts = str(place / "hosts")
        files[hosts] = "".join(f"{job.hosts[node]}\n" for node in placement.node)
        in_order = [word.format(path=hosts) for word in launcher.hosts_in_order.split()]
        n_ranks = launcher.options.ranks(placement.n_ranks)
        return LaunchPlan([executable, *in_order, *n_ranks, *before_app, *program.command], {}, files)


@contextmanager
def emulated_nodes(n_nodes: int, slots: int, rate_bits_per_s: float) -> Iterator[EmulatedNodes]:
    """Nodes for the duration of the block; raises MissingError if they can't be created here."""
    with temporary(NETNS, ClusterSpec(n_nodes, slots, rate_bits_per_s)) as lab:
        yield EmulatedNodes(lab)


def _check_hosts(run: Run) -> None:
    """Raises WrongHost unless every rank of a successful run reported from the node of its placement."""
    for rank in run.ranks:
        if run.exit_code == 0 and not rank.ok:
            raise WrongHost(
                f"rank {rank.rank} of placement '{run.label}' ran on {rank.host or 'an unknown host'}; "
                f"expected {rank.host_wanted}"
            )


def _family(program: str) -> str:
    """The MPI family of a program; raises MissingError without the program, InputError without a family."""
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    family = family_loaded(path)
    if family is None:
        raise InputError(
            f"'{program}' loads no MPI library itself; expected an MPI program, without a launcher before it"
        )
    return family
