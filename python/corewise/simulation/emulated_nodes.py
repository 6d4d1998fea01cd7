"""Namespaces that stand for a machine's nodes, their links as slow as its network, and programs on them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from corewise.clusters.cluster import Lab, temporary
from corewise.clusters.kind import ClusterSpec
from corewise.clusters.netns import NETNS
from corewise.clusters.rates import check_rate
from corewise.errors import InputError, MissingError, RunError
from corewise.execute.application import TIMED, RecordedCalls, observers
from corewise.execute.folder import fresh_folder
from corewise.execute.observe import Wanted, reported, run_of
from corewise.execute.programs import family_loaded, launcher_of
from corewise.execute.start import start
from corewise.execute.streams import Streams
from corewise.launchers import Command, Job
from corewise.launchers.command import Program
from corewise.launchers.launcher import inject
from corewise.machines.lab_network import FRAME_BYTES, LATENCY_S, MEASURED, PAYLOAD_BYTES
from corewise.model import LinkFigures
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.machine import with_figures
from corewise.nouns.placement import PlacementFile
from corewise.nouns.run import Run

if TYPE_CHECKING:
    from corewise.model import Machine

# What isn't emulated is this machine's: a ping-pong of 8 and of 1e6 bytes, Open MPI 4.1 on two loaded cores,
# 2026-11-22, between ranks of one node: 1.3 to 1.7 us and 3.1 to 5.0 GB/s.
_WITHIN_NODE = LinkFigures(1.5e-6, 4e9, MEASURED)


class WrongHost(RunError):
    """A rank ran on another node than its placement says: the answer is "no"."""


def link_rate(machine: Machine) -> float:
    """The limit of each node's link, bits/s: a program gets the bandwidth of the machine's network then.

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
    rate = network[0].bandwidth_bytes_per_s * 8 * FRAME_BYTES / PAYLOAD_BYTES
    check_rate(rate)
    return rate


def as_emulated(machine: Machine) -> Machine:
    """The machine that programs on emulated nodes find: of the figures, the network's bandwidth alone.

    Placements are to be found for it, and predictions made: a latency that isn't there mustn't decide.
    """
    *within, network = machine.levels
    figures = [(level.name, _WITHIN_NODE) for level in within]
    source = f"emulated; latency: {MEASURED}"
    figures.append((network.name, LinkFigures(LATENCY_S, network.bandwidth_bytes_per_s, source, tcp=True)))
    return with_figures(machine, figures)


@dataclass(frozen=True)
class EmulatedProgram:
    """A program to run: `command` without a launcher, its MPI family, and where it runs.

    It starts in `directory`, the current folder where that is None, with `environment` added to ours;
    `recorded` is what its profile keeps.
    """

    command: list[str]
    family: str
    directory: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)
    streams: Streams = Streams(stdin=subprocess.DEVNULL)
    recorded: RecordedCalls = TIMED

    @classmethod
    def of(cls, command: list[str], **options: Any) -> EmulatedProgram:
        """Finds out the MPI family; MissingError if the program isn't there, InputError for none."""
        return cls(command, _family(command[0]), **options)


@dataclass(frozen=True)
class EmulatedNodes:
    """Nodes that are up, on which programs run under any placement that fits."""

    lab: Lab

    def run(
        self,
        label: str,
        placement: PlacementFile,
        program: EmulatedProgram,
        place: Path,
        timeout_s: float,
        keeps_profile: bool = False,
    ) -> Run:
        """Runs the program once; raises WrongHost, and MissingError without a launcher.

        Everything of the run lies in the folder `place`, which is removed unless the profile is kept: then
        it is left in `place`/profile.
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

    def _plan(self, placement: PlacementFile, program: EmulatedProgram, place: Path) -> LaunchPlan:
        """Line r of the host file is rank r's host: what all launchers read alike."""
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
    """Nodes for as long as the block lasts; raises MissingError if they can't be made here."""
    with temporary(NETNS, ClusterSpec(n_nodes, slots, rate_bits_per_s)) as lab:
        yield EmulatedNodes(lab)


def _check_hosts(run: Run) -> None:
    """Every rank of a run that ended well reported, from the node of its placement."""
    for rank in run.ranks:
        if run.exit_code == 0 and not rank.ok:
            raise WrongHost(
                f"rank {rank.rank} of placement '{run.label}' ran on {rank.host or 'an unknown host'}; "
                f"expected {rank.host_wanted}"
            )


def _family(program: str) -> str:
    """The MPI family of a program; raises MissingError if it isn't there, InputError for none."""
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    family = family_loaded(path)
    if family is None:
        raise InputError(
            f"'{program}' loads no MPI library itself; expected an MPI program, without a launcher before it"
        )
    return family
