"""A folder of truth: for each program its profile, its placements and their measured times."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from corewise import model
from corewise.errors import InputError
from corewise.plugin.documents import read_json, write_whole

BASELINE = "block"
FORMAT, VERSION = "corewise-truth", 1


@dataclass(frozen=True)
class Measured:
    """One placement: the node of each rank, and the times of its runs that ended well, s.

    `names` are the rules and objectives that gave it: placements that put the same ranks together are one.
    """

    names: list[str]
    node: list[int]
    times_s: list[float]
    n_failed: int = 0

    @property
    def label(self) -> str:
        return " = ".join(self.names)

    def on(self, machine: model.Machine) -> model.Placement:
        """The ranks of a node in order on its first cores: nothing but the node of a rank is emulated."""
        per_node = machine.n_cores // machine.n_nodes
        cores = [node * per_node + self.node[:rank].count(node) for rank, node in enumerate(self.node)]
        return model.Placement.from_cores(cores)


@dataclass(frozen=True)
class Truth:
    """What was measured of one program on the emulated nodes of `machine` (a name for --machine).

    `layer` is the traffic that placements were found for; `n_processors` hardware threads were shared by all
    ranks; `load` is the host's load average at the end.
    """

    program: str
    machine: str
    layer: str
    date: str
    n_processors: int
    load: float
    placements: list[Measured] = field(default_factory=list)

    @property
    def baseline(self) -> Measured:
        """Block order."""
        return self.named(BASELINE)

    def named(self, name: str) -> Measured:
        """The placement that a rule or objective gave."""
        return next(one for one in self.placements if name in one.names)


def profile_of(folder: Path, program: str) -> Path:
    """Where a program's events profile lies, a file or a folder."""
    return folder / program / "profile"


def save(folder: Path, truth: Truth) -> None:
    """Writes what was measured of a program, at once: a program without this file is to be measured."""
    document = {"format": FORMAT, "version": VERSION} | asdict(truth)
    write_whole(folder / truth.program / "truth.json", json.dumps(document, indent=1) + "\n")


def load(folder: Path) -> list[Truth]:
    """All programs of the folder, sorted by name; InputError for a file that isn't one of these."""
    found = []
    for path in sorted(folder.glob("*/truth.json")):
        document = dict(read_json(path, "a program's measured times").values)
        if (document.pop("format", None), document.pop("version", None)) != (FORMAT, VERSION):
            raise InputError(f"{path}: expected the format {FORMAT}, version {VERSION}: measure it again")
        placements = [Measured(**one) for one in document.pop("placements")]
        found.append(Truth(**document, placements=placements))
    return found
