"""Section: each rank's binding, as requested and as seen from inside the rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corewise.machines.devices import device_name
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import RankBinding, Run, RunKey, all_verified, by_key, key_names
from corewise.nouns.tune_result import TuneResult
from corewise.text.quantities import counted, index_text

TITLE = "Bindings"
ROWS_OF_ALL_RANKS = 64  # with more ranks, those with correct bindings are folded by host


@dataclass(frozen=True)
class Place:
    """The cores (logical, on the node) that a placement gives to a rank, and the GPUs near them, as text.

    `gpus` is None on a machine without GPUs.
    """

    cores: str
    gpus: str | None


@dataclass(frozen=True)
class Row:
    """A rank: where it should run and where it was seen, as text; `place` is None if unknown.

    `threads` are threads that may run outside the wanted mask. `devices` are the variables and files of GPUs
    and network cards, `devices_wrong` the variables that differ from the wanted ones, and `gpu_notes` reasons
    for another GPU.
    """

    rank: int
    host: str
    host_wanted: str | None
    place: Place | None
    asked: bool
    wanted: str
    seen: str
    threads: str
    devices: str
    devices_wrong: str
    gpu_notes: list[str]
    ok: bool


@dataclass(frozen=True)
class Folded:
    """The ranks of a host, all with correct bindings."""

    host: str
    ranks: str
    n_ranks: int


@dataclass(frozen=True)
class Bindings:
    """The bindings of a placement's repeats.

    `shown` are ranks with wrong bindings (`n_wrong`) or a note on their GPU (`n_noted`); others are rows
    `fine` or `folded`.

    `gpus_asked` are options and variables of the command that ask for GPUs, and `threads` is a sentence on
    the program's threads; both may be empty.
    """

    name: str
    label: str
    n_ranks: int
    n_wrong: int
    n_noted: int
    asked: bool
    n_repeats: int
    shown: list[Row]
    fine: list[Row]
    folded: list[Folded]
    with_cores: bool
    with_gpus: bool
    with_devices: bool
    gpus_asked: str
    threads: str


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    tables: list[Bindings]
    verified: bool | None


def context(result: TuneResult) -> Context | None:
    """The bindings of each placement's runs; None if no processes ran."""
    places = {one.label: _places(result.machine, one.placement) for one in result.candidates}
    return context_of_runs(by_key(result.runs), places)


def context_of_runs(
    runs: Mapping[RunKey, Sequence[Run]], places: Mapping[str, list[Place]] | None = None
) -> Context | None:
    """The same for any runs; `places` maps a label to the place of each rank."""
    names = key_names(runs)
    tables = [
        _table(names[key], key.label, repeats, (places or {}).get(key.label))
        for key, repeats in runs.items()
        if repeats[0].has_processes
    ]
    if not tables:
        return None
    return Context(tables, all_verified(run for repeats in runs.values() for run in repeats))


def _table(name: str, label: str, repeats: Sequence[Run], places: list[Place] | None) -> Bindings:
    bindings: dict[int, list[RankBinding]] = {}
    for run in repeats:
        for binding in run.ranks:
            bindings.setdefault(binding.rank, []).append(binding)
    rows = [_row(rank, of_rank, len(repeats), places) for rank, of_rank in sorted(bindings.items())]
    shown = [row for row in rows if not row.ok or row.gpu_notes]
    fine = [row for row in rows if row.ok and not row.gpu_notes]
    n_wrong = sum(not row.ok for row in rows)
    many = len(rows) > ROWS_OF_ALL_RANKS
    return Bindings(
        name=name,
        label=label,
        n_ranks=len(bindings),
        n_wrong=n_wrong,
        n_noted=len(shown) - n_wrong,
        asked=any(row.asked for row in rows),
        n_repeats=len(repeats),
        shown=shown,
        fine=[] if many else fine,
        folded=_fold(fine) if many else [],
        with_cores=places is not None,
        with_gpus=any(place.gpus is not None for place in places or []),
        with_devices=any(row.devices or row.devices_wrong for row in rows),
        gpus_asked=next((run.gpus_asked for run in repeats if run.gpus_asked), ""),
        threads=_threads_text(repeats),
    )


def _row(rank: int, of_rank: list[RankBinding], n_repeats: int, places: list[Place] | None) -> Row:
    seen = {_mask_text(binding.os_pus_seen, "not reported") for binding in of_rank}
    return Row(
        rank=rank,
        host=", ".join(sorted({binding.host for binding in of_rank})),
        host_wanted=of_rank[0].host_wanted,
        place=places[rank] if places else None,
        asked=of_rank[0].os_pus_wanted is not None,
        wanted=_mask_text(of_rank[0].os_pus_wanted, "nothing asked for"),
        seen=" or ".join(sorted(seen)),
        threads=", ".join(dict.fromkeys(thread for binding in of_rank for thread in binding.threads_outside)),
        devices=" or ".join(dict.fromkeys(filter(None, (binding.devices_text for binding in of_rank)))),
        devices_wrong=", ".join(dict.fromkeys(one for binding in of_rank for one in binding.other_devices)),
        gpu_notes=list(dict.fromkeys(note for binding in of_rank for note in binding.gpu_notes)),
        ok=len(of_rank) == n_repeats and all(binding.ok for binding in of_rank),
    )


def _places(machine: Machine, placement: Placement) -> list[Place]:
    gpus = [[one for one in machine.devices(node) if one.kind == "gpu"] for node in range(machine.n_nodes)]
    places = []
    for node, cores in zip(placement.node, placement.cores, strict=True):
        near = [device_name(one) for one in gpus[node] if {*one.cores} & {*cores}]
        places.append(Place(index_text(cores), ("; ".join(near) or "none") if any(gpus) else None))
    return places


def _threads_text(repeats: Sequence[Run]) -> str:
    """The note on threads that share cores, or a sentence that none do; empty if unknown."""
    note = next((run.threads_note for run in repeats if run.threads_note), None)
    known = next((run for run in repeats if run.n_threads and run.n_threads_without_core == 0), None)
    if note or known is None:
        return note or ""
    ranks = counted(len(known.ranks), "rank")
    return f"{counted(known.n_threads or 0, 'thread')} of {ranks} worked; each can have its own core."


def _mask_text(os_pus: list[int] | None, absent: str) -> str:
    return absent if os_pus is None else index_text(os_pus)


def _fold(rows: list[Row]) -> list[Folded]:
    by_host: dict[str, list[int]] = {}
    for row in rows:
        by_host.setdefault(row.host, []).append(row.rank)
    return [Folded(host, index_text(ranks), len(ranks)) for host, ranks in by_host.items()]
