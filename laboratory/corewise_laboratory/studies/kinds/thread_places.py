"""Kind `thread-places`: places of threads by policy on a node of the paper's machines, computed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

import corewise
from corewise.plugin.documents import Table
from corewise.plugin.figures import TextTable

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.studies.thread_places import ThreadPlaces, bindings_of, thread_places

_NOTES = [
    "One node, all processes together, as the affinity library plans their threads; where the network cards "
    "hang and which cores share an L3 is assumed.",
    "Shared cores have several pinned threads; outside: threads that leave their process's cores; mixed: "
    "cores of workers and others of one process; in one piece: each role's cores are adjacent; a dash: not "
    "pinned. The last column: the smallest object that holds the network card and all cores that a process's "
    "comm_server may use, with the number of processes.",
]


@dataclass(frozen=True)
class ThreadPlacesSpec:
    """`machines` are names of files in topologies/; `bindings` are names in process_binding."""

    machines: list[str]
    policies: list[str]
    bindings: list[str]

    axes = ("machine", "binding", "policy", "same_as")


def _read(table: Table) -> ThreadPlacesSpec:
    table.refuse_others(("kind", "machines", "policies", "bindings"))
    return ThreadPlacesSpec(table.texts("machines"), table.texts("policies"), table.texts("bindings"))


def topology_of(machine: str) -> Path:
    """The path of the hwloc XML of a node, with its network card."""
    return Path(str(resources.files("corewise_laboratory") / "studies" / "topologies" / f"{machine}.xml"))


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    """Rows; a binding with the same cores as an earlier one gets only that one's name, `same_as`."""
    options.tell("computing thread places")
    spec: ThreadPlacesSpec = runs.spec
    places: list[ThreadPlaces] = []
    same: dict[str, dict[str, str | None]] = {}
    for machine in spec.machines:
        xml_path = topology_of(machine)
        same[machine] = bindings_of(corewise.machine(str(xml_path)), spec.bindings)
        places += [
            thread_places(xml_path, binding, policy)
            for binding, of in same[machine].items()
            if of is None
            for policy in spec.policies
        ]
    repeated = [
        ResultRow({"machine": machine, "binding": binding, "same_as": of}, {})
        for machine, bindings in same.items()
        for binding, of in bindings.items()
        if of
    ]
    return Outcome(
        rows=[_row(each) for each in places] + repeated,
        decides=True,
        because="as our affinity library plans threads on the machine's topology",
        tables={"Thread places (computed)": _table(places, same)},
        document={"places": [asdict(each) for each in places], "same_bindings": same},
    )


def _row(places: ThreadPlaces) -> ResultRow:
    labels = {"machine": places.machine, "binding": places.binding, "policy": places.policy}
    numbers = {name: value for name, value in asdict(places).items() if type(value) is int}
    adjacent = None if places.adjacent is None else float(places.adjacent)
    return ResultRow(labels, numbers | {"adjacent": adjacent})


def _table(places: list[ThreadPlaces], same: dict[str, dict[str, str | None]]) -> TextTable:
    """A row for each machine, binding and policy, with the places of a node's threads."""
    heads = [
        "<machine",
        "<binding",
        "<policy",
        ">processes",
        ">threads",
        ">shared cores",
        ">most on one",
        ">idle",
    ]
    heads += [">outside", ">mixed", "<in one piece", ">helper domains", "<comm_server and card in one"]
    notes = [
        f"{machine}: {name} binding has the same cores as {of}."
        for machine, bindings in same.items()
        for name, of in bindings.items()
        if of
    ]
    notes += [f"{row.machine}, {row.binding}, {row.policy}: {row.sharing}." for row in places if row.sharing]
    return TextTable(heads, [_cells(row) for row in places], notes + _NOTES)


def _cells(row: ThreadPlaces) -> list[str]:
    cells = [row.machine, row.binding, row.policy, str(row.n_processes), str(row.n_threads)]
    distance = ", ".join(
        name if row.n_processes == 1 else f"{name}: {n}" for name, n in sorted(row.card_distance.items())
    )
    if row.adjacent is None:
        return [*cells, "-", "-", str(row.idle_cores), str(row.outside), "-", "-", "-", distance]
    numbers = (row.shared_cores, row.most_on_a_core, row.idle_cores, row.outside, row.mixed_cores)
    return [*cells, *map(str, numbers), "yes" if row.adjacent else "no", str(row.helper_domains), distance]


KIND = Kind(
    name="thread-places",
    sentence="where thread policies put the threads of a node, as the affinity library plans them",
    starts=False,
    read=_read,
    run=_run,
    source_of=lambda _: "computed",
)
