"""Finds the measured value of a run in the command's output."""

from __future__ import annotations

import csv
import math
import re

from corewise.errors import InputError

from corewise_laboratory.sweep.spec import Measure


def measured_value(measure: Measure, wall_s: float, output: str, messages: str) -> float:
    """The wall time, or the number that the measure finds in the output.

    A column must be on standard output; a regex may match there or on standard error (`messages`). Raises
    InputError for no value, several values, or no finite number.
    """
    if measure.column is not None:
        return _only_number(_column(measure.column, output), f"column '{measure.column}'")
    if measure.regex is not None:
        found = [match[1] for match in re.finditer(measure.regex, f"{output}\n{messages}", re.MULTILINE)]
        return _only_number(found, f"regex '{measure.regex}'")
    return wall_s


def _only_number(texts: list[str], where: str) -> float:
    if len(texts) != 1:
        raise InputError(f"found {len(texts)} values of {where}; expected one")
    try:
        value = float(texts[0])
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"found {texts[0]!r:.60} at {where}; expected a number")
    return value


def _column(name: str, output: str) -> list[str]:
    """Values below the first line with the column's name, until the number of cells changes."""
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(output.splitlines())]
    except csv.Error as error:
        raise InputError(f"the output is no CSV ({error}); expected column '{name}'") from error
    for at, heads in enumerate(rows):
        if name in heads:
            below = []
            for row in rows[at + 1 :]:
                if len(row) != len(heads):
                    break
                below.append(row[heads.index(name)])
            return below
    return []
