"""What `--binding` and related options ask for: the width of masks, and the binding of threads and memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict
from warnings import warn

from corewise.errors import InputError, Note, option, require_flag, require_number, require_word
from corewise.files.table import MOST_INDEX
from corewise.mapping.binding_width import PU, sharing_sentence, with_width
from corewise.mapping.placement_input import placement_like
from corewise.mapping.process_binding import binding_file, bound_objects
from corewise.model import Machine
from corewise.nouns.placement import Placement


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
