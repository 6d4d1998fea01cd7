"""SPEC.toml, the specification of a sweep: its configurations, and the order of their runs."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from corewise.errors import InputError, did_you_mean
from corewise.files.document import read_toml
from corewise.files.table import Table, check_format
from corewise.nouns.codec import Noun
from msgspec import Meta

FORMAT, VERSION = "corewise-sweep", 1
Axes = dict[str, dict[str, list[str]]]
# Limits, because all are in memory. A million runs of a second take eleven days.
MOST_CONFIGURATIONS, MOST_RUNS = 100_000, 1_000_000
_PLACE = re.compile(r"\{(\w+)\}")
_Read = TypeVar("_Read", bound=Noun)


class Protocol(Noun, frozen=True):
    """The runs of each configuration, of which the first `warmups` don't count.

    Each round runs all configurations in a new random order, so that slow changes of the machine affect all
    equally.
    """

    repeats: Annotated[int, Meta(ge=1)] = 5
    warmups: Annotated[int, Meta(ge=0)] = 1
    seed: Annotated[int, Meta(ge=0)] = 1
    timeout_s: Annotated[float, Meta(gt=0, le=1e9)] = 600.0


class Measure(Noun, frozen=True):
    """The measured value of a run: its wall time, or the only group of `regex` in its output.

    `unit` is for people.
    """

    regex: str | None = None
    unit: str = "s"
    better: Literal["lower", "higher"] = "lower"


@dataclass(frozen=True)
class SweepSpec:
    """The specification of a sweep.

    `axes` has, by axis and label, the words for the command (usually only the label itself). Only
    configurations with the same label of the axis `group_by` are compared.
    """

    name: str
    command: list[str]
    axes: Axes
    environment: dict[str, str] = field(default_factory=dict)
    group_by: str | None = None
    measure: Measure = Measure()
    protocol: Protocol = Protocol()


def read_spec(path: Path) -> SweepSpec:
    """Reads a specification; raises InputError with the wrong key."""
    top = read_toml(path, "a sweep's specification")
    check_format(top, FORMAT, VERSION)
    top.refuse_others(
        ("format", "version", "name", "command", "environment", "axes", "group_by", "measure", "runs")
    )
    command = top.texts("command")
    if not command:
        raise top.error("command", command, "the program and its arguments")
    axes = _axes(top.table("axes", {}))
    environment = top.table("environment", {})
    group_by = top.get("group_by", str) if top.holds("group_by") else None
    if group_by is not None and group_by not in axes:
        raise top.error("group_by", group_by, f"an axis{did_you_mean(group_by, axes)}")
    return SweepSpec(
        name=top.get("name", str, path.stem),
        command=command,
        axes=axes,
        environment={name: _scalar(environment, name, text) for name, text in environment.values.items()},
        group_by=group_by,
        measure=_measure(top.table("measure", {})),
        protocol=_read(Protocol, top.table("runs", {})),
    )


def _read(noun: type[_Read], table: Table) -> _Read:
    """Reads a whole table; raises InputError with the wrong key."""
    table.refuse_others(noun.__struct_fields__)
    return noun.from_table(table)


def _measure(table: Table) -> Measure:
    measure = _read(Measure, table)
    if measure.regex is not None:
        try:
            n_groups = re.compile(measure.regex).groups
        except re.error as error:
            raise table.error("regex", measure.regex, f"a regular expression ({error})") from error
        if n_groups != 1:
            raise table.error("regex", measure.regex, "one group (...) around the number")
    return measure


def _axes(table: Table) -> Axes:
    for name, value in table.values.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise table.error(name, value, "an axis whose name has letters, digits and _ only")
        if not isinstance(value, list | dict) or not value:
            raise table.error(name, value, "a list of values, or a table from labels to values")
    return {name: _values(table, name, value) for name, value in table.values.items()}


def _values(table: Table, name: str, values: list[Any] | dict[str, Any]) -> dict[str, list[str]]:
    if isinstance(values, list):
        labels = [_scalar(table, name, value) for value in values]
        if len(set(labels)) < len(labels):
            raise table.error(name, values, "different values")
        return {label: [label] for label in labels}
    labelled = table.table(name)
    return {
        label: labelled.texts(label) if isinstance(value, list) else [_scalar(labelled, label, value)]
        for label, value in values.items()
    }


def _scalar(table: Table, key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.error(key, value, "a text or a number")
    return str(value)


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
    """All runs in their order, which is the same for the same seed."""
    rng = random.Random(protocol.seed)
    indices = list(range(n_configurations))
    runs = []
    for repeat in range(protocol.warmups + protocol.repeats):
        rng.shuffle(indices)
        runs += [PlannedRun(index, repeat, repeat < protocol.warmups) for index in indices]
    return runs
