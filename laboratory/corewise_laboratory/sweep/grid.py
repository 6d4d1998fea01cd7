"""The configurations of a sweep, with their commands and environments, and the order of the runs."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import dataclass

from corewise.errors import InputError

from corewise_laboratory.sweep.spec import Axes, Protocol, SweepSpec

# Limits, because all are in memory. A million runs of a second take eleven days.
MOST_CONFIGURATIONS, MOST_RUNS = 100_000, 1_000_000
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Configuration:
    """A point of the grid: a label for each axis, and the resulting command and environment."""

    values: dict[str, str]
    argv: list[str]
    environment: dict[str, str]

    @property
    def label(self) -> str:
        """All labels, such as `policy=pin processes=2`."""
        return " ".join(f"{axis}={label}" for axis, label in self.values.items())


@dataclass(frozen=True)
class PlannedRun:
    """A run of the configuration with this index; `repeat` counts from 0, including warm-ups."""

    configuration: int
    repeat: int
    warmup: bool


def configurations(spec: SweepSpec) -> list[Configuration]:
    """All combinations; the last axis changes fastest.

    Raises InputError for an axis that nothing uses, and for too many combinations or runs.
    """
    n_combinations = math.prod(len(values) for values in spec.axes.values())
    n_runs = n_combinations * (spec.protocol.warmups + spec.protocol.repeats)
    if n_combinations > MOST_CONFIGURATIONS or n_runs > MOST_RUNS:
        raise InputError(
            f"the axes have {n_combinations} combinations and {n_runs} runs; expected at most "
            f"{MOST_CONFIGURATIONS} and {MOST_RUNS}: leave values out, or make several sweeps"
        )
    used = {name for text in [*spec.command, *spec.environment.values()] for name in _PLACE.findall(text)}
    for axis in spec.axes:
        if axis not in used:
            raise InputError(
                f"axis '{axis}' is used nowhere; expected {{{axis}}} in the command or the environment"
            )
    combinations = itertools.product(*spec.axes.values())
    return [_configuration(spec, dict(zip(spec.axes, labels, strict=True))) for labels in combinations]


def _configuration(spec: SweepSpec, values: dict[str, str]) -> Configuration:
    argv = [word for text in spec.command for word in _words(text, spec.axes, values)]
    environment = {name: _joined(text, spec.axes, values) for name, text in spec.environment.items()}
    if not argv or not argv[0]:
        raise InputError("the command is empty; expected a program")
    for name in environment:
        if not name or "=" in name:
            raise InputError(f"the environment has a variable '{name}'; expected a name without '='")
    if any("\0" in text for text in [*argv, *environment, *environment.values()]):
        raise InputError("the command or the environment has a NUL character; expected text without it")
    return Configuration(values, argv, environment)


def _words(text: str, axes: Axes, values: dict[str, str]) -> list[str]:
    """The words for a word of the command; `{axis}` alone can be replaced by any number of words."""
    alone = _PLACE.fullmatch(text)
    if alone and alone[1] in axes:
        return axes[alone[1]][values[alone[1]]]
    return [_joined(text, axes, values)]


def _joined(text: str, axes: Axes, values: dict[str, str]) -> str:
    def value(place: re.Match[str]) -> str:
        axis = place[1]
        if axis not in axes:
            return place[0]
        words = axes[axis][values[axis]]
        if len(words) != 1:
            raise InputError(
                f"'{text}': the value '{values[axis]}' of axis '{axis}' is {len(words)} words; expected "
                f"{{{axis}}} to be alone in the command"
            )
        return words[0]

    return _PLACE.sub(value, text)


def planned_runs(n_configurations: int, protocol: Protocol) -> list[PlannedRun]:
    """All runs in the protocol's order, which is the same for the same seed."""
    rng = random.Random(protocol.seed)
    indices = list(range(n_configurations))
    rounds = range(protocol.warmups + protocol.repeats)
    runs = []
    if protocol.order == "consecutive":
        rng.shuffle(indices)
        runs = [(index, repeat) for index in indices for repeat in rounds]
    else:
        for repeat in rounds:
            rng.shuffle(indices)
            runs += [(index, repeat) for index in indices]
    return [PlannedRun(index, repeat, repeat < protocol.warmups) for index, repeat in runs]
