"""Placements with ranks bound to nodes, packages, NUMA domains, L3 groups or cores."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.errors import InputError, did_you_mean
from corewise.model import Assignment, Machine
from corewise.nouns.placement import Placement, shares_cores
from corewise.text.quantities import counted

# Binding -> level of the machine. Launchers use the names board (node) and socket (package).
BINDINGS = {
    "board": "node",
    "core": "core",
    "l3": "l3",
    "node": "node",
    "numa": "numa",
    "package": "package",
    "socket": "package",
}


def group_of_core(machine: Machine, binding: str) -> list[int]:
    """The index of the object that contains each core, indexed by core of the whole machine.

    A node without packages or NUMA domains in its tree counts as one. Raises InputError for an unknown
    binding, and for "l3" if the tree has no L3 caches, because their size is unknown.
    """
    if binding not in BINDINGS:
        near = did_you_mean(binding, BINDINGS)
        raise InputError(f"'{binding}' is no binding; expected {', '.join(BINDINGS)}{near}")
    if binding == "core":
        return list(range(machine.n_cores))
    levels = [kind.level for kind in machine.objects if kind.name == BINDINGS[binding]]
    if binding == "l3" and not levels and machine.n_cores > machine.n_nodes:
        names = ", ".join(kind.name for kind in machine.objects)
        raise InputError(f"{machine.name} shows no L3 cache; its levels are {names}")
    level = levels[0] if levels else machine.node_level
    return machine.group_of_core(level).tolist() if level else list(range(machine.n_cores))


def bound_objects(machine: Machine, binding: str) -> list[list[int]]:
    """Cores (of the whole machine, logical order) of each object of a binding, node by node.

    Raises InputError as group_of_core() does.
    """
    objects: dict[int, list[int]] = {}
    for core, group in enumerate(group_of_core(machine, binding)):
        objects.setdefault(group, []).append(core)
    return list(objects.values())


def bind_processes(
    machine: Machine, binding: str, n_ranks: int | None = None, share: bool = False
) -> Assignment:
    """Distributes ranks in order over the objects of a binding, one per object if `n_ranks` is None.

    All objects get the same number of ranks; the first ones get one more if there is a remainder. Ranks of an
    object divide its cores into contiguous runs in tree order, as the affinity library divides a shared
    cpuset. With `share`, each rank has all cores of the object, as with `mpirun --bind-to socket`. Raises
    InputError if an object has fewer cores than ranks to divide it.
    """
    objects = bound_objects(machine, binding)
    n_objects = len(objects)
    if n_ranks is None:
        n_ranks = n_objects
    if n_ranks < 1:
        raise InputError(f"{n_ranks} ranks; expected at least 1")
    cores_of_rank: list[list[int]] = []
    for i, cores in enumerate(objects):
        n_here = n_ranks // n_objects + (i < n_ranks % n_objects)
        if share:
            cores_of_rank += [cores] * n_here
        elif n_here <= len(cores):
            cores_of_rank += _divided(cores, n_here)
        else:
            raise InputError(
                f"{n_here} ranks would divide {binding} {i} of {machine.name}, which has "
                f"{counted(len(cores), 'core')}; "
                "expected at most as many (--share lets ranks have the same cores)"
            )
    return Assignment.from_core_lists(cores_of_rank)


def binding_file(
    machine: Machine, binding: str, n_ranks: int | None = None, share: bool = False
) -> Placement:
    """bind_processes() as a Placement for launchers."""
    placement = bind_processes(machine, binding, n_ranks, share)
    return Placement.of(placement, machine, solver=binding, oversubscribed=shares_cores(placement))


def _divided(cores: list[int], n_parts: int) -> Iterator[list[int]]:
    for part in range(n_parts):
        yield cores[part * len(cores) // n_parts : (part + 1) * len(cores) // n_parts]
