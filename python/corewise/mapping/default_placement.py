"""The default placement: what the launcher did while tracing, or block order where that isn't known."""

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
    """Where the ranks are without corewise; `note` says in one sentence where that comes from.

    `is_seen` says that the ranks were traced on this machine: their masks are those of its cores.
    """

    placement: model.Placement
    note: str
    is_seen: bool = False


def default_placement(
    found: Input,
    machine: model.Machine,
    slots: Sequence[int] | None,
    constraints: ConstraintRequest = ConstraintRequest(),  # noqa: B008 (frozen)
) -> DefaultPlacement:
    """The masks that a profile saw, where it was traced on `machine`; else block order.

    `slots` says for each node of the profile which one of `machine` it is, None that it is of others. A rank
    bound to one core, or to cores that it has for itself, is there; any other rank keeps its mask and is
    scored where block order puts it among the ranks of that mask. Of `constraints` the default has the cores
    of each rank, and whether ranks may share them. Raises InputError if ranks outnumber cores, may not
    share them, and the masks don't say who does.
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
            model.Placement.from_core_lists(seen), "the default is what the launcher bound", is_seen=True
        )
    n_unbound = bound.count(False)
    return DefaultPlacement(
        model.Placement.from_core_lists(
            _with_unbound_in_block_order(seen, bound, constraints.cores_per_rank or 1)
        ),
        f"{n_unbound} of {len(ranks)} ranks were not bound to their own cores while tracing: "
        "they are scored where block order would put them",
        is_seen=True,
    )


def _with_unbound_in_block_order(
    seen: list[list[int]], bound: list[bool], width: int | list[int]
) -> list[list[int]]:
    """[rank] cores: those seen of a bound rank, else where block order puts it among the ranks in its mask.

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
    """Each rank's first core; ranks that are too many for `n_cores` share them evenly, in order."""
    if sum(widths) <= n_cores:
        return [0, *accumulate(widths)][: len(widths)]
    return [max(0, min(i * n_cores // len(widths), n_cores - width)) for i, width in enumerate(widths)]


def slots_in_order(found: Input) -> list[int] | None:
    """`slots` where no hosts are known: node i of the machine is the node of the profile that comes i-th.

    In the order of the ranks; None for a matrix.
    """
    if found.profile is None:
        return None
    order = list(dict.fromkeys(rank.node for rank in found.profile.ranks if rank.node >= 0))
    return [order.index(node) if node in order else len(order) for node in range(len(found.profile.nodes))]


def _block(found: Input, machine: model.Machine, constraints: ConstraintRequest) -> model.Placement:
    columns = constraints.on(machine, found.traffic.n_ranks)
    problem = model.MappingProblem(found.traffic, machine, constraints=columns)
    return model.solve(problem, "block").placement


def _cores_seen(
    ranks: Sequence[model.RankInfo], slots: Sequence[int], machine: model.Machine
) -> list[list[int]] | None:
    """Each rank's cores (whole machine, ascending) by its mask; None if a mask doesn't fit the machine."""
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
