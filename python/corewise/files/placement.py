"""The placement file: a placement in columns, with what it was made for (formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.whole_file import write_whole
from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.model import Machine, Placement

FORMAT = "corewise-placement"
VERSION = 1


@dataclass(frozen=True)
class PlacementFile:
    """Rank -> node and cores as plain columns, indexed by rank: what launchers and `run` work from.

    `node` is the machine's i-th node; `cores` are logical indices on that node; `os_pus` (os_index) are the
    hardware threads to bind to, None where the machine has no OS indices. `node_fingerprints` are indexed by
    node.
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
    path: str = field(default="", compare=False)

    @classmethod
    def of(cls, placement: Placement, machine: Machine, **made_for: str | int | bool) -> PlacementFile:
        """The columns of a placement on its machine.

        `made_for` may give objective, solver, seed and oversubscribed.
        """
        cores = [placement.cores(rank).tolist() for rank in range(placement.n_ranks)]
        os_pus = [sorted(pu for core in of_rank for pu in machine.os_pus(core)) for of_rank in cores]
        return cls(
            machine=machine.name,
            fingerprint=machine.fingerprint,
            node_fingerprints=[machine.node_fingerprint(node) for node in range(machine.n_nodes)],
            node=[machine.node_of(of_rank[0]) for of_rank in cores],
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
        of_rank = zip(self.node, self.cores, strict=True)
        lists = [[machine.core_at(node, core) for core in cores] for node, cores in of_rank]
        if all(len(cores) == 1 for cores in lists):
            return model.Placement.from_cores([cores[0] for cores in lists])
        return model.Placement.from_core_lists(lists)

    @property
    def n_ranks(self) -> int:
        return len(self.node)

    @property
    def core(self) -> list[int]:
        """Each rank's first core (logical, on its node)."""
        return [cores[0] for cores in self.cores]

    def columns(self) -> dict[str, list]:
        """node, core, cores and os_pus by rank; without os_pus where the machine has no OS indices."""
        columns = {"node": self.node, "core": self.core, "cores": self.cores}
        return columns if self.os_pus is None else columns | {"os_pus": self.os_pus}

    def to_json(self) -> dict:
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
        return {"format": FORMAT, "version": VERSION} | made_for | self.columns()

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
    """Raises InputError naming the file for anything that is no sound placement of version 1."""
    document = read_json(path, "what `corewise map -o` writes")
    try:
        return placement_from_json(document, str(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: not a placement file ({error!r}); expected what `corewise map -o` writes"
        ) from error


def placement_from_json(document: dict, path: str = "") -> PlacementFile:
    """Checks a document and turns it into columns.

    Raises InputError for another format or version and for columns that don't fit together; KeyError or
    TypeError for missing or misshapen ones (read_placement turns them into a sentence).
    """
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        raise InputError(
            f"{path}: found format {document.get('format')!r} version {document.get('version')!r}; "
            f"expected '{FORMAT}' version {VERSION}"
        )
    node = _indices(document["node"])
    cores = [_indices(c) for c in document.get("cores") or [[core] for core in document["core"]]]
    os_pus = [_indices(p) for p in document["os_pus"]] if "os_pus" in document else None
    lengths = {"node": len(node), "cores": len(cores), "n_ranks": document["n_ranks"]}
    if os_pus is not None:
        lengths["os_pus"] = len(os_pus)
    if len(set(lengths.values())) != 1 or not node:
        raise InputError(f"{path}: the columns differ in length ({lengths}); expected one for each rank")
    if not all(cores) or (os_pus is not None and not all(os_pus)):
        raise InputError(f"{path}: a rank has no core or no hardware thread; expected at least one")
    fingerprints = [str(text) for text in document["node_fingerprints"]]
    if max(node) >= len(fingerprints):
        raise InputError(f"{path}: node {max(node)} has no fingerprint; there are {len(fingerprints)}")
    return PlacementFile(
        machine=str(document["machine"]),
        fingerprint=str(document["fingerprint"]),
        node_fingerprints=fingerprints,
        node=node,
        cores=cores,
        os_pus=os_pus,
        objective=str(document.get("objective", "")),
        solver=str(document.get("solver", "")),
        seed=int(document.get("seed", 0)),
        oversubscribed=bool(document.get("oversubscribed", False)),
        path=path,
    )


def _indices(column: list) -> list[int]:
    valid = isinstance(column, list) and all(type(index) is int and 0 <= index < 2**31 for index in column)
    if not valid:
        raise ValueError(f"expected a list of numbers from 0 to 2^31 - 1, found {column!r:.60}")
    return column
