"""What if: the gain of a good placement on several machines, each with the traffic that fits it."""

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
    """A machine, as the user named it, with the traffic for it.

    `form` names the known pattern where the traffic was scaled from `source`, the input that it goes back to;
    else None. `empty_nodes` is how many nodes block order leaves without a rank.
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
    """One case for each machine (with what the user called it): the most ranks that it has cores for.

    With `extrapolate`, a machine of which whole nodes would stay empty gets a known pattern at as many ranks
    as it has cores. Raises InputError for two inputs of equally many ranks, a machine that has room for none,
    and as scaled() does.
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
    """The default, the best and the worst placement of a case, as `corewise advise` of it alone."""
    slots = slots_in_order(case.found) if case.spec.startswith("local") else None
    return compare(case.found, case.machine, request, slots)


def unused(inputs: Sequence[Input], cases: Sequence[MachineInput]) -> list[Input]:
    """Inputs that no machine got."""
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
