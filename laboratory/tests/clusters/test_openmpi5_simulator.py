"""Random placements on large nodes with Open MPI 5's own simulator of a cluster, which starts nothing."""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.launchers.rankfile import MOST_LIST_LENGTH
from corewise.model import Machine
from corewise.start.launching import write_files
from corewise.text.quantities import index_text
from mpis import mpi_named
from plan_cases import indices
from random_placements import Case, machine_of_shapes, random_cases, shape_file

# hwloc's synthetic strings, numbered as the OS does: in order, hyperthreads consecutively, or packages in
# turn.
SHAPES = [
    "pack:2 [numa] l3:4 core:16 pu:1",
    "pack:2 [numa] l3:1 core:24 pu:2(indexes=2*48:1*2)",
    "pack:1 group:4 [numa] l3:2 core:8 pu:2",
    "pack:4 [numa] core:6 pu:1(indexes=6*4:1*6)",
    "pack:1 core:3 pu:1",
]
ROOT_MAY_START = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MOST_NODES, MOST_RANKS = 12, 64
N_PLACEMENTS = 40


class Simulator:
    """Clusters of one shape each. `folder` gets the files of all plans."""

    def __init__(self, mpirun: str, folder: Path, seed: int):
        self.mpirun, self.folder, self.rng = mpirun, folder, random.Random(seed)
        self.files = [shape_file(folder, description) for description in SHAPES]
        self.file = self.files[0]
        self.shows_os_indices = False  # "core:L5" is an OS index if cores have one hardware thread (5.0.11)

    def machines(self) -> Iterator[Machine]:
        for _ in itertools.count():
            self.file = self.rng.choice(self.files)
            machine = machine_of_shapes([self.file] * self.rng.randint(1, MOST_NODES))
            self.shows_os_indices = len(machine.os_pus(0)) == 1
            yield machine

    def mapped(self, case: Case) -> dict[int, tuple[int, set[int]]] | None:
        """rank -> (node, cores) to which Open MPI 5 would bind it. None if it refuses."""
        n_nodes = len(case.placement.node_fingerprints)
        parameters = {
            "ras": "simulator",
            "ras_simulator_num_nodes": n_nodes,
            "ras_simulator_slots": 200,
            "ras_simulator_max_slots": 200,
            "hwloc_use_topo_file": self.file,
        }
        words = [word for name, value in parameters.items() for word in ("--prtemca", name, str(value))]
        openmpi5 = LAUNCHERS["openmpi5"]
        command = parse_command([self.mpirun, *words, "true"], openmpi5.options)
        hosts = [f"nodeA{node:0{len(str(n_nodes))}}" for node in range(n_nodes)]
        folder = self.folder / str(case.number)
        plan = openmpi5.plan(case.started, Job(command, hosts, str(folder), Injection("env"), "allocation"))
        write_files(plan)
        shown = [plan.argv[0], "--display", "map", "--do-not-launch", *plan.argv[1:]]
        env = os.environ | ROOT_MAY_START | plan.env
        done = subprocess.run(shown, env=env, capture_output=True, text=True, timeout=60)
        return bindings(done.stdout) if done.returncode == 0 else None


def bindings(job_map: str) -> dict[int, tuple[int, set[int]]]:
    """rank -> (node, cores) in the output of `--display map`."""
    found, node = {}, -1
    for line in job_map.splitlines():
        if words := re.match(r"Data for node: nodeA(\d+)", line):
            node = int(words[1])
        elif words := re.search(r"App rank: (\d+)", line):
            rank = int(words[1])
        elif "Binding:" in line:
            lists = ",".join(re.findall(r"core:L([0-9,-]+)", line))
            found[rank] = (node, indices(lists))
    return found


def wrong(simulator: Simulator, case: Case) -> str | None:
    """What is wrong with the outcome of a case; None if nothing is."""
    found = simulator.mapped(case)
    if case.spoiled == "absent":
        return None if found is None else f"{case.number} not refused: {found}"
    as_wanted = found is not None and all(
        is_wanted(simulator, case, rank, found.get(rank)) for rank in range(case.placement.n_ranks)
    )
    return None if as_wanted == (case.spoiled is None) else f"{case}: {found}"


def is_wanted(simulator: Simulator, case: Case, rank: int, found: tuple[int, set[int]] | None) -> bool:
    """Whether the rank is on its node and has its cores.

    If the binder sets the others, the first core is enough.
    """
    placement = case.placement
    shown = placement.os_pus if simulator.shows_os_indices else placement.cores
    node, cores = found or (-1, set())
    too_long = len(index_text(placement.cores[rank])) > MOST_LIST_LENGTH
    wanted = set(shown[rank])
    return node == placement.node[rank] and (cores == wanted or (too_long and set() < cores < wanted))


def test_ranks_are_mapped_to_the_nodes_and_cores_of_random_placements(tmp_path):
    if shutil.which("lstopo-no-graphics") is None:
        pytest.skip("needs lstopo-no-graphics (hwloc)")
    simulator = Simulator(mpi_named("openmpi5").mpirun, tmp_path, seed=1)
    cases = random_cases(simulator.machines(), N_PLACEMENTS, period=10, seed=1, most_ranks=MOST_RANKS)
    # One case at a time, because the simulator has the shape of the last case.
    assert [wrong(simulator, case) for case in cases] == [None] * N_PLACEMENTS
