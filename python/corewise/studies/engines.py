"""Engines of placed runs: a time from traffic, a machine and a placement; a study names one by its word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise import model
from corewise.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Engine:
    """`time_s` is the time that the traffic takes under a placement; `because` says what it rests on."""

    source: str
    because: str
    time_s: Callable[[model.Traffic, model.Machine, model.Placement], float]


def _objective_time_s(traffic: model.Traffic, machine: model.Machine, placement: model.Placement) -> float:
    return model.evaluate("time", traffic, machine, placement)[0]


# Sorted by name.
ENGINES: dict[str, Engine] = {
    "time": Engine(
        "computed",
        "computed by the objective time from the machine file's latencies and bandwidths",
        _objective_time_s,
    ),
}


def engine_named(name: str) -> Engine:
    """Raises InputError with the nearest name."""
    if name not in ENGINES:
        near = did_you_mean(name, ENGINES)
        raise InputError(f"there is no engine '{name}' (there are {', '.join(ENGINES)}){near}")
    return ENGINES[name]
