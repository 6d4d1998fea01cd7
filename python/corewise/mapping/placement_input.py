"""Reads the PLACEMENT of commands: corewise's own file, an Open MPI rankfile, or a rank order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from warnings import warn

from corewise.errors import InputError, Note, option
from corewise.files.document import read_text, require_regular
from corewise.launchers import rankfile_read
from corewise.model import Assignment, Machine
from corewise.nouns.comparison import Comparison
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import Placement
from corewise.text.escaping import printable

NAME = "MPICH_RANK_ORDER"
MOST_BYTES = 2**27
# CrayPat's header has the number of ranks per node that the order was made for.
_PER_NODE = re.compile(r"^#\s*Max PEs\s*(?:/|per)\s*Node:?\s*(\d{1,9})\s*$", re.IGNORECASE | re.MULTILINE)
_ITEM = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def is_rank_order(path: Path) -> bool:
    """Whether it has the name that Cray's library requires and tools lengthen (MPICH_RANK_ORDER.Grid)."""
    return path.name.startswith(NAME)


def read_rank_order(path: Path, machine: Machine) -> Placement:
    """Gives the next rank of the file to each core of the machine, node by node.

    A header of CrayPat's ("Max PEs/Node: 4") says how many ranks each node gets; else nodes are filled.

    The file lists ranks and ranges of them (3-5), separated by commas or spaces; what follows # is a comment
    (intro_mpi(3), MPICH_RANK_REORDER_METHOD=3). Raises InputError naming file and line, also where a rank is
    missing or appears twice, and where the machine has fewer cores.
    """
    ranks, per_node = _listed(path, machine.n_cores)
    core_of = dict(zip(ranks, _slots(path, machine, per_node, len(ranks)), strict=True))
    missing = next((rank for rank in range(len(ranks)) if rank not in core_of), None)
    if missing is not None:
        raise InputError(
            f"{path}: rank {missing} is missing; expected each of the {len(ranks)} ranks once, from 0 on"
        )
    placement = Assignment.from_cores([core_of[rank] for rank in range(len(ranks))])
    return Placement.of(placement, machine).named(str(path))


def _slots(path: Path, machine: Machine, per_node: int | None, n_ranks: int) -> list[int]:
    """The cores to fill with `n_ranks` ranks, in order."""
    slots: list[int] = []
    for node in range(machine.n_nodes):
        n_cores, first = machine.n_cores_on(node), machine.first_core(node)
        here = min(n_cores if per_node is None else per_node, n_ranks - len(slots))
        if here > n_cores:
            raise InputError(
                f"{path}: its header names {per_node} ranks a node, and node {node} has {n_cores} cores; "
                "expected a machine that holds them: is it made for another one?"
            )
        slots += range(first, first + here)
    if len(slots) < n_ranks:
        raise InputError(
            f"{path}: {n_ranks} ranks, {per_node} a node as its header says, on {machine.n_nodes} nodes; "
            f"expected at least {-(-n_ranks // (per_node or 1))} nodes ({option('machine')})"
        )
    return slots


def _listed(path: Path, n_cores: int) -> tuple[list[int], int | None]:
    """The ranks in the order of the file, and the number per node if the header has it."""
    require_regular(path, "a rank order")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: {path.stat().st_size} bytes; expected at most {MOST_BYTES}")
        text = path.read_text(errors="replace")
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from error
    ranks: list[int] = []
    seen: set[int] = set()
    for number, line in enumerate(text.splitlines(), 1):
        for item in re.split(r"[,\s]+", line.partition("#")[0].strip()):
            if item:
                _append(ranks, seen, item, f"{path} line {number}", n_cores)
    if not ranks:
        raise InputError(f"{path}: no rank; expected ranks separated by commas, as in 0,2,1,3")
    found = _PER_NODE.search(text)
    return ranks, int(found[1]) or None if found else None


def _append(ranks: list[int], seen: set[int], item: str, place: str, n_cores: int) -> None:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise InputError(f"{place}: found {printable(item[:24])!r}; expected a rank (5) or a range (4-7)")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first or len(ranks) + last - first >= n_cores:
        raise InputError(
            f"{place}: after {len(ranks)} ranks found {item}; expected rising ranges, and at most {n_cores} "
            "ranks, the cores of the machine"
        )
    for rank in range(first, last + 1):
        if rank in seen:
            raise InputError(f"{place}: rank {rank} appears twice; expected each rank once")
        seen.add(rank)
        ranks.append(rank)


EXPECTED = (
    "a placement: what `corewise map -o` writes, an Open MPI rankfile (rank 0=HOST slot=0), or a rank order "
    "(0,2,1,3)"
)
_NUMBERS_ALONE = re.compile(r"(?:#.*|[0-9]+(?:-[0-9]+)?|[,\s])+")


def placement_like(
    given: Any, machine: Callable[[], Machine], hosts: Sequence[str] | None = None
) -> Placement:
    """The placement itself, in a file, or in a result of map or advise; others as read_placement_input()."""
    if isinstance(given, (str, PathLike)):
        return read_placement_input(Path(given), machine, hosts)
    if isinstance(given, Comparison):
        return given.best.placement
    if isinstance(given, Mapping):
        return given.placement
    if not isinstance(given, Placement):
        found = type(given).__name__
        raise InputError(f"found {found} as placement; expected a file, or what map or advise returned")
    return given


def read_placement_input(
    path: Path, machine: Callable[[], Machine], hosts: Sequence[str] | None = None
) -> Placement:
    """The placement. For a file that names no machine, `machine` is called; `hosts` are its nodes' names.

    Raises InputError for any other file.
    """
    if is_rank_order(path):
        return read_rank_order(path, machine())
    text = read_text(path, EXPECTED)
    if rankfile_read.RECOGNISED.search(text):
        return rankfile_read.read_rankfile(text, str(path), machine(), hosts)
    if _NUMBERS_ALONE.fullmatch(text):
        try:
            placement = read_rank_order(path, machine())
        except InputError as error:
            raise InputError(
                f"{error} (numbers alone are a rank order, and PLACEMENT comes before INPUT)"
            ) from error
        warn(f"{path} is read as a rank order: core after core gets the next rank of it.", Note, stacklevel=2)
        return placement
    if not text.lstrip().startswith(("{", "[")):
        raise InputError(f"is no placement; expected {EXPECTED}", path=path)
    return Placement.read(path)
