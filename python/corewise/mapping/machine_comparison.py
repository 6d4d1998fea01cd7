"""Compares the gain of placement on several machines, each with an input of a fitting number of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corewise import model
from corewise.errors import InputError, option
from corewise.mapping.comparison import compare
from corewise.mapping.default_placement import slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.nouns.advice import Advice
from corewise.nouns.comparison import AdviceOnMachines, Comparison, MachineAdvice
from corewise.profile.inputs import Input


@dataclass(frozen=True)
class MachineInput:
    """A machine (`spec` as the user named it), and the input for it.

    `empty_nodes` is the number of nodes without a rank in block order.
    """

    spec: str
    machine: model.Machine
    found: Input
    empty_nodes: int

    @property
    def n_ranks(self) -> int:
        return self.found.traffic.n_ranks


def compare_machines(
    inputs: Sequence[Input],
    machines: Sequence[tuple[str, model.Machine]],
    request: MappingRequest,
    progress: Callable[[str, int, int], None],
) -> AdviceOnMachines:
    """The advice for each (name, machine), with the largest input that fits it; see _inputs_for().

    `progress(what, n_done, n_all)` is called before each search and after the last one.
    """
    cases = _inputs_for(inputs, machines, request)
    judged: list[tuple[MachineInput, Comparison]] = []
    for case in cases:
        what = f"searching for the best and the worst placement of {case.n_ranks} ranks on {case.spec}"
        progress(what, len(judged), len(cases))
        judged.append((case, _compare(case, request)))
    progress("searching for the best and the worst placements", len(cases), len(cases))
    notes = _notes(judged, [one for one in inputs if not any(one is case.found for case in cases)])
    return AdviceOnMachines([_advice(*of) for of in judged], notes)


def _inputs_for(
    inputs: Sequence[Input],
    machines: Sequence[tuple[str, model.Machine]],
    request: MappingRequest,
) -> list[MachineInput]:
    """The largest input that has a core for each rank, for each (name, machine).

    Raises InputError if two inputs have the same number of ranks or no input fits a machine.
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
    return [_case(by_ranks, spec, machine, request) for spec, machine in machines]


def _compare(case: MachineInput, request: MappingRequest) -> Comparison:
    """The default, the best and the worst placement of one case."""
    slots = slots_in_order(case.found) if case.spec.startswith("local") else None
    return compare(case.found, case.machine, request, slots)


def _advice(case: MachineInput, comparison: Comparison) -> MachineAdvice:
    return MachineAdvice(
        **{name: getattr(comparison, name) for name in Advice.__struct_fields__},
        machine=case.spec,
        n_nodes=case.machine.n_nodes,
        n_cores=case.machine.n_cores,
        input=case.found.name,
        n_ranks=case.n_ranks,
        empty_nodes=case.empty_nodes,
        times_left_out=comparison.times_left_out,
        default_is=comparison.default_is,
    )


def _notes(judged: list[tuple[MachineInput, Comparison]], unused: list[Input]) -> list[str]:
    """Sentences on what the numbers are valid for."""
    notes = [
        f"{case.spec}: {case.n_ranks} ranks leave {case.empty_nodes} of {case.machine.n_nodes} nodes empty "
        "in block order."
        for case, _ in judged
        if case.empty_nodes
    ]
    reasons_left_out = dict.fromkeys(of.times_left_out for _, of in judged if of.times_left_out)
    notes += [f"{text[0].upper()}{text[1:]}." for text in reasons_left_out]
    notes += [f"{found.name}: no machine given is of its size." for found in unused]
    reasons: dict[str, list[str]] = {}
    for case, comparison in judged:
        reasons.setdefault(comparison.because, []).append(case.spec)
    notes += [f"{', '.join(specs)}: {because}." for because, specs in reasons.items()]
    return notes


def _case(
    by_ranks: dict[int, Input], spec: str, machine: model.Machine, request: MappingRequest
) -> MachineInput:
    n_cores = machine.n_cores
    fitting = [n for n in by_ranks if n <= n_cores]
    if not fitting and not request.constraints.oversubscribe:
        raise InputError(
            f"{spec} has {n_cores} cores and the smallest input {min(by_ranks)} ranks; expected a larger "
            f"machine, or {option('oversubscribe')}"
        )
    source = by_ranks[max(fitting, default=min(by_ranks))]
    return MachineInput(spec, machine, source, _empty_nodes(machine, source.traffic.n_ranks))


def _empty_nodes(machine: model.Machine, n_ranks: int) -> int:
    return sum(machine.first_core(node) >= n_ranks for node in range(machine.n_nodes))
