"""Predicts a program's time on a machine that isn't here; one file for each engine."""

from __future__ import annotations

from corewise.errors import InputError, did_you_mean, option
from corewise.simulation.emulate import EMULATE
from corewise.simulation.engine import Engine, Recorded, Simulation, SimulationRequest, Subject
from corewise.simulation.estimate import ESTIMATE
from corewise.simulation.smpi import SMPI

__all__ = ["ENGINES", "Engine", "Recorded", "SimulationRequest", "Simulation", "engine_for", "engine_named"]

# Sorted by name.
ENGINES: dict[str, Engine] = {engine.name: engine for engine in (EMULATE, ESTIMATE, SMPI)}


def engine_named(name: str) -> Engine:
    """The engine of that name; raises InputError with the nearest name if there is none."""
    if name not in ENGINES:
        raise InputError(
            f"unknown engine '{name}' (known: {', '.join(ENGINES)}){did_you_mean(name, ENGINES)}"
        )
    return ENGINES[name]


def engine_for(subject: Subject, name: str | None) -> Engine:
    """The engine of that name, or the first that takes the subject; raises InputError if there is none."""
    able = [engine for engine in ENGINES.values() if subject in engine.takes]
    if name is None and able:
        return able[0]
    engine = engine_named(name) if name else next(iter(ENGINES.values()))
    if subject in engine.takes:
        return engine
    takes = " or ".join(_a(one) for one in engine.takes)
    ways = [f"take {option('engine', other.name)}" for other in able]
    if subject == "counted profile" and "events profile" in engine.takes:
        ways.append("record events (corewise trace --mode events)")
    instead = f": {' or '.join(ways)}" if ways else ""
    raise InputError(f"the engine {engine.name} takes {takes}; found {_a(subject)}{instead}")


def _a(subject: Subject) -> str:
    return f"an {subject}" if subject[0] in "aeiou" else f"a {subject}"
