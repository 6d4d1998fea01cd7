"""The configurations of a sweep, with their commands and environments, and the order of the runs."""

from __future__ import annotations

import itertools
import math
import random
import string
from collections.abc import Iterator
from dataclasses import dataclass

from corewise.errors import InputError, did_you_mean

from corewise_laboratory.sweep.spec import Protocol, SweepSpec

# Limits, because all are in memory. A million runs of a second take eleven days.
MOST_CONFIGURATIONS, MOST_RUNS = 100_000, 1_000_000


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
    """All combinations that are not excluded; the last axis changes fastest.

    Raises InputError for a {name} that is no axis, for an unused axis, without any configuration, and for too
    many combinations or runs.
    """
    _check_size(spec)
    templates = [*spec.command, *spec.environment.values()]
    used = {name for text in templates for _, name in _pieces(text, spec) if name is not None}
    unused = [axis for axis in spec.axes if axis not in used]
    if unused:
        raise InputError(
            f"axis '{unused[0]}' is used nowhere; expected {{{unused[0]}}} in the command or the environment"
        )
    found = []
    for labels in itertools.product(*spec.axes.values()):
        values = dict(zip(spec.axes, labels, strict=True))
        if not any(excluded.items() <= values.items() for excluded in spec.exclude):
            found.append(_configuration(spec, values))
    if not found:
        raise InputError("every configuration is excluded; expected at least one that is left")
    return found


def _check_size(spec: SweepSpec) -> None:
    """Called before combinations are created: a few axes of a hundred values have millions."""
    n_combinations = math.prod(len(values) for values in spec.axes.values())
    n_runs = n_combinations * (spec.protocol.warmups + spec.protocol.repeats)
    if n_combinations > MOST_CONFIGURATIONS or n_runs > MOST_RUNS:
        raise InputError(
            f"the axes have {n_combinations} combinations and {n_runs} runs; expected at most "
            f"{MOST_CONFIGURATIONS} and {MOST_RUNS}: leave values out, or make several sweeps"
        )


def _configuration(spec: SweepSpec, values: dict[str, str]) -> Configuration:
    argv = [token for text in spec.command for token in _tokens(text, spec, values)]
    if not argv or not argv[0]:
        raise InputError("the command is empty; expected a program")
    environment = {name: _joined(text, spec, values) for name, text in spec.environment.items()}
    for name in environment:
        if not name or "=" in name:
            raise InputError(f"the environment has a variable '{name}'; expected a name without '='")
    if any("\0" in text for text in [*argv, *environment, *environment.values()]):
        raise InputError("the command or the environment has a NUL character; expected text without it")
    return Configuration(values, argv, environment)


def _tokens(text: str, spec: SweepSpec, values: dict[str, str]) -> list[str]:
    """The tokens for a word of the command; `{axis}` alone can be replaced by any number of tokens."""
    pieces = list(_pieces(text, spec))
    if len(pieces) == 1 and pieces[0][0] == "" and pieces[0][1] is not None:
        axis = pieces[0][1]
        return spec.axes[axis][values[axis]]
    return [_joined(text, spec, values)]


def _joined(text: str, spec: SweepSpec, values: dict[str, str]) -> str:
    parts = []
    for literal, axis in _pieces(text, spec):
        parts.append(literal)
        if axis is None:
            continue
        tokens = spec.axes[axis][values[axis]]
        if len(tokens) != 1:
            raise InputError(
                f"'{text}': the value '{values[axis]}' of axis '{axis}' is {len(tokens)} words; expected "
                f"{{{axis}}} to be alone in the command"
            )
        parts.append(tokens[0])
    return "".join(parts)


def _pieces(text: str, spec: SweepSpec) -> Iterator[tuple[str, str | None]]:
    """Pairs of literal text and the axis after it, or None; `{{` and `}}` are literal braces."""
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as error:
        raise InputError(f"'{text}': {error}; expected {{axis}}, and {{{{ or }}}} for a brace") from error
    for literal, axis, format_spec, conversion in parsed:
        if axis is not None and (axis not in spec.axes or format_spec or conversion):
            near = did_you_mean(axis, spec.axes)
            raise InputError(
                f"'{text}': {{{axis}}} is no axis (axes: {', '.join(spec.axes) or 'none'}){near}; "
                "a brace that is meant as one is written twice"
            )
        yield literal, axis


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
