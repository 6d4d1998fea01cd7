"""Time models: the time of traffic under a placement on a machine; `engine` of a study names one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise import model

from corewise_laboratory.studies.simulated_times import simulated_s


@dataclass(frozen=True)
class TimeModel:
    """`time_s` is the time that the traffic takes under a placement, None if it is not known; `because`
    says what it rests on."""

    source: str
    because: str
    time_s: Callable[[model.Traffic, model.Machine, model.Placement], float | None]


def _objective_time_s(traffic: model.Traffic, machine: model.Machine, placement: model.Placement) -> float:
    return model.evaluate("time", traffic, machine, placement)[0]


def _estimate_s(traffic: model.Traffic, machine: model.Machine, placement: model.Placement) -> float:
    return model.estimate(traffic, machine, placement).makespan_s


# Sorted by name.
TIME_MODELS: dict[str, TimeModel] = {
    "estimate": TimeModel(
        "computed",
        "computed by the engine estimate, phase by phase, from the machine file",
        _estimate_s,
    ),
    "smpi": TimeModel(
        "simulated",
        "simulated by SimGrid's SMPI, message by message, from the machine file",
        simulated_s,
    ),
    "time": TimeModel(
        "computed",
        "computed by the objective time from the machine file's latencies and bandwidths",
        _objective_time_s,
    ),
}
