"""Reads SPEC.toml, a sweep's specification: axes, command, measured value, and repeats."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corewise.errors import InputError, did_you_mean
from corewise.plugin.documents import Table, check_format, read_toml
from corewise.plugin.execution import Source

from corewise_laboratory.sweep.figure_spec import Axes, Bars, Scatter, check_axis, check_label, read_figures

FORMAT, VERSION = "corewise-sweep", 1
ORDERS = ("interleaved", "consecutive")
ESTIMATES = ("median", "mean")

_KEYS = (
    *("format", "version", "name", "command", "environment", "axes", "exclude", "group_by"),
    *("measure", "runs", "figures"),
)


@dataclass(frozen=True)
class Protocol:
    """The number and order of runs of each configuration, and the estimate from its repeats.

    Order "interleaved": each round runs all configurations in a new random order, so that slow changes of the
    machine affect all equally. "consecutive": all runs of a configuration in sequence; configurations in
    random order. The first `warmups` runs of each don't count.
    """

    repeats: int = 5
    warmups: int = 1
    order: str = "interleaved"
    estimate: str = "median"
    seed: int = 1
    timeout_s: float = 600.0


# Di Dio Lavore et al., PEARC 2024, section 3: "the average execution time from 13 consecutive runs,
# accounting for the first three as warm-up".
PROTOCOLS = {"lavore": {"repeats": 10, "warmups": 3, "order": "consecutive", "estimate": "mean"}}


@dataclass(frozen=True)
class Measure:
    """The measured value of a run: its wall time, or a number in its output.

    The number is in the CSV column `column` on standard output, or is the only group of `regex`. `unit` is
    for people.
    """

    column: str | None = None
    regex: str | None = None
    unit: str = "s"
    better: str = "lower"


@dataclass(frozen=True)
class SweepSpec:
    """The specification of a sweep.

    `axes` has, by axis and label, the tokens for the command (usually only the label itself). `exclude` are
    combinations of labels to leave out. Only configurations with the same label of the axis `group_by` are
    compared. `source` is how times are obtained.
    """

    name: str
    command: list[str]
    axes: Axes
    environment: dict[str, str] = field(default_factory=dict)
    exclude: list[dict[str, str]] = field(default_factory=list)
    group_by: str | None = None
    measure: Measure = Measure()
    protocol: Protocol = Protocol()
    figures: list[Bars | Scatter] = field(default_factory=list)
    source: Source = "measured"


def read_spec(path: Path) -> SweepSpec:
    """Reads a specification; raises InputError with the wrong key."""
    top = read_toml(path, "a sweep's specification")
    check_format(top, FORMAT, VERSION)
    top.refuse_others(_KEYS)
    axes = _axes(top.table("axes", {}))
    environment = top.table("environment", {})
    return SweepSpec(
        name=top.get("name", str, path.stem),
        command=_command(top),
        axes=axes,
        environment={name: _text(environment, name) for name in environment.values},
        exclude=[_combination(table, axes) for table in top.tables("exclude", [])],
        group_by=check_axis(top, "group_by", axes) if "group_by" in top.values else None,
        measure=read_measure(top.table("measure", {})),
        protocol=read_protocol(top.table("runs", {})),
        figures=read_figures(top.tables("figures", []), axes),
    )


def _command(top: Table) -> list[str]:
    command = top.texts("command")
    if not command:
        raise top.error("command", command, "the program and its arguments")
    return command


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
        doubled = [label for label, count in Counter(labels).items() if count > 1]
        if doubled:
            raise table.error(name, values, f"different values, not '{doubled[0]}' twice")
        return {label: [label] for label in labels}
    labelled = table.table(name)
    return {
        label: labelled.texts(label) if isinstance(value, list) else [_scalar(labelled, label, value)]
        for label, value in values.items()
    }


def _text(table: Table, key: str) -> str:
    return _scalar(table, key, table.values[key])


def _scalar(table: Table, key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.error(key, value, "a text or a number")
    return str(value)


def _combination(table: Table, axes: Axes) -> dict[str, str]:
    table.refuse_others(axes)
    return {name: check_label(table, name, axes[name]) for name in table.values}


def read_measure(table: Table) -> Measure:
    """Reads the table [measure]; raises InputError with the wrong key."""
    table.refuse_others(("column", "regex", "unit", "better"))
    column, regex = table.get("column", str, "") or None, table.get("regex", str, "") or None
    if column and regex:
        raise InputError("measure has a column and a regex; expected one of them", path=table.path)
    if regex is not None:
        _check_regex(table, regex)
    better = table.get("better", str, "lower")
    if better not in ("lower", "higher"):
        raise table.error("better", better, "lower or higher")
    return Measure(column, regex, table.get("unit", str, "s"), better)


def _check_regex(table: Table, regex: str) -> None:
    try:
        n_groups = re.compile(regex).groups
    except re.error as error:
        raise table.error("regex", regex, f"a regular expression ({error})") from error
    if n_groups != 1:
        raise table.error("regex", regex, "one group (...) around the number")


def read_protocol(table: Table) -> Protocol:
    """Reads the table [runs]; raises InputError with the wrong key."""
    keys = ("repeats", "warmups", "order", "estimate", "seed", "timeout_s", "protocol")
    table.refuse_others(keys)
    given = dict(table.values)
    settings = _named_protocol(table, given.pop("protocol")) if "protocol" in given else {}
    for key in given:
        if key in settings:
            raise InputError(
                f"{table.where}{key} is set by the protocol already; leave one out", path=table.path
            )
    for key, least in (("repeats", 1), ("warmups", 0), ("seed", 0)):
        if key in given and table.get(key, int) < least:
            raise table.error(key, given[key], f"a whole number of {least} or more")
    for key, names in (("order", ORDERS), ("estimate", ESTIMATES)):
        if key in given and table.get(key, str) not in names:
            raise table.error(key, given[key], f"{' or '.join(names)}{did_you_mean(given[key], names)}")
    if "timeout_s" in given:
        given["timeout_s"] = table.number("timeout_s")
        if given["timeout_s"] <= 0:
            raise table.error("timeout_s", given["timeout_s"], "seconds above 0")
    return Protocol(**(settings | given))


def _named_protocol(table: Table, name: object) -> dict[str, Any]:
    if name not in PROTOCOLS:
        near = did_you_mean(str(name), PROTOCOLS)
        raise table.error("protocol", name, f"one of {', '.join(PROTOCOLS)}{near}")
    return PROTOCOLS[name]
