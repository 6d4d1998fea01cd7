"""Placement: rank -> node and cores in columns, with what it was made for (formats/FORMATS.md)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import structs

from corewise.errors import InputError
from corewise.files.document import check_replaced
from corewise.files.table import Table, shown
from corewise.nouns.codec import WIRES, Count, FieldError, FilePath, Index, Noun, Wire, decoded
from corewise.nouns.tables import Tabular
from corewise.text.quantities import index_text, indices_of

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.figure import Figure

    from corewise import model
    from corewise.model import Machine


NAME = "programs.json"  # in the folder of a profile


class Ranks(list[int]):
    """Ranks in ascending order; in documents a text such as 0-3,5."""

    @classmethod
    def of_text(cls, text: str) -> Ranks:
        """The ranks in a text such as 0-3,5; raises ValueError if there are none."""
        ranks = sorted(indices_of(text))
        if not ranks:
            raise ValueError("no ranks")
        return cls(ranks)


WIRES[Ranks] = Wire(str, index_text, Ranks.of_text)


class JobProgram(Noun, frozen=True):
    """A program: its ranks, and its command, including wrappers such as time.

    `options` are the launcher's options for it that don't place ranks (see kept_options()).
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("launcher", "options")

    ranks: Ranks
    app: list[str]
    launcher: str = ""
    options: list[str] = []

    def __post_init__(self) -> None:
        if not self.app:
            raise FieldError("app", self.app, "a program")


class JobPrograms(Noun, frozen=True):
    """The programs of a job."""

    FORMAT: ClassVar[str] = "corewise-programs"
    WRITTEN_BY: ClassVar[str] = "corewise trace"

    programs: list[JobProgram]


def write_programs(folder: Path, programs: list[JobProgram]) -> None:
    """Writes the programs into the profile's folder, if they are known."""
    if programs:
        JobPrograms(programs).write(folder / NAME)


def programs_beside(source: Path) -> list[JobProgram]:
    """The programs of a profile's job; empty if they are unknown, or if `source` is no profile."""
    path = source / NAME
    return JobPrograms.read(path).programs if path.is_file() else []


class Placement(Tabular, Noun, frozen=True, dict=True):
    """Rank -> node and cores as columns, indexed by rank: the input of launchers and of `run`.

    `node` is the machine's i-th node; `cores` are logical indices on that node; `os_pus` (os_index) are the
    hardware threads to bind to, None if the machine has no OS indices. `node_fingerprints` are indexed by
    node, up to the last one that has a rank. `whole_cores` is False if `os_pus` are only some of the cores'
    hardware threads. `programs` are the programs of the job, empty if they are unknown.
    """

    FORMAT: ClassVar[str] = "corewise-placement"
    WRITTEN_BY: ClassVar[str] = "corewise map -o"
    DERIVED: ClassVar[tuple[str, ...]] = ("n_ranks", "core")
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("os_pus", "whole_cores", "programs")

    machine: str
    fingerprint: str
    node_fingerprints: list[str]
    node: list[Index]
    cores: list[list[Index]]
    os_pus: list[list[Index]] | None = None
    objective: str = ""
    solver: str = ""
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    oversubscribed: bool = False
    whole_cores: bool = True
    programs: list[JobProgram] = []

    def __post_init__(self) -> None:
        """Raises FieldError if columns contradict each other."""
        columns = {"cores": self.cores} | ({} if self.os_pus is None else {"os_pus": self.os_pus})
        for name, column in columns.items():
            if len(column) != self.n_ranks:
                raise FieldError(name, column, f"one entry a rank, the length of node ({self.n_ranks})")
            for rank, entries in enumerate(column):
                if not entries or len(set(entries)) < len(entries):
                    raise FieldError(f"{name}[{rank}]", entries, "at least one, and each of them once")
        n_nodes = len(self.node_fingerprints)
        for rank, node in enumerate(self.node):
            if node >= n_nodes:
                expected = f"a node below {n_nodes}, the length of node_fingerprints"
                raise FieldError(f"node[{rank}]", node, expected)
        if self.seed >= 2**64:
            raise FieldError("seed", self.seed, "a number of 64 bits")
        ranks = sorted(rank for program in self.programs for rank in program.ranks)
        if ranks and ranks != list(range(self.n_ranks)):
            raise FieldError("programs", index_text(ranks), f"each rank of 0-{self.n_ranks - 1} once")

    def named(self, path: str) -> Placement:
        """A copy that knows its file's path, for messages; the path is no field of the document."""
        placement = structs.replace(self)
        placement.__dict__["path"] = path
        return placement

    @property
    def path(self) -> str:
        """The file that the placement was read from, for messages; empty if it was computed."""
        return str(self.__dict__.get("path", ""))

    @classmethod
    def of(cls, placement: model.Assignment, machine: Machine, **made_for: Any) -> Placement:
        """The columns of a placement on its machine.

        `made_for` may give objective, solver, seed and oversubscribed.
        """
        cores = [placement.cores(rank).tolist() for rank in range(placement.n_ranks)]
        os_pus = [sorted(pu for core in of_rank for pu in machine.os_pus(core)) for of_rank in cores]
        node = [machine.node_of(of_rank[0]) for of_rank in cores]
        return cls(
            machine=machine.name,
            fingerprint=machine.fingerprint,
            node_fingerprints=[machine.node_fingerprint(n) for n in range(max(node, default=-1) + 1)],
            node=node,
            cores=[[machine.core_on_node(core) for core in of_rank] for of_rank in cores],
            os_pus=os_pus if machine.has_os_indices else None,
            **made_for,
        )

    def on(self, machine: Machine) -> model.Assignment:
        """The placement on `machine`; raises InputError if the fingerprints differ."""
        from corewise import model

        if self.fingerprint != machine.fingerprint:
            raise InputError(
                f"{self.path or 'the placement'} was made for machine '{self.machine}' (fingerprint "
                f"{self.fingerprint}); found '{machine.name}' ({machine.fingerprint}): map again for this one"
            )
        lists = [self.cores_on(machine, rank, self.node[rank]) for rank in range(self.n_ranks)]
        return model.Assignment.from_core_lists(lists)

    def cores_on(self, machine: Machine, rank: int, node: int) -> list[int]:
        """The cores of `rank` if it is on `node`, numbered over the whole machine.

        Raises InputError if the node lacks a core, or if `os_pus` are not the hardware threads of the cores.
        """
        try:
            cores = [machine.core_at(node, core) for core in self.cores[rank]]
        except InputError as error:
            raise InputError(f"{self.path or 'the placement'}: cores[{rank}]: {error}") from error
        os_pus = sorted(pu for core in cores for pu in machine.os_pus(core))
        if self.os_pus is not None and self.whole_cores and sorted(self.os_pus[rank]) != os_pus:
            raise InputError(
                f"{self.path or 'the placement'}: os_pus[{rank}] is {shown(self.os_pus[rank])}; expected "
                f"{shown(os_pus)}, the hardware threads of cores {shown(self.cores[rank])} on node "
                f"{self.node[rank]} (edit both together)"
            )
        return cores

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self, machine: Machine | str | PathLike[str] | None = None) -> Figure: ...

    def columns(self) -> dict[str, Any]:
        """A row for each rank: rank, node, cores and os_pus."""
        import numpy as np

        return {
            "rank": np.arange(self.n_ranks),
            "node": np.array(self.node),
            "cores": list(self.cores),
            "os_pus": list(self.os_pus) if self.os_pus else [None] * self.n_ranks,
        }

    @property
    def n_ranks(self) -> int:
        return len(self.node)

    @property
    def overlaps(self) -> bool:
        """Whether some core is in two masks: ranks share it, or their masks are wider than needed."""
        taken = [(self.node[rank], core) for rank, cores in enumerate(self.cores) for core in cores]
        return len(set(taken)) < len(taken)

    @property
    def nodes_alike(self) -> bool:
        """Whether all nodes of `node_fingerprints` have the same cores with the same OS indices."""
        return len(set(self.node_fingerprints)) <= 1

    @property
    def core(self) -> list[int]:
        """Each rank's first core (logical, on its node)."""
        return [cores[0] for cores in self.cores]

    def write(self, path: FilePath) -> None:
        """Writes the file whole; raises InputError instead of replacing a file that is no placement."""
        check_replaced(Path(path), Placement.read, "a placement")
        super().write(path)

    @classmethod
    def from_table(cls, top: Table) -> Placement:
        """The placement of a document that people may have edited; raises InputError naming its field."""
        placement = super().from_table(top)
        edited = decoded(_Edited, top)
        _check_edited(top, placement, edited)
        return placement.named(str(top.path))


class _Edited(msgspec.Struct):
    """Fields that follow from others, and that edits by hand must keep consistent."""

    n_ranks: Count
    core: list[Index] | None = None


def shares_cores(placement: model.Assignment) -> bool:
    """Whether a core belongs to several ranks."""
    taken = [core for rank in range(placement.n_ranks) for core in placement.cores(rank).tolist()]
    return len(set(taken)) < len(taken)


def _check_edited(top: Table, placement: Placement, edited: _Edited) -> None:
    """Raises for inconsistent derived fields, and for ranks that share cores without `oversubscribed`."""
    if edited.n_ranks != placement.n_ranks:
        raise top.error("n_ranks", edited.n_ranks, f"{placement.n_ranks}, as many entries as node has")
    if edited.core is not None and len(edited.core) != placement.n_ranks:
        raise top.error("core", edited.core, f"one entry a rank, the length of node ({placement.n_ranks})")
    for rank, core in enumerate(edited.core or []):
        if core != placement.core[rank]:
            expected = f"{placement.core[rank]}, the first of cores[{rank}] (edit both together)"
            raise top.error(f"core[{rank}]", core, expected)
    if placement.oversubscribed:
        return
    for key, column in (("cores", placement.cores), ("os_pus", placement.os_pus or [])):
        owner: dict[tuple[int, int], int] = {}
        for rank, (node, entries) in enumerate(zip(placement.node, column, strict=False)):
            for entry in entries:
                other = owner.setdefault((node, entry), rank)
                if other != rank:
                    expected = (
                        f'other ones than those of rank {other} on node {node}, or "oversubscribed": true'
                    )
                    raise top.error(f"{key}[{rank}]", entries, expected)
