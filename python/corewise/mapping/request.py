"""MappingRequest: the options of a search for a placement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from math import inf
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from corewise import model
from corewise.errors import did_you_mean, require_flag, require_number, require_word, require_words
from corewise.files.table import MOST_INDEX
from corewise.mapping.constraints import ConstraintRequest, parse_fix, parse_free, read_constraints

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class MappingRequest:
    """The options of a search; `objective` None means the machine's default, `deadline` is in CPU s."""

    objective: str | None = None
    solver: str = "auto"
    worst: bool = False
    seed: int = 1
    effort: str = "default"
    deadline: float | None = None
    constraints: ConstraintRequest = field(default_factory=ConstraintRequest)
    threads: int = 1

    def options(self) -> model.SolverOptions:
        """The options for the C++ core."""
        return model.SolverOptions(
            seed=self.seed, effort=self.effort, deadline_cpu_s=self.deadline, threads=self.threads
        )


class MapKeys(TypedDict, total=False):
    """The keywords of a request, which are the options of `corewise map`."""

    objective: str | None
    solver: str
    worst: bool
    seed: int
    effort: str
    deadline: float | None
    threads: int
    cores_per_rank: int | None
    free: Sequence[str]
    free_per_node: int | None
    fix: Sequence[str]
    near: str | None
    constraints: str | PathLike[str] | None
    oversubscribe: bool


# The least and the greatest value of numbers, as on the command line. A solver's seed has 64 bits.
_NUMBERS: dict[str, tuple[float, float]] = {
    "seed": (0, 2**64 - 1),
    "deadline": (0, inf),
    "threads": (1, 1024),
    "cores_per_rank": (1, MOST_INDEX),
    "free_per_node": (0, MOST_INDEX),
}
_WORDS = ("objective", "solver", "effort", "near")
_FLAGS = ("worst", "oversubscribe")
_LISTS = ("free", "fix")


def request_of(**asked: Unpack[MapKeys]) -> MappingRequest:
    """The keywords as one request; None is a keyword's default.

    Raises InputError for a wrong value, TypeError for an unknown keyword.
    """
    for name, value in asked.items():
        if name not in MapKeys.__annotations__:
            raise TypeError(f"unknown option '{name}'{did_you_mean(name, MapKeys.__annotations__)}")
        if name in _NUMBERS:
            require_number(name, value, *_NUMBERS[name], whole=name != "deadline")
        elif name in _WORDS:
            require_word(name, value)
        elif name in _FLAGS:
            require_flag(name, value)
        elif name in _LISTS:
            require_words(name, value)
    given = {name: value for name, value in asked.items() if value is not None}
    of_search: dict[str, Any] = {name: value for name, value in given.items() if name not in _OF_CONSTRAINTS}
    of_constraints: dict[str, Any] = {name: value for name, value in given.items() if name in _OF_CONSTRAINTS}
    return MappingRequest(**of_search, constraints=_constraints_of(**of_constraints))


_OF_CONSTRAINTS = {"constraints", "fix", *(one.name for one in fields(ConstraintRequest))}


def _constraints_of(
    constraints: str | PathLike[str] | None = None,
    free: Sequence[str] = (),
    fix: Sequence[str] = (),
    **others: Any,
) -> ConstraintRequest:
    """The constraints of a file and of the keywords: lists are concatenated, `others` replace the file's."""
    file = read_constraints(Path(constraints)) if constraints else ConstraintRequest()
    return replace(
        file,
        free=file.free + [cores for text in free for cores in parse_free(text)],
        fixed=file.fixed + [parse_fix(text) for text in fix],
        **others,
    )
