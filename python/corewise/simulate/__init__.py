"""A program's time on a machine that isn't here; one file an engine."""

from __future__ import annotations

from corewise.errors import InputError, did_you_mean
from corewise.simulate.emulate import EMULATE
from corewise.simulate.engine import Engine, Request, Simulation

__all__ = ["ENGINES", "Engine", "Request", "Simulation", "engine_named"]

# Sorted by name.
ENGINES: dict[str, Engine] = {engine.name: engine for engine in (EMULATE,)}


def engine_named(name: str) -> Engine:
    """Raises InputError with the nearest name."""
    if name not in ENGINES:
        raise InputError(
            f"there is no engine '{name}' (there is {', '.join(ENGINES)}){did_you_mean(name, ENGINES)}"
        )
    return ENGINES[name]
