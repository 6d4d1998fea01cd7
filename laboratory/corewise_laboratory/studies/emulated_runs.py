"""Emulated runs in a study's file: a program on emulated networks of machines, with several placements."""

from __future__ import annotations

from dataclasses import dataclass, field

from corewise.errors import InputError
from corewise.plugin.documents import Table

from corewise_laboratory.sweep.spec import Measure, Protocol, read_measure, read_protocol

AXES = ("case", "placement")


@dataclass(frozen=True)
class Cell:
    """A machine whose every core gets a rank, and `values` for {KEY} in the program's input files.

    `labels` are labels of result rows, by axis. `nodes_at_once` has, by label, placements that fill this
    number of nodes at a time in turn: 1 is block order, all nodes is round-robin.
    """

    name: str
    machine: str
    values: dict[str, str]
    nodes_at_once: dict[str, int]
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EmulatedScale:
    """The extent of the runs: each of `sizes` is a case of every cell, and replaces {size} in input files."""

    sizes: list[int]
    protocol: Protocol


@dataclass(frozen=True)
class Mapped:
    """A placement that corewise computes for the traffic of a run with the baseline placement.

    It is computed for the emulated network (as_emulated()). `objective` None is the default of `corewise
    map`.
    """

    solver: str
    objective: str | None


@dataclass(frozen=True)
class EmulatedRuns:
    """The script laboratory/`build`/build builds the program and prints its path.

    `files` are input files by name, for the program's working directory. `baseline` is the label of the
    placement with which others are compared.
    """

    build: str
    environment: dict[str, str]
    files: dict[str, str]
    measure: Measure
    baseline: str
    cells: list[Cell]
    mapped: dict[str, Mapped]
    quick: EmulatedScale
    full: EmulatedScale

    @property
    def placements(self) -> list[str]:
        """Labels of all placements, the same for every cell."""
        return [*self.cells[0].nodes_at_once, *self.mapped]

    @property
    def axes(self) -> list[str]:
        """Axes of the result rows."""
        return [*AXES, "cell", "size", *self.cells[0].labels]

    def files_for(self, cell: Cell, size: int) -> dict[str, str]:
        """The program's input files for this cell and size, by name."""
        return {name: filled(text, cell, size) for name, text in self.files.items()}


def filled(text: str, cell: Cell, size: int) -> str:
    """The text with values for {size} and the cell's {KEY}s; raises KeyError, ValueError or IndexError."""
    return text.format(**cell.values, size=size)


def case_name(cell: Cell, size: int) -> str:
    """The name of a case in tables."""
    return f"{cell.name}, {size}"


def read_emulated_runs(table: Table) -> EmulatedRuns:
    """Reads a table of runs; raises InputError with the wrong key."""
    cells = [_cell(cell) for cell in table.tables("cells")]
    baseline = table.get("baseline", str)
    if not cells:
        raise table.error("cells", [], "at least one")
    for cell in cells:
        if cell.nodes_at_once.keys() != cells[0].nodes_at_once.keys() or baseline not in cell.nodes_at_once:
            first = ", ".join(cells[0].nodes_at_once)
            raise InputError(
                f"cell '{cell.name}' has the placements {', '.join(cell.nodes_at_once)}; "
                f"expected {first}, as the first cell, with the baseline {baseline} among them",
                path=table.path,
            )
    files = _texts(table.table("files", {}))
    for cell in cells:
        _check_files(table.table("files", {}), files, cell)
    return EmulatedRuns(
        build=table.get("build", str),
        environment=_texts(table.table("environment", {})),
        files=files,
        measure=read_measure(table.table("measure", {})),
        baseline=baseline,
        cells=cells,
        mapped={label: _mapped(table.table("mapped"), label) for label in table.table("mapped", {}).values},
        quick=_scale(table.table("quick")),
        full=_scale(table.table("full")),
    )


def _cell(table: Table) -> Cell:
    at_once = table.table("nodes_at_once")
    return Cell(
        name=table.get("name", str),
        machine=table.get("machine", str),
        values=_texts(table.table("values", {})),
        nodes_at_once={label: at_once.whole(label, least=1) for label in at_once.values},
        labels=_texts(table.table("labels", {})),
    )


def _check_files(table: Table, files: dict[str, str], cell: Cell) -> None:
    for name, text in files.items():
        try:
            filled(text, cell, 1)
        except (KeyError, ValueError, IndexError) as error:
            known = ", ".join(f"{{{key}}}" for key in ("size", *cell.values))
            raise table.error(name, text, f"braces around nothing but {known} ('{error}')") from error


def _mapped(table: Table, label: str) -> Mapped:
    given = table.table(label)
    given.refuse_others(("solver", "objective"))
    return Mapped(given.get("solver", str, "auto"), given.get("objective", str, "") or None)


def _scale(table: Table) -> EmulatedScale:
    sizes = table.whole_numbers("sizes")
    if not sizes or 0 in sizes:
        raise table.error("sizes", sizes, "a list of sizes above 0")
    return EmulatedScale(sizes, read_protocol(table.table("runs", {})))


def _texts(table: Table) -> dict[str, str]:
    return {key: table.get(key, str) for key in table.values}
