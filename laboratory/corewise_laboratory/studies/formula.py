"""Formulas in a study's file: expressions in Python's syntax over columns of result rows."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from corewise.errors import InputError, did_you_mean

from corewise_laboratory.studies.rows import ResultRow, matching

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class MissingValue(Exception):
    """A row or number in a formula is missing, so that the claim can't be decided."""


def _spearman(left: np.ndarray, right: np.ndarray) -> float:
    """Spearman's rank correlation; equal values get the mean of their ranks."""
    ranks = np.array([_mean_ranks(values) for values in (left, right)])
    if (np.ptp(ranks, axis=1) == 0).any():
        raise MissingValue("all values are equal")
    return float(np.corrcoef(ranks)[0, 1])


def _mean_ranks(values: np.ndarray) -> np.ndarray:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def _least_wrong(ratios: Any, impacts: Any, below: float, at_least: float) -> float:
    """The fraction of cases that the best threshold on `ratios` classifies wrong.

    Expected is an impact of at least `at_least` up to the threshold, and below `below` above it. Cases with
    an impact between both are left out.
    """
    ratios, impacts = np.atleast_1d(ratios), np.atleast_1d(impacts)
    decided = (impacts < below) | (impacts >= at_least)
    ratios, matters = ratios[decided], impacts[decided] >= at_least
    if not len(ratios):
        raise MissingValue("no case is decided")
    thresholds = [-np.inf, *ratios]
    return float(min(np.mean((ratios <= threshold) != matters) for threshold in thresholds))


# Functions of columns, which are arrays of numbers in the order of the rows. Sorted by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "first": lambda values: np.atleast_1d(values)[0],
    "last": lambda values: np.atleast_1d(values)[-1],
    "least_wrong": _least_wrong,
    "max": lambda *values: np.max(np.hstack(values)),
    "mean": np.mean,
    "median": np.median,
    "min": lambda *values: np.min(np.hstack(values)),
    "spearman": _spearman,
    "sum": np.sum,
}


def _count(rows: list[ResultRow], **labels: Any) -> int:
    return len(matching(rows, _wanted(labels)))


def _label_of_max(rows: list[ResultRow], axis: str, column: str) -> str:
    return max(rows, key=lambda row: _number(row, column)).labels[axis]


def _label_of_min(rows: list[ResultRow], axis: str, column: str) -> str:
    return min(rows, key=lambda row: _number(row, column)).labels[axis]


def _largest(rows: list[ResultRow], axis: str) -> str:
    return _ends(rows, axis)[1]


def _smallest(rows: list[ResultRow], axis: str) -> str:
    return _ends(rows, axis)[0]


def _ends(rows: list[ResultRow], axis: str) -> tuple[str, str]:
    """The first and the last label of an axis; raises MissingValue if there is only one."""
    labels = list(dict.fromkeys(row.labels[axis] for row in rows if axis in row.labels))
    if len(labels) < 2:
        raise MissingValue(f"there is a single {axis}")
    return labels[0], labels[-1]


# Functions of whole rows. Sorted by name.
ROW_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "count": _count,
    "label_of_max": _label_of_max,
    "label_of_min": _label_of_min,
    "largest": _largest,
    "smallest": _smallest,
}


@dataclass(frozen=True)
class Formula:
    """A parsed formula; `named` has the claim's named formulas, which it may use.

    A column is called like a function: `t(placement='best')` is an array of the values of `t` in all rows
    with this label (or one of a list of labels). Arithmetic is element by element.
    """

    text: str
    tree: ast.expr
    named: dict[str, Formula] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str, named: dict[str, Formula] | None = None) -> Formula:
        """Parses arithmetic, comparisons, calls, names, numbers and texts; raises InputError for others."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(
                f"the formula '{text}' can't be read; expected arithmetic over columns"
            ) from error
        for node in ast.walk(tree):
            if not isinstance(node, _KNOWN):
                raise InputError(
                    f"the formula '{text}' holds {type(node).__name__}; expected arithmetic, comparisons, "
                    "calls, names, numbers and texts"
                )
        return cls(text, tree, named or {})

    def labels(self, axis: str) -> set[str]:
        """The labels of an axis that the formula names, without those in `named`."""
        keywords = (
            node for node in ast.walk(self.tree) if isinstance(node, ast.keyword) and node.arg == axis
        )
        constants = (node for keyword in keywords for node in ast.walk(keyword.value))
        return {str(node.value) for node in constants if isinstance(node, ast.Constant)}

    def value(self, rows: list[ResultRow], **known: Any) -> Any:
        """The value for these rows; `known` are further names with values.

        Raises MissingValue for a missing number, and InputError for an unknown name.
        """
        try:
            found = _Evaluation(self, rows, known).of(self.tree)
        except ZeroDivisionError as error:
            raise MissingValue("a divisor is 0") from error
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise InputError(f"the formula '{self.text}' can't be computed ({error})") from error
        return found.item() if isinstance(found, np.ndarray | np.generic) and np.size(found) == 1 else found


_KNOWN = (
    *(
        ast.BinOp,
        ast.UnaryOp,
        ast.BoolOp,
        ast.Compare,
        ast.Call,
        ast.keyword,
        ast.Name,
        ast.Constant,
        ast.List,
    ),
    *(ast.Load, ast.USub, ast.Not, ast.And, ast.Or, *_BINARY, *_COMPARE),
)


@dataclass
class _Evaluation:
    """The evaluation of a formula for a group of rows."""

    formula: Formula
    rows: list[ResultRow]
    known: dict[str, Any]

    def of(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.List():
                return [self.of(entry) for entry in node.elts]
            case ast.Name():
                return self._named(node.id)
            case ast.UnaryOp(op=ast.USub()):
                return -self.of(node.operand)
            case ast.UnaryOp():
                return not self.of(node.operand)
            case ast.BinOp():
                with np.errstate(divide="raise", invalid="raise"):
                    return self._arithmetic(node)
            case ast.BoolOp(op=ast.And()):
                return all(self.of(value) for value in node.values)
            case ast.BoolOp():
                return any(self.of(value) for value in node.values)
            case ast.Compare():
                return self._compare(node)
            case ast.Call(func=ast.Name(id=name)):
                return self._call(name, node)
        raise self._error("a call of something that has no name")

    def _arithmetic(self, node: ast.BinOp) -> Any:
        try:
            return _BINARY[type(node.op)](self.of(node.left), self.of(node.right))
        except FloatingPointError as error:
            raise MissingValue("a divisor is 0") from error

    def _compare(self, node: ast.Compare) -> bool:
        values = [self.of(node.left), *map(self.of, node.comparators)]
        return all(
            bool(np.all(_COMPARE[type(op)](left, right)))
            for op, left, right in zip(node.ops, values[:-1], values[1:], strict=True)
        )

    def _named(self, name: str) -> Any:
        if name in self.known:
            return self.known[name]
        if name in self.formula.named:
            return self.formula.named[name].value(self.rows, **self.known)
        raise self._unknown(name, [*self.known, *self.formula.named])

    def _call(self, name: str, node: ast.Call) -> Any:
        labels = {keyword.arg: self.of(keyword.value) for keyword in node.keywords if keyword.arg}
        arguments = [self.of(argument) for argument in node.args]
        if name in ROW_FUNCTIONS:
            return ROW_FUNCTIONS[name](self.rows, *arguments, **labels)
        if name in FUNCTIONS:
            return FUNCTIONS[name](*arguments)
        columns = list(dict.fromkeys(column for row in self.rows for column in row.values))
        if self.rows and name not in columns:
            raise self._unknown(name, [*columns, *FUNCTIONS, *ROW_FUNCTIONS])
        found = matching(self.rows, _wanted(labels))
        if not found:
            raise MissingValue(f"no row for {name}")
        return np.array([_number(row, name) for row in found])

    def _unknown(self, name: str, names: list[str]) -> InputError:
        return self._error(
            f"'{name}', which nothing has (known: {', '.join(names)}){did_you_mean(name, names)}"
        )

    def _error(self, found: str) -> InputError:
        return InputError(f"the formula '{self.formula.text}' holds {found}")


def _wanted(labels: dict[str, Any]) -> dict[str, list[str]]:
    return {
        axis: [str(label) for label in (value if isinstance(value, list) else [value])]
        for axis, value in labels.items()
    }


def _number(row: ResultRow, column: str) -> float:
    value = row.values.get(column)
    if value is None:
        raise MissingValue(f"a number of {column} is missing")
    return value
