"""Compares the gain of placement on several machines, each with an input of a fitting number of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corewise import model
from corewise.errors import InputError, option
from corewise.mapping.comparison import compare
from corewise.mapping.default_placement import slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.nouns.comparison import Comparison
from corewise.profile.inputs import Input
from corewise.profile.scaling import scaled


@dataclass(frozen=True)
class MachineInput:
    """A machine (`spec` as the user named it), and the traffic for it.

    `found` is `source`, or `source` scaled by the known pattern `form` (else None). `empty_nodes` is the
    number of nodes without a rank in block order.
    """

    spec: str
    machine: model.Machine
    found: Input
    source: Input
    form: str | None
    empty_nodes: int

    @property
    def n_ranks(self) -> int:
        return self.found.traffic.n_ranks


def inputs_for(
    inputs: Sequence[Input],
    machines: Sequence[tuple[str, model.Machine]],
    request: MappingRequest,
    extrapolate: bool,
) -> list[MachineInput]:
    """The largest input that has a core for each rank, for each (name, machine).

    With `extrapolate`, if whole nodes would stay empty, the input is scaled to a rank for each core. Raises
    InputError if two inputs have the same number of ranks or no input fits a machine, and as scaled() does.
    """
    by_ranks: dict[int, Input] = {}
    for found in inputs:
        n_ranks = found.traffic.n_ranks
        if n_ranks in by_ranks:
            raise InputError(
                f"{by_ranks[n_ranks].name} and {found.name} both have {n_ranks} ranks; expected one input of "
                "each number of ranks, all of the same program"
            )
        by_ranks[n_ranks] = found
    return [_case(by_ranks, spec, machine, request, extrapolate) for spec, machine in machines]


def compare_on(case: MachineInput, request: MappingRequest) -> Comparison:
    """The default, the best and the worst placement of one case."""
    slots = slots_in_order(case.found) if case.spec.startswith("local") else None
    return compare(case.found, case.machine, request, slots)


def unused(inputs: Sequence[Input], cases: Sequence[MachineInput]) -> list[Input]:
    """The inputs that no machine uses."""
    used = [case.source for case in cases]
    return [found for found in inputs if not any(found is other for other in used)]


def _case(
    by_ranks: dict[int, Input], spec: str, machine: model.Machine, request: MappingRequest, extrapolate: bool
) -> MachineInput:
    n_cores = machine.n_cores
    fitting = [n for n in by_ranks if n <= n_cores]
    if not fitting and not request.constraints.oversubscribe:
        raise InputError(
            f"{spec} has {n_cores} cores and the smallest input {min(by_ranks)} ranks; expected a larger "
            f"machine, or {option('oversubscribe')}"
        )
    source = by_ranks[max(fitting, default=min(by_ranks))]
    n_ranks = source.traffic.n_ranks
    empty = _empty_nodes(machine, n_ranks)
    if not extrapolate or not empty:
        return MachineInput(spec, machine, source, source, None, empty)
    found, form = scaled(list(by_ranks.values()), n_cores)
    return MachineInput(spec, machine, found, max(by_ranks.items())[1], form, 0)


def _empty_nodes(machine: model.Machine, n_ranks: int) -> int:
    return sum(machine.first_core(node) >= n_ranks for node in range(machine.n_nodes))
