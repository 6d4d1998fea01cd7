"""The default placement: the launcher's while tracing, or block order if that is unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from corewise import model
from corewise.mapping.constraints import ConstraintRequest
from corewise.profile.threads import os_pus_of

if TYPE_CHECKING:
    from corewise.profile.inputs import Input


@dataclass(frozen=True)
class DefaultPlacement:
    """Where the ranks are without corewise; `note` says in one sentence how this is known.

    `is_seen`: the ranks were traced on this machine, and their masks are known.
    """

    placement: model.Assignment
    note: str
    is_seen: bool = False


def default_placement(
    found: Input,
    machine: model.Machine,
    slots: Sequence[int] | None,
    constraints: ConstraintRequest = ConstraintRequest(),  # noqa: B008 (frozen)
) -> DefaultPlacement:
    """The placement by the masks in the profile if it was traced on `machine`; else block order.

    `slots` is the index in `machine` of each node of the profile, None if the profile is from another
    machine. A rank that was bound to one core, or to cores of no other rank, is placed there. For other
    ranks, block order is assumed among the ranks of the same mask. The default ignores `constraints` except
    for the cores per rank and for sharing of cores. Raises InputError if block order needs more cores than
    there are.
    """
    widths = ConstraintRequest(constraints.cores_per_rank, oversubscribe=constraints.oversubscribe)
    if found.profile is None:
        return DefaultPlacement(
            _block(found, machine, widths),
            "the default is block order, node after node: a matrix doesn't say where its ranks ran",
        )
    ranks = found.profile.ranks
    seen = _cores_seen(ranks, slots, machine) if slots is not None else None
    if seen is None:
        note = (
            "the default is block order, node after node: the cores that ranks had while traced are "
            "another machine's"
        )
        return DefaultPlacement(_block(found, machine, widths), note)
    users = Counter(core for cores in seen for core in cores)
    bound = [len(cores) == 1 or all(users[core] == 1 for core in cores) for cores in seen]
    if all(bound):
        return DefaultPlacement(
            model.Assignment.from_core_lists(seen), "the default is what the launcher bound", is_seen=True
        )
    n_unbound = bound.count(False)
    return DefaultPlacement(
        model.Assignment.from_core_lists(
            _with_unbound_in_block_order(seen, bound, constraints.cores_per_rank or 1)
        ),
        f"{n_unbound} of {len(ranks)} ranks were not bound to their own cores while tracing: "
        "they are scored where block order would put them",
        is_seen=True,
    )


def _with_unbound_in_block_order(
    seen: list[list[int]], bound: list[bool], width: int | list[int]
) -> list[list[int]]:
    """[rank] cores: those of the mask for a bound rank, else by block order among the ranks in its mask.

    `width` is the number of cores of each rank.
    """
    widths = width if isinstance(width, list) else [width] * len(seen)
    placed = list(seen)
    masks = {tuple(cores) for cores, is_bound in zip(seen, bound, strict=True) if not is_bound}
    for mask in masks:
        inside = [rank for rank, cores in enumerate(seen) if set(cores) <= set(mask)]
        firsts = _first_in_block_order([widths[rank] for rank in inside], len(mask))
        for rank, first in zip(inside, firsts, strict=True):
            if not bound[rank] and len(seen[rank]) == len(mask):
                placed[rank] = list(mask[first : first + widths[rank]])
    return placed


def _first_in_block_order(widths: list[int], n_cores: int) -> list[int]:
    """Each rank's first core; if there are not enough cores, ranks share them evenly, in order."""
    if sum(widths) <= n_cores:
        return [0, *accumulate(widths)][: len(widths)]
    return [max(0, min(i * n_cores // len(widths), n_cores - width)) for i, width in enumerate(widths)]


def slots_in_order(found: Input) -> list[int] | None:
    """`slots` if hosts are unknown: the i-th node of the profile is node i of the machine.

    Nodes are in the order of their first ranks. None for a matrix.
    """
    if found.profile is None:
        return None
    order = list(dict.fromkeys(rank.node for rank in found.profile.ranks if rank.node >= 0))
    return [order.index(node) if node in order else len(order) for node in range(len(found.profile.nodes))]


def _block(found: Input, machine: model.Machine, constraints: ConstraintRequest) -> model.Assignment:
    columns = constraints.on(machine, found.traffic.n_ranks)
    problem = model.MappingProblem(found.traffic, machine, constraints=columns)
    return model.solve(problem, "block").placement


def _cores_seen(
    ranks: Sequence[model.RankInfo], slots: Sequence[int], machine: model.Machine
) -> list[list[int]] | None:
    """The cores in each rank's mask (whole machine, ascending); None if a mask doesn't fit the machine."""
    core_of_pu = [
        {pu: core for core in machine.cores_on(node) for pu in machine.os_pus(core)}
        for node in range(machine.n_nodes)
    ]
    seen = []
    for rank in ranks:
        slot = slots[rank.node] if rank.node >= 0 else machine.n_nodes
        if slot >= machine.n_nodes:
            return None
        known = core_of_pu[slot]
        os_pus = os_pus_of(rank)
        if not os_pus or any(pu not in known for pu in os_pus):
            return None
        seen.append(sorted({known[pu] for pu in os_pus}))
    return seen
