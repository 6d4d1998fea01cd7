"""Compares the gain of placement on several machines, each with an input of a fitting number of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corewise import model
from corewise.errors import InputError, option
from corewise.mapping.comparison import compare
from corewise.mapping.default_placement import slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.nouns.advice import Advice
from corewise.nouns.comparison import AdviceOnMachines, Comparison, MachineAdvice
from corewise.profile.inputs import Input


def compare_machines(
    inputs: Sequence[Input],
    machines: Sequence[tuple[str, model.Machine]],
    request: MappingRequest,
    progress: Callable[[str, int, int], None],
) -> AdviceOnMachines:
    """The advice for each (name, machine), with the largest input that has a core for each rank.

    `progress(what, n_done, n_all)` is called before each search and after the last one. Raises InputError if
    two inputs have the same number of ranks or no input fits a machine.
    """
    by_ranks = _by_ranks(inputs)
    inputs_of = [_fitting(by_ranks, spec, machine, request) for spec, machine in machines]
    cases: list[MachineAdvice] = []
    for (spec, machine), found in zip(machines, inputs_of, strict=True):
        what = f"searching for the best and the worst placement of {found.traffic.n_ranks} ranks on {spec}"
        progress(what, len(cases), len(machines))
        slots = slots_in_order(found) if spec.startswith("local") else None
        cases.append(_advice(spec, machine, found, compare(found, machine, request, slots)))
    progress("searching for the best and the worst placements", len(cases), len(cases))
    unused = [one.name for one in inputs if not any(one is found for found in inputs_of)]
    return AdviceOnMachines(cases, _notes(cases, unused))


def _by_ranks(inputs: Sequence[Input]) -> dict[int, Input]:
    by_ranks: dict[int, Input] = {}
    for found in inputs:
        n_ranks = found.traffic.n_ranks
        if n_ranks in by_ranks:
            raise InputError(
                f"{by_ranks[n_ranks].name} and {found.name} both have {n_ranks} ranks; expected one input of "
                "each number of ranks, all of the same program"
            )
        by_ranks[n_ranks] = found
    return by_ranks


def _fitting(by_ranks: dict[int, Input], spec: str, machine: model.Machine, request: MappingRequest) -> Input:
    fitting = [n for n in by_ranks if n <= machine.n_cores]
    if not fitting and not request.constraints.oversubscribe:
        raise InputError(
            f"{spec} has {machine.n_cores} cores and the smallest input {min(by_ranks)} ranks; expected a "
            f"larger machine, or {option('oversubscribe')}"
        )
    return by_ranks[max(fitting, default=min(by_ranks))]


def _advice(spec: str, machine: model.Machine, found: Input, comparison: Comparison) -> MachineAdvice:
    n_ranks = found.traffic.n_ranks
    return MachineAdvice(
        **{name: getattr(comparison, name) for name in Advice.__struct_fields__},
        machine=spec,
        n_nodes=machine.n_nodes,
        n_cores=machine.n_cores,
        input=found.name,
        n_ranks=n_ranks,
        empty_nodes=sum(machine.first_core(node) >= n_ranks for node in range(machine.n_nodes)),
        times_left_out=comparison.times_left_out,
        default_is=comparison.default_is,
    )


def _notes(cases: list[MachineAdvice], unused: list[str]) -> list[str]:
    """Sentences on what the numbers are valid for."""
    notes = [
        f"{case.machine}: {case.n_ranks} ranks leave {case.empty_nodes} of {case.n_nodes} nodes empty in "
        "block order."
        for case in cases
        if case.empty_nodes
    ]
    reasons_left_out = dict.fromkeys(case.times_left_out for case in cases if case.times_left_out)
    notes += [f"{text[0].upper()}{text[1:]}." for text in reasons_left_out]
    notes += [f"{name}: no machine given is of its size." for name in unused]
    reasons: dict[str, list[str]] = {}
    for case in cases:
        reasons.setdefault(case.because, []).append(case.machine)
    return notes + [f"{', '.join(specs)}: {because}." for because, specs in reasons.items()]
