"""Reads SPEC.toml, a sweep's specification: axes, command, measured value, and repeats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from corewise.errors import InputError, did_you_mean
from corewise.plugin.documents import Noun, Table, check_format, read_toml
from corewise.plugin.execution import Source
from msgspec import Meta

FORMAT, VERSION = "corewise-sweep", 1
Axes = dict[str, dict[str, list[str]]]


class Protocol(Noun, frozen=True):
    """The number and order of runs of each configuration, and the estimate from its repeats.

    Order "interleaved": each round runs all configurations in a new random order, so that slow changes of the
    machine affect all equally. "consecutive": all runs of a configuration in sequence; configurations in
    random order. The first `warmups` runs of each don't count.
    """

    repeats: Annotated[int, Meta(ge=1)] = 5
    warmups: Annotated[int, Meta(ge=0)] = 1
    order: Literal["interleaved", "consecutive"] = "interleaved"
    estimate: Literal["median", "mean"] = "median"
    seed: Annotated[int, Meta(ge=0)] = 1
    timeout_s: Annotated[float, Meta(gt=0, le=1e9)] = 600.0


class Measure(Noun, frozen=True):
    """The measured value of a run: its wall time, or a number in its output.

    The number is in the CSV column `column` on standard output, or is the only group of `regex`. `unit` is
    for people.
    """

    column: str | None = None
    regex: str | None = None
    unit: str = "s"
    better: Literal["lower", "higher"] = "lower"


@dataclass(frozen=True)
class SweepSpec:
    """The specification of a sweep.

    `axes` has, by axis and label, the words for the command (usually only the label itself). Only
    configurations with the same label of the axis `group_by` are compared. `source`: how times are obtained.
    """

    name: str
    command: list[str]
    axes: Axes
    environment: dict[str, str] = field(default_factory=dict)
    group_by: str | None = None
    measure: Measure = Measure()
    protocol: Protocol = Protocol()
    source: Source = "measured"


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
        measure=read_measure(top.table("measure", {})),
        protocol=read_protocol(top.table("runs", {})),
    )


def read_measure(table: Table) -> Measure:
    """Reads the table [measure]; raises InputError with the wrong key."""
    table.refuse_others(Measure.__struct_fields__)
    measure = Measure.from_table(table)
    if measure.column and measure.regex:
        raise InputError("measure has a column and a regex; expected one of them", path=table.path)
    if measure.regex is not None:
        try:
            n_groups = re.compile(measure.regex).groups
        except re.error as error:
            raise table.error("regex", measure.regex, f"a regular expression ({error})") from error
        if n_groups != 1:
            raise table.error("regex", measure.regex, "one group (...) around the number")
    return measure


def read_protocol(table: Table) -> Protocol:
    """Reads the table [runs]; raises InputError with the wrong key."""
    table.refuse_others(Protocol.__struct_fields__)
    return Protocol.from_table(table)


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
