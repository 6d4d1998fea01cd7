"""Time models for an input with a placement on a machine, by name: the value of `engine` in a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise import Input, model

from corewise_laboratory.studies.simulated_times import simulated_s


@dataclass(frozen=True)
class TimeModel:
    """`time_s` returns the time of an input with a placement, None if unknown; `because` is its basis."""

    source: str
    because: str
    time_s: Callable[[Input, model.Machine, model.Assignment], float | None]


def _objective_time_s(found: Input, machine: model.Machine, placement: model.Assignment) -> float:
    return model.evaluate("time", found.traffic, machine, placement)[0]


def _estimate_s(found: Input, machine: model.Machine, placement: model.Assignment) -> float:
    return model.estimate(found.traffic, machine, placement).makespan_s


# Sorted by name.
TIME_MODELS: dict[str, TimeModel] = {
    "estimate": TimeModel(
        "computed",
        "computed by the engine estimate, phase by phase, from the machine file",
        _estimate_s,
    ),
    "smpi": TimeModel(
        "simulated",
        "simulated by SimGrid's SMPI, message by message or by a replay of events, from the machine file",
        simulated_s,
    ),
    "time": TimeModel(
        "computed",
        "computed by the objective time from the machine file's latencies and bandwidths",
        _objective_time_s,
    ),
}
