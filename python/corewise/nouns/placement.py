"""The placement file: a placement in columns, with what it was made for (formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.table import Table, check_format, shown
from corewise.files.whole_file import write_whole
from corewise.nouns.job_programs import JobProgram, programs_in
from corewise.text.any_bytes import json_text
from corewise.text.quantities import index_text

if TYPE_CHECKING:
    from corewise.model import Machine, Placement

FORMAT = "corewise-placement"
VERSION = 1


@dataclass(frozen=True)
class PlacementFile:
    """Rank -> node and cores as plain columns, indexed by rank: what launchers and `run` work from.

    `node` is the machine's i-th node; `cores` are logical indices on that node; `os_pus` (os_index) are the
    hardware threads to bind to, None where the machine has no OS indices. `node_fingerprints` are indexed by
    node, up to the last one that has a rank. `whole_cores` is False where `os_pus` are only some of the
    cores' hardware threads; no file says so. `programs` are those of a job of several, empty for one.
    """

    machine: str
    fingerprint: str
    node_fingerprints: list[str]
    node: list[int]
    cores: list[list[int]]
    os_pus: list[list[int]] | None
    objective: str = ""
    solver: str = ""
    seed: int = 0
    oversubscribed: bool = False
    whole_cores: bool = True
    programs: list[JobProgram] = field(default_factory=list)
    path: str = field(default="", compare=False)

    @classmethod
    def of(cls, placement: Placement, machine: Machine, **made_for: Any) -> PlacementFile:
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

    def on(self, machine: Machine) -> Placement:
        """The placement on `machine`; raises InputError where its fingerprint is another one."""
        from corewise import model

        if self.fingerprint != machine.fingerprint:
            raise InputError(
                f"{self.path or 'the placement'} was made for machine '{self.machine}' (fingerprint "
                f"{self.fingerprint}); found '{machine.name}' ({machine.fingerprint}): map again for this one"
            )
        lists = [self.cores_on(machine, rank, self.node[rank]) for rank in range(self.n_ranks)]
        if all(len(cores) == 1 for cores in lists):
            return model.Placement.from_cores([cores[0] for cores in lists])
        return model.Placement.from_core_lists(lists)

    def cores_on(self, machine: Machine, rank: int, node: int) -> list[int]:
        """The rank's cores, numbered over the whole machine, where it is on `node` of that machine.

        Raises InputError where the node lacks one, or where the rank's hardware threads are not theirs.
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
                f"{self.node[rank]} (who edits one edits both)"
            )
        return cores

    @property
    def n_ranks(self) -> int:
        return len(self.node)

    @property
    def overlaps(self) -> bool:
        """Some core is in two masks: the ranks share it, or their masks are wider than what they need."""
        taken = [(self.node[rank], core) for rank, cores in enumerate(self.cores) for core in cores]
        return len(set(taken)) < len(taken)

    @property
    def nodes_alike(self) -> bool:
        """All nodes of `node_fingerprints` have the same cores under the same OS indices."""
        return len(set(self.node_fingerprints)) <= 1

    @property
    def core(self) -> list[int]:
        """Each rank's first core (logical, on its node)."""
        return [cores[0] for cores in self.cores]

    def columns(self) -> dict[str, list[Any]]:
        """node, core, cores and os_pus by rank; without os_pus where the machine has no OS indices."""
        columns: dict[str, list[Any]] = {"node": self.node, "core": self.core, "cores": self.cores}
        return columns if self.os_pus is None else columns | {"os_pus": self.os_pus}

    def to_json(self) -> dict[str, Any]:
        """The document of the file."""
        made_for = {
            "machine": self.machine,
            "fingerprint": self.fingerprint,
            "node_fingerprints": self.node_fingerprints,
            "objective": self.objective,
            "solver": self.solver,
            "seed": self.seed,
            "n_ranks": self.n_ranks,
            "oversubscribed": self.oversubscribed,
        }
        programs = {"programs": [one.to_json() for one in self.programs]} if self.programs else {}
        return {"format": FORMAT, "version": VERSION} | made_for | self.columns() | programs

    def write(self, path: Path) -> None:
        """Writes the file whole; raises InputError where a file that is no placement would be lost."""
        check_target(path)
        lines = [f" {json_text(key)}: {json_text(value)}" for key, value in self.to_json().items()]
        write_whole(path, "{\n" + ",\n".join(lines) + "\n}\n")


def shares_cores(placement: Placement) -> bool:
    """Some core belongs to more than one rank."""
    taken = [core for rank in range(placement.n_ranks) for core in placement.cores(rank).tolist()]
    return len(set(taken)) < len(taken)


def check_target(path: Path) -> None:
    """Raises InputError where `path` holds something that a placement must not replace."""
    if not path.exists():
        return
    try:
        read_placement(path)
    except InputError as error:
        raise InputError(
            f"{path}: there is a file that is no placement; expected a new name, or a placement to replace"
        ) from error


def read_placement(path: Path) -> PlacementFile:
    """Raises InputError naming file and key for anything that is no sound placement of version 1."""
    return placement_from_table(read_json(path, "what `corewise map -o` writes"))


def placement_from_table(top: Table) -> PlacementFile:
    """Checks a document and turns it into columns; raises InputError naming file and key."""
    check_format(top, FORMAT, VERSION)
    placement = PlacementFile(
        machine=top.get("machine", str),
        fingerprint=top.get("fingerprint", str),
        node_fingerprints=top.texts("node_fingerprints"),
        node=top.whole_numbers("node"),
        cores=_cores(top),
        os_pus=top.whole_number_lists("os_pus") if top.holds("os_pus") else None,
        objective=top.get("objective", str, ""),
        solver=top.get("solver", str, ""),
        seed=top.whole("seed", most=2**64 - 1, default=0),
        oversubscribed=top.get("oversubscribed", bool, False),
        programs=programs_in(top),
        path=str(top.path),
    )
    _check_lengths(top, placement)
    _check_nodes(top, placement)
    _check_programs(top, placement)
    for key in ("cores", "os_pus") if placement.os_pus is not None else ("cores",):
        _check_lists(top, key, placement)
    return placement


def _cores(top: Table) -> list[list[int]]:
    """`cores`, whose first ones must be those of `core`; either may be left out."""
    if not top.holds("cores"):
        return [[core] for core in top.whole_numbers("core")]
    cores = top.whole_number_lists("cores")
    for rank, core in enumerate(top.whole_numbers("core") if top.holds("core") else []):
        if rank < len(cores) and cores[rank][:1] != [core]:
            expected = f"the first of cores[{rank}], which is {shown(cores[rank])} (who edits one edits both)"
            raise top.error(f"core[{rank}]", core, expected)
    return cores


def _check_lengths(top: Table, placement: PlacementFile) -> None:
    lengths = {key: len(top.values[key]) for key in ("node", "core", "cores", "os_pus") if top.holds(key)}
    lengths["n_ranks"] = top.whole("n_ranks", least=1)
    if len(set(lengths.values())) != 1:
        found = ", ".join(f"{key} {length}" for key, length in lengths.items())
        raise InputError(f"{top.path}: the columns differ in length ({found}); expected one entry a rank")


def _check_nodes(top: Table, placement: PlacementFile) -> None:
    n_nodes = len(placement.node_fingerprints)
    for rank, node in enumerate(placement.node):
        if node >= n_nodes:
            raise top.error(
                f"node[{rank}]", node, f"a node below {n_nodes}, as many as node_fingerprints has"
            )


def _check_programs(top: Table, placement: PlacementFile) -> None:
    """Where there are several, each rank is of one of them."""
    ranks = sorted(rank for program in placement.programs for rank in program.ranks)
    if ranks and ranks != list(range(placement.n_ranks)):
        raise InputError(
            f"{top.path}: the programs have ranks {index_text(ranks)}; expected each of 0-"
            f"{placement.n_ranks - 1} once"
        )


def _check_lists(top: Table, key: str, placement: PlacementFile) -> None:
    """Each rank has one entry at least, none twice, and none of another rank's unless that was asked for."""
    owner: dict[tuple[int, int], int] = {}
    for rank, (node, entries) in enumerate(zip(placement.node, getattr(placement, key), strict=True)):
        if not entries or len(set(entries)) < len(entries):
            raise top.error(f"{key}[{rank}]", entries, "at least one, and each of them once")
        if placement.oversubscribed:
            continue
        for entry in entries:
            other = owner.setdefault((node, entry), rank)
            if other != rank:
                expected = f'other ones than those of rank {other} on node {node}, or "oversubscribed": true'
                raise top.error(f"{key}[{rank}]", entries, expected)
