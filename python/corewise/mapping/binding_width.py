"""Binding widths: masks as wide as the objects around a rank's cores, or a hardware thread of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from msgspec import structs

from corewise.launchers.launcher import masks_of
from corewise.mapping.process_binding import group_of_core
from corewise.mapping.same_masks import Masks, masks_asked
from corewise.model import Machine
from corewise.nouns.placement import PlacementFile

PU = "pu"  # the width below that of a core
NONE = "none"  # no binding: each rank is free on its node


@dataclass(frozen=True)
class WiderPlacement:
    """The placement labelled `of` with masks as wide as `binding`, one of BINDINGS, PU or NONE."""

    of: Literal["default", "best"]
    binding: str
    file: PlacementFile


def with_width(placement: PlacementFile, machine: Machine, width: str) -> PlacementFile:
    """The placement with each rank bound to the objects around its cores; `width` is one of BINDINGS or "pu".

    A rank's own cores stay the first ones. Ranks that share cores in this way only are not oversubscribed:
    they have as many cores as before. With "pu", ranks that share a core get different hardware threads of
    it, as far as there are any. Raises InputError where `machine` doesn't fit the placement or doesn't show
    such objects.
    """
    own = [placement.cores_on(machine, rank, placement.node[rank]) for rank in range(placement.n_ranks)]
    if width == PU:
        return structs.replace(placement, os_pus=_one_thread_a_core(own, machine), whole_cores=False)
    groups = group_of_core(machine, width)
    members: dict[int, list[int]] = {}
    for core, group in enumerate(groups):
        members.setdefault(group, []).append(core)
    wide = []
    for cores in own:
        around = [core for group in dict.fromkeys(groups[core] for core in cores) for core in members[group]]
        wide.append(list(dict.fromkeys([*cores, *around])))
    return structs.replace(
        placement,
        cores=[[machine.core_on_node(core) for core in cores] for cores in wide],
        os_pus=[sorted(pu for core in cores for pu in machine.os_pus(core)) for cores in wide],
    )


def check_widths(machine: Machine, bindings: Iterable[str]) -> None:
    """Raises InputError for a width of which the machine shows no objects."""
    for binding in bindings:
        if binding not in (PU, NONE):
            group_of_core(machine, binding)


def other_widths(
    placements: Mapping[str, PlacementFile],
    machine: Machine,
    bindings: Iterable[str],
    compared: Mapping[str, Masks],
) -> tuple[list[WiderPlacement], list[str]]:
    """What these widths add to the placements "default" and "best", and which add nothing, in sentences.

    NONE is the default with each rank free on its node, every other width is of the best placement. A width
    that gives every rank the hardware threads that it has in one of `compared` (masks by label) or by an
    earlier width is left out. Raises InputError as with_width() does.
    """
    found: list[WiderPlacement] = []
    left_out = []
    before = {f"the {label} placement": masks for label, masks in compared.items()}
    of: Literal["default", "best"]
    for binding in dict.fromkeys(bindings):
        of, width = ("default", "node") if binding == NONE else ("best", binding)
        wider = WiderPlacement(of, binding, with_width(placements[of], machine, width))
        masks = masks_asked(wider.file)
        same = next((name for name, other in before.items() if other == masks), None)
        if same:
            left_out.append(f"Binding {binding} gives every rank the same masks here as {same}: not run.")
        else:
            found.append(wider)
            before[f"binding {binding}"] = masks
    return found, left_out


def _one_thread_a_core(cores_of_rank: list[list[int]], machine: Machine) -> list[list[int]]:
    """[rank] os_index: the first hardware thread of each of its cores that no rank before it has."""
    n_taken = [0] * machine.n_cores
    os_pus = []
    for cores in cores_of_rank:
        threads = [machine.os_pus(core) for core in cores]
        os_pus.append([own[n_taken[core] % len(own)] for core, own in zip(cores, threads, strict=True)])
        for core in cores:
            n_taken[core] += 1
    return os_pus


def sharing_sentence(placement: PlacementFile) -> str | None:
    """How many ranks may run on hardware threads of others; None if no rank may."""
    masks = zip(placement.node, masks_of(placement), strict=True)
    slots = [[(node, pu) for pu in mask] for node, mask in masks]
    users = Counter(slot for of_rank in slots for slot in of_rank)
    n_sharing = sum(any(users[slot] > 1 for slot in of_rank) for of_rank in slots)
    if n_sharing == 0:
        return None
    return f"{n_sharing} of {placement.n_ranks} ranks may run on hardware threads of other ranks"
