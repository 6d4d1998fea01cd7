"""The prediction for an input on a machine, as a TuneResult without runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone

from corewise.mapping.comparison import compare
from corewise.mapping.default_placement import slots_in_order
from corewise.mapping.request import MappingRequest
from corewise.model import Machine, Traffic, link_loads
from corewise.nouns.comparison import ScoredPlacement
from corewise.nouns.run import Run
from corewise.nouns.tune_result import Candidate, ProfileState, TuneResult
from corewise.profile.inputs import Input
from corewise.profile.tables import kept_summary


def predicted(found: Input, machine: Machine, request: MappingRequest, command: Sequence[str]) -> TuneResult:
    """The default, best and worst placement of the ranks of `found` on `machine`, by the model alone.

    `command` is the command that asked for it. Raises InputError and MissingError as compare() does.
    """
    slots = slots_in_order(found) if machine.name.startswith("local") else None
    comparison = compare(found, machine, request, slots)
    return TuneResult(
        command=list(command),
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        machine=machine,
        profile=ProfileState(found.complete, list(found.faults)),
        traffic=found.traffic,
        advice=comparison.advice,
        objective=comparison.objective,
        candidates=candidates(found.traffic, machine, comparison.placements, {}),
        gain=None,
        notes=comparison.notes,
        conditions={
            "mapping": f"{request.solver} for {comparison.objective}, effort {request.effort}, "
            f"seed {request.seed}"
        },
        summary=kept_summary(found),
        read_from=found.name,
    )


def candidates(
    traffic: Traffic, machine: Machine, scored: Mapping[str, ScoredPlacement], runs: Mapping[str, list[Run]]
) -> list[Candidate]:
    """The compared placements with their link loads; `scored` and `runs` are indexed by label."""
    return [
        Candidate(
            label=label,
            placement=one.placement,
            scores=one.scores,
            link_bytes=[level.tolist() for level in link_loads(traffic, machine, one.placement.on(machine))],
            runs=runs.get(label, []),
        )
        for label, one in scored.items()
    ]
