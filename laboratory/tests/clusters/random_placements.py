"""Random placements on nodes of random shapes, some of them faulty on purpose, for round trips."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corewise.machines import node_shapes
from corewise.model import Machine, make_machine
from corewise.nouns.placement import Placement
from msgspec import structs

MOST_RANKS = 8
KINDS = ("core", "cores", "thread", "shared")
ABSENT = 1000  # more cores than any node here has


@dataclass(frozen=True)
class Case:
    """A placement, and the one that is started instead if something is wrong on purpose.

    `spoiled` is "host" or "core" if rank 0 is started on another host or core, and "absent" if the placement
    has a core that doesn't exist.
    """

    number: int
    kind: str
    placement: Placement
    started: Placement
    spoiled: str | None = None

    @property
    def wanted(self) -> list[tuple[int, list[int]]]:
        """(node, hardware threads) of each rank."""
        return list(zip(self.placement.node, self.placement.os_pus, strict=True))


def random_cases(
    machines: Iterator[Machine], number: int, period: int, seed: int, most_ranks: int = MOST_RANKS
) -> Iterator[Case]:
    """Yields this number of cases.

    In each `period`, one case starts another placement, and one has an absent core.
    """
    rng = random.Random(seed)
    for i, machine in zip(range(number), machines, strict=False):
        kind = rng.choice(KINDS)
        placement = random_placement(machine, kind, most_ranks, rng)
        if i % period == period - 1:
            yield _sabotaged(i, kind, placement, machine, rng)
        elif i % period == period // 2:
            absent = _with_first(placement, placement.node[0], [ABSENT], [ABSENT])
            yield Case(i, kind, absent, absent, "absent")
        else:
            yield Case(i, kind, placement, placement)


def _sabotaged(number: int, kind: str, placement: Placement, machine: Machine, rng: random.Random) -> Case:
    """The case in which rank 0 is started on another core of its node, or on another node."""
    cores = [(node, core) for node in range(machine.n_nodes) for core in range(machine.n_cores_on(node))]
    own = placement.node[0]
    others = {"host": [(node, core) for node, core in cores if node != own]}
    others["core"] = [(node, core) for node, core in cores if node == own and [core] != placement.cores[0]]
    spoiled = rng.choice([name for name in sorted(others) if others[name]])
    node, core = rng.choice(others[spoiled])
    started = _with_first(placement, node, [core], list(machine.os_pus(machine.core_at(node, core))))
    return Case(number, kind, placement, structs.replace(started, oversubscribed=True), spoiled)


def random_placement(machine: Machine, kind: str, most_ranks: int, rng: random.Random) -> Placement:
    """Some ranks of one kind: with one core, several cores, one hardware thread, or shared cores each."""
    units = [unit for node in range(machine.n_nodes) for unit in _units(machine, node, kind, rng)]
    shared = kind == "shared"
    if shared:
        chosen = rng.choices(units, k=rng.randint(2, most_ranks))
    else:
        chosen = rng.sample(units, rng.randint(1, min(most_ranks, len(units))))
    node, cores, os_pus = ([unit[i] for unit in chosen] for i in range(3))
    prints = [machine.node_fingerprint(i) for i in range(machine.n_nodes)]
    return Placement(
        machine.name,
        machine.fingerprint,
        prints,
        node,
        cores,
        os_pus,
        oversubscribed=shared,
        whole_cores=kind != "thread",
    )


def _units(machine: Machine, node: int, kind: str, rng: random.Random) -> list[tuple[int, list, list]]:
    """Disjoint places for ranks on a node: (node, cores (logical), hardware threads (os_index))."""
    cores = rng.sample(range(machine.n_cores_on(node)), machine.n_cores_on(node))
    pus_of = {core: machine.os_pus(machine.core_at(node, core)) for core in cores}
    if kind == "thread":
        return [(node, [core], [pu]) for core in cores for pu in pus_of[core]]
    found = []
    while cores:
        taken = sorted(cores[: rng.randint(1, len(cores)) if kind == "cores" else 1])
        cores = [core for core in cores if core not in taken]
        found.append((node, taken, sorted(pu for core in taken for pu in pus_of[core])))
    return found


def _with_first(placement: Placement, node: int, cores: list[int], os_pus: list[int]) -> Placement:
    """The placement with these cores and hardware threads for rank 0."""
    return structs.replace(
        placement,
        node=[node, *placement.node[1:]],
        cores=[cores, *placement.cores[1:]],
        os_pus=[os_pus, *placement.os_pus[1:]],
    )


def shape_file(folder: Path, description: str, cpuset: str = "") -> Path:
    """Writes hwloc XML of a synthetic node. `cpuset` (0x2) restricts it to some hardware threads."""
    path = folder / f"{description.replace(' ', '_')}{cpuset}.xml"
    restrict = ["--restrict", cpuset] if cpuset else []
    words = ["lstopo-no-graphics", "--input", description, *restrict, "--of", "xml", str(path)]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    return path


def machine_of_shapes(paths: list[Path]) -> Machine:
    """A machine whose node i is described by paths[i]."""
    distinct = sorted(set(paths))
    shapes = [node_shapes.from_xml(str(path)) for path in distinct]
    return make_machine("lab", shapes, [distinct.index(path) for path in paths], [], [], [])
