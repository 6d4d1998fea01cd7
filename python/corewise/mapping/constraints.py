"""Constraints on placements (--free, --fix, constraints files): parsed, and as columns for solvers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from corewise import model
from corewise.errors import InputError, option
from corewise.files.document import read_toml
from corewise.files.table import MOST_INDEX, Table, check_format
from corewise.machines.devices import cores_near

FORMAT = "corewise-constraints"
VERSION = 1

_FREE = re.compile(r"(all|\d+):(\d+)(?:-(\d+))?")
_FIX = re.compile(r"(\d+)=(\d+)(?::(\d+)(?:-(\d+))?)?")
_CORES = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True)
class FreeCores:
    """Cores (logical, on the node) that no rank may use; `node` None means every node."""

    node: int | None
    first: int
    last: int


@dataclass(frozen=True)
class FixedRank:
    """A rank fixed to a node; `first` and `last` are its cores on the node, None for any."""

    rank: int
    node: int
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True)
class ConstraintRequest:
    """Constraints as requested, before machine and ranks are known.

    `cores_per_rank` is one number, or one for each rank. None means the number of threads in the profile, or
    1 without a profile. `near` is the kind or name of devices: each rank gets cores near one of them.
    """

    cores_per_rank: int | list[int] | None = None
    free_per_node: int = 0
    free: list[FreeCores] = field(default_factory=list)
    fixed: list[FixedRank] = field(default_factory=list)
    oversubscribe: bool = False
    near: str | None = None

    @property
    def has_constrained_ranks(self) -> bool:
        """Ranks are fixed or differ in their number of cores, which not every solver supports."""
        return bool(self.fixed) or (
            isinstance(self.cores_per_rank, list) and len(set(self.cores_per_rank)) > 1
        )

    @property
    def allow_all(self) -> bool:
        """Every placement with one core per rank satisfies the constraints."""
        limited = self.free or self.free_per_node or self.fixed or self.near is not None
        return not limited and self.cores_per_rank in (None, 1)

    def on(self, machine: model.Machine, n_ranks: int) -> model.Constraints:
        """The columns for solvers; raises InputError if the machine or the job lacks what is named."""
        return model.Constraints(
            core_capacity=self.capacity(machine, n_ranks),
            cores_per_rank=self._widths(n_ranks),
            core_of_rank=self._column(n_ranks, lambda fixed: _core(machine, fixed)),
            node_of_rank=self._column(n_ranks, lambda fixed: fixed.node),
            oversubscribe=self.oversubscribe,
        )

    @property
    def _greatest_width(self) -> int:
        return max(self.cores_per_rank) if isinstance(self.cores_per_rank, list) else self.cores_per_rank or 1

    def _widths(self, n_ranks: int) -> list[int]:
        if isinstance(self.cores_per_rank, list):
            return self.cores_per_rank
        return [] if self.cores_per_rank in (None, 1) else [self.cores_per_rank] * n_ranks

    def capacity(self, machine: model.Machine, n_ranks: int | None = None) -> list[int]:
        """The number of ranks that each core may have, 0 if it stays free; an empty list means 1 everywhere.

        If ranks share GPUs, `n_ranks` limits the cores near each GPU; None means no limit.
        """
        if not (self.free or self.free_per_node or self.near is not None):
            return []
        capacity = [1] * machine.n_cores
        if self.near is not None:
            near = cores_near(machine, self.near, n_ranks, self._greatest_width)
            capacity = [int(core in near) for core in range(machine.n_cores)]
        for free in self.free:
            for node in range(machine.n_nodes) if free.node is None else [free.node]:
                if node >= machine.n_nodes or (
                    free.last >= machine.n_cores_on(node) and free.node is not None
                ):
                    raise InputError(_lacking(machine, node, free.last, "leave free"))
                for core in range(free.first, min(free.last + 1, machine.n_cores_on(node))):
                    capacity[machine.core_at(node, core)] = 0
        for node in range(machine.n_nodes if self.free_per_node else 0):
            for core in _last_cores(machine, node, capacity, self.free_per_node):
                capacity[core] = 0
        return capacity

    def _column(self, n_ranks: int, value: Callable[[FixedRank], int]) -> list[int]:
        if not self.fixed:
            return []
        column = [-1] * n_ranks
        seen = set()
        for fixed in self.fixed:
            if fixed.rank >= n_ranks:
                raise InputError(
                    f"rank {fixed.rank} is fixed, and there are {n_ranks}; expected 0-{n_ranks - 1}"
                )
            if fixed.rank in seen:
                raise InputError(f"rank {fixed.rank} is fixed twice; expected once")
            seen.add(fixed.rank)
            self._check_width(fixed, n_ranks)
            column[fixed.rank] = value(fixed)
        return column

    def _check_width(self, fixed: FixedRank, n_ranks: int) -> None:
        if fixed.first is None or fixed.last is None:
            return
        width = (self._widths(n_ranks) or [1] * n_ranks)[fixed.rank]
        if fixed.last - fixed.first + 1 != width:
            raise InputError(
                f"rank {fixed.rank} is fixed to cores {fixed.first}-{fixed.last} and has {width}; "
                f"expected as many ({option('cores-per-rank')}), or its first core alone"
            )


def parse_free(text: str) -> list[FreeCores]:
    """`0:0-1,all:7`: cores 0 and 1 of node 0, and core 7 of every node that has it."""
    found = []
    for part in text.split(","):
        match = _FREE.fullmatch(part.strip())
        if not match:
            raise InputError(
                f"'{part}' in {option('free')}; expected NODE:CORE or NODE:CORE-CORE, as in 0:0-1 or all:0"
            )
        node, first, last = match.groups()
        found.append(FreeCores(None if node == "all" else int(node), int(first), int(last or first)))
        _check_order(found[-1].first, found[-1].last, part)
    return found


def parse_fix(text: str) -> FixedRank:
    """`3=0:4`: rank 3 on node 0 from core 4 on; `3=0:4-7` names all its cores, `3=0` the node alone."""
    match = _FIX.fullmatch(text.strip())
    if not match:
        raise InputError(
            f"'{text}' in {option('fix')}; expected RANK=NODE, RANK=NODE:CORE or RANK=NODE:CORE-CORE"
        )
    first, last = (None if part is None else int(part) for part in match.group(3, 4))
    if first is not None and last is not None:
        _check_order(first, last, text)
    return FixedRank(int(match[1]), int(match[2]), first, last)


def read_constraints(path: Path) -> ConstraintRequest:
    """A constraints file (formats/FORMATS.md); raises InputError naming file and key."""
    top = read_toml(path, "a constraints file")
    check_format(top, FORMAT, VERSION)
    top.refuse_others(["format", "version", "cores_per_rank", "free_per_node", "free", "fix", "near"])
    return ConstraintRequest(
        cores_per_rank=_widths_of(top),
        free_per_node=top.whole("free_per_node", default=0),
        free=[_free_of(table) for table in top.tables("free", [])],
        fixed=[_fixed_of(table) for table in top.tables("fix", [])],
        near=top.get("near", str) if top.holds("near") else None,
    )


def _widths_of(top: Table) -> int | list[int] | None:
    if type(top.values.get("cores_per_rank")) is not list:
        return top.whole("cores_per_rank", least=1) if top.holds("cores_per_rank") else None
    widths: list[int] = top.values["cores_per_rank"]
    if any(type(width) is not int or not 1 <= width <= MOST_INDEX for width in widths):
        raise top.error("cores_per_rank", widths, "a whole number from 1, or a list of one for each rank")
    return widths


def _free_of(table: Table) -> FreeCores:
    table.refuse_others(["node", "cores"])
    node = table.whole("node") if "node" in table.values else None
    return FreeCores(node, *_core_range(table))


def _fixed_of(table: Table) -> FixedRank:
    table.refuse_others(["rank", "node", "cores"])
    rank, node = table.whole("rank"), table.whole("node")
    if "cores" not in table.values:
        return FixedRank(rank, node)
    first, last = _core_range(table)
    return FixedRank(rank, node, first, last if last != first else None)


def _core_range(table: Table) -> tuple[int, int]:
    text = table.get("cores", str)
    match = _CORES.fullmatch(text.strip())
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise table.error("cores", text, "a text such as '4' or '4-7' (logical indices on the node)")
    return int(match[1]), int(match[2] or match[1])


def _check_order(first: int, last: int, text: str) -> None:
    if last < first:
        raise InputError(f"'{text}' ends before it begins; expected {last}-{first}")


def _core(machine: model.Machine, fixed: FixedRank) -> int:
    if fixed.node >= machine.n_nodes or (fixed.first or 0) >= machine.n_cores_on(fixed.node):
        raise InputError(_lacking(machine, fixed.node, fixed.first or 0, f"fix rank {fixed.rank} to"))
    return -1 if fixed.first is None else machine.core_at(fixed.node, fixed.first)


def _lacking(machine: model.Machine, node: int, core: int, purpose: str) -> str:
    if node >= machine.n_nodes:
        return f"found node {node} to {purpose}; '{machine.name}' has nodes 0-{machine.n_nodes - 1}"
    last = machine.n_cores_on(node) - 1
    return f"found core {core} to {purpose}; node {node} of '{machine.name}' has cores 0-{last} (logical)"


def _last_cores(machine: model.Machine, node: int, capacity: list[int], count: int) -> Iterable[int]:
    """The last core of the last package, of the package before, and so on, then their next cores.

    Slurm chooses the cores of CoreSpecCount in this order (slurm.conf(5)). Cores that are free already count.
    """
    cores = machine.cores_on(node)
    if count >= len(cores):
        raise InputError(
            f"{count} cores to leave free on node {node}, which has {len(cores)}; expected fewer"
        )
    levels = [kind.level for kind in machine.objects if kind.name == "package"]
    packages: dict[int, list[int]] = {}
    for core in cores:
        packages.setdefault(machine.group(levels[0], core) if levels else 0, []).append(core)
    turns = [
        [core for core in reversed(package) if capacity[core]] for package in reversed(packages.values())
    ]
    already = sum(capacity[core] == 0 for core in cores)
    order = [turn[i] for i in range(len(cores)) for turn in turns if i < len(turn)]
    return order[: max(count - already, 0)]
