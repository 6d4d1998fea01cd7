"""What `--binding` and related options ask for: the width of masks, and the binding of threads and memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from warnings import warn

from msgspec import structs

from corewise.errors import InputError, Note, option, require_flag, require_number, require_word
from corewise.files.table import MOST_INDEX
from corewise.launchers.launcher import masks_of
from corewise.mapping.placement_input import placement_like
from corewise.mapping.process_binding import binding_file, bound_objects, group_of_core
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import Width
from corewise.profile.threads import os_pus_of

if TYPE_CHECKING:
    from corewise.model import RankInfo


Masks = list[tuple[int, list[int]]]  # [rank] (node, os_index ascending)


def masks_asked(placement: Placement) -> Masks:
    """The masks that the placement asks for; raises InputError if it has no OS indices."""
    return [(node, sorted(mask)) for node, mask in zip(placement.node, masks_of(placement), strict=True)]


def masks_seen(ranks: Sequence[RankInfo], slots: Sequence[int]) -> Masks | None:
    """The masks of the ranks while traced; None if one is unknown.

    `slots` is the index in the machine of each node of the profile.
    """
    seen = [(slots[rank.node] if rank.node >= 0 else -1, os_pus_of(rank)) for rank in ranks]
    return seen if all(node >= 0 and os_pus for node, os_pus in seen) else None


def masks_to_run(
    files: Mapping[str, Placement], ranks: Sequence[RankInfo], slots: Sequence[int] | None
) -> dict[str, Masks]:
    """The masks of each compared placement, by label; without the default if its masks are unknown.

    `ranks` are those of the traced default, `slots` is as for masks_seen(), None if the profile is from
    another machine.
    """
    seen = masks_seen(ranks, slots) if ranks and slots is not None else None
    masks = {label: masks_asked(files[label]) for label in ("best", "worst")}
    return masks if seen is None else {"default": seen} | masks


def same_as(masks: Mapping[str, Masks]) -> dict[str, str]:
    """Label -> the first earlier label with the same masks."""
    labels = list(masks)
    first = {label: next(other for other in labels if masks[other] == masks[label]) for label in labels}
    return {label: other for label, other in first.items() if other != label}


PU = "pu"  # one hardware thread of each core
NONE = "none"  # no binding: each rank is free on its node


def with_width(placement: Placement, machine: Machine, width: str) -> Placement:
    """Binds each rank to the objects that contain its cores; `width` is one of BINDINGS or "pu".

    A rank's own cores stay first in its list. Ranks whose masks overlap only because of the width are not
    oversubscribed: there are as many cores as before. With "pu", ranks that share a core get different
    hardware threads of it if there are enough. Raises InputError if `machine` doesn't fit the placement or
    has no such objects.
    """
    own = [placement.cores_on(machine, rank, placement.node[rank]) for rank in range(placement.n_ranks)]
    if width == PU:
        return structs.replace(placement, os_pus=_one_thread_a_core(own, machine), whole_cores=False)
    groups, members = group_of_core(machine, width), bound_objects(machine, width)
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
    """Raises InputError for a width that has no objects on the machine."""
    for binding in bindings:
        if binding not in (PU, NONE):
            group_of_core(machine, binding)


def other_widths(
    placements: Mapping[str, Placement],
    machine: Machine,
    bindings: Iterable[str],
    compared: Mapping[str, Masks],
) -> tuple[list[tuple[Width, Placement]], list[str]]:
    """The placements "default" and "best" with these widths, still without runs.

    Also returns sentences on widths that are left out.

    NONE applies to the default, every other width to the best placement. A width is left out if all its masks
    equal those of one of `compared` (masks by label) or of an earlier width. Raises InputError as
    with_width() does.
    """
    found: list[tuple[Width, Placement]] = []
    left_out = []
    before = {f"the {label} placement": masks for label, masks in compared.items()}
    of: Literal["default", "best"]
    for binding in dict.fromkeys(bindings):
        of, width = ("default", "node") if binding == NONE else ("best", binding)
        wider = with_width(placements[of], machine, width)
        masks = masks_asked(wider)
        same = next((name for name, other in before.items() if other == masks), None)
        if same:
            left_out.append(f"Binding {binding} gives every rank the same masks here as {same}: not run.")
        else:
            found.append((Width(of, binding, []), wider))
            before[f"binding {binding}"] = masks
    return found, left_out


def _one_thread_a_core(cores_of_rank: list[list[int]], machine: Machine) -> list[list[int]]:
    """[rank] os_index of one hardware thread of each of its cores, different for ranks that share a core."""
    n_taken = [0] * machine.n_cores
    os_pus = []
    for cores in cores_of_rank:
        threads = [machine.os_pus(core) for core in cores]
        os_pus.append([own[n_taken[core] % len(own)] for core, own in zip(cores, threads, strict=True)])
        for core in cores:
            n_taken[core] += 1
    return os_pus


def sharing_sentence(placement: Placement) -> str | None:
    """A sentence on ranks that may run on hardware threads of other ranks; None if there are none."""
    masks = zip(placement.node, masks_of(placement), strict=True)
    slots = [[(node, pu) for pu in mask] for node, mask in masks]
    users = Counter(slot for of_rank in slots for slot in of_rank)
    n_sharing = sum(any(users[slot] > 1 for slot in of_rank) for of_rank in slots)
    if n_sharing == 0:
        return None
    return f"{n_sharing} of {placement.n_ranks} ranks may run on hardware threads of other ranks"


class Bound(TypedDict, total=False):
    """Keywords of `run`, `export` and `export_script`: the fields of a BindingRequest."""

    binding: str | None
    processes_per_object: int | None
    share: bool
    omp_places: bool
    membind: bool


@dataclass(frozen=True)
class BindingRequest:
    """How ranks are bound.

    `binding`, one of BINDINGS or "pu", is the width of each rank's mask. Without a placement it binds the
    ranks to the objects in order: `processes_per_object` to each, or those of the command, or one. With
    `share`, each of them has all cores of its object. `omp_places` gives OpenMP threads the cores of their
    rank, `membind` allocates memory on the NUMA domains of these cores. Raises InputError for a wrong value.
    """

    binding: str | None = None
    processes_per_object: int | None = None
    share: bool = False
    omp_places: bool = False
    membind: bool = False

    def __post_init__(self) -> None:
        require_word("binding", self.binding)
        require_number("processes_per_object", self.processes_per_object, 1, MOST_INDEX)
        for name in ("share", "omp_places", "membind"):
            require_flag(name, getattr(self, name))

    @property
    def settings(self) -> tuple[str, ...]:
        """The lines of the binder's file that bind threads and memory (FORMATS.md, "Binder settings")."""
        wanted = {"places cores": self.omp_places, "memory domains": self.membind}
        return tuple(line for line, asked in wanted.items() if asked)

    def placement(
        self,
        given: Any,
        machine: Callable[[Placement | None], Machine],
        n_ranks: int | None = None,
        hosts: Sequence[str] | None = None,
    ) -> Placement:
        """The given placement with the width of `binding`, or the placement that `binding` makes alone.

        `given` is as for placement_like(), or None. `machine` is called with the placement to widen, if there
        is one, for `binding`, a rankfile or a rank order. `n_ranks` is the number in the command, `hosts` are
        the names of the nodes. Warns if ranks may run on cores of other ranks. Raises InputError for options
        that don't go together.
        """
        if given is None:
            return self._bound_to_objects(machine, n_ranks)
        if self.processes_per_object is not None or self.share:
            found = option("share" if self.processes_per_object is None else "processes-per-object")
            raise InputError(f"found {found} and a placement; expected it with {option('binding')} alone")
        placement = placement_like(given, lambda: machine(None), hosts)
        if self.binding is None:
            return placement
        placement = with_width(placement, machine(placement), self.binding)
        if sentence := sharing_sentence(placement):
            warn(f"{option('binding', self.binding)}: {sentence}", Note, stacklevel=2)
        return placement

    def _bound_to_objects(
        self, machine: Callable[[Placement | None], Machine], n_ranks: int | None
    ) -> Placement:
        if self.binding is None:
            raise InputError(f"expected a placement, {option('binding')}, or both")
        if self.binding == PU:
            raise InputError(
                f"{option('binding', PU)} narrows a placement to hardware threads: expected a placement, too"
            )
        on = machine(None)
        if self.processes_per_object is not None:
            n_ranks = self.processes_per_object * len(bound_objects(on, self.binding))
        return binding_file(on, self.binding, n_ranks, self.share).named(option("binding", self.binding))
