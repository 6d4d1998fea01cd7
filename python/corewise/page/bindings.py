"""Section: each rank's binding, as requested and as seen from inside the rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corewise.machines.devices import device_name
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import RankBinding, Run, RunKey, all_verified, by_key, key_names
from corewise.nouns.tune_result import TuneResult
from corewise.text.quantities import counted, index_text
from corewise.text.table import TextTable

ROWS_OF_ALL_RANKS = 64  # with more ranks, those with correct bindings are folded by host
CORES, GPUS = "<core (logical index on its node)", "<GPUs near it"
DEVICES = "<GPUs and network cards that the rank sees"


class Place(NamedTuple):
    """The cores (logical, on the node) that a placement gives to a rank, and the GPUs near them, as text.

    `gpus` is None on a machine without GPUs.
    """

    cores: str
    gpus: str | None


def shown(result: TuneResult) -> dict[str, Any] | None:
    """The bindings of each placement's runs; None if no processes ran."""
    places = {one.label: _places(result.machine, one.placement) for one in result.candidates}
    return shown_runs(by_key(result.runs), places)


def shown_runs(
    runs: Mapping[RunKey, Sequence[Run]], places: Mapping[str, list[Place]] | None = None
) -> dict[str, Any] | None:
    """The same for any runs; `places` maps a label to the place of each rank.

    Ranks with wrong bindings or with a note on their GPU are `open`; `others` may be folded by host.
    """
    names = key_names(runs)
    tables = [
        _of_placement(names[key], key.label, repeats, (places or {}).get(key.label))
        for key, repeats in runs.items()
        if repeats[0].has_processes
    ]
    if not tables:
        return None
    return {"tables": tables, "verified": all_verified(run for of_key in runs.values() for run in of_key)}


def _of_placement(
    name: str, label: str, repeats: Sequence[Run], places: list[Place] | None
) -> dict[str, Any]:
    of_ranks: dict[int, list[RankBinding]] = {}
    for run in repeats:
        for binding in run.ranks:
            of_ranks.setdefault(binding.rank, []).append(binding)
    right = {
        rank: len(seen) == len(repeats) and all(binding.ok for binding in seen)
        for rank, seen in of_ranks.items()
    }
    noted = {rank for rank, seen in of_ranks.items() if any(binding.gpu_notes for binding in seen)}
    open_ranks = [rank for rank in sorted(of_ranks) if not right[rank] or rank in noted]
    fine = [rank for rank in sorted(of_ranks) if rank not in open_ranks]
    asked = any(seen[0].os_pus_wanted is not None for seen in of_ranks.values())
    gpus_asked = next((run.gpus_asked for run in repeats if run.gpus_asked), "")
    heads = _heads(of_ranks.values(), places)
    rows = {rank: _row(rank, of_ranks[rank], places, right[rank], heads) for rank in of_ranks}
    return {
        "name": name,
        "label": label,
        "n_ranks": len(of_ranks),
        "n_wrong": sum(not ok for ok in right.values()),
        "n_noted": sum(right[rank] for rank in noted),
        "asked": asked,
        "n_repeats": len(repeats),
        "notes": [*([f"GPUs that the command asks for: {gpus_asked}"] if gpus_asked else [])]
        + [*filter(None, [_threads_text(repeats)])],
        "open": TextTable(heads, [rows[rank] for rank in open_ranks]),
        "others": TextTable(heads, [rows[rank] for rank in fine])
        if len(of_ranks) <= ROWS_OF_ALL_RANKS
        else _folded({rank: of_ranks[rank][0].host for rank in fine}),
        "n_others": len(fine),
    }


def _heads(of_ranks: Iterable[list[RankBinding]], places: list[Place] | None) -> list[str]:
    with_devices = any(one.devices_text or one.other_devices for seen in of_ranks for one in seen)
    return [
        *(">rank", "<host"),
        *([CORES] if places else []),
        *([GPUS] if places and places[0].gpus is not None else []),
        *("<wanted (OS indices)", "<seen (OS indices)"),
        *([DEVICES] if with_devices else []),
        "<verdict",
    ]


def _row(
    rank: int, seen: list[RankBinding], places: list[Place] | None, is_right: bool, heads: list[str]
) -> list[str]:
    """Where the rank should run and where it was seen, as text."""
    host = ", ".join(sorted({binding.host for binding in seen})) or "not reported"
    wanted = seen[0].host_wanted
    outside = ", ".join(dict.fromkeys(thread for binding in seen for thread in binding.threads_outside))
    masks = sorted({_mask_text(binding.os_pus_seen, "not reported") for binding in seen})
    devices = " or ".join(dict.fromkeys(filter(None, (binding.devices_text for binding in seen))))
    faults = ", ".join(dict.fromkeys(one for binding in seen for one in binding.other_devices))
    notes = dict.fromkeys(note for binding in seen for note in binding.gpu_notes)
    asked = seen[0].os_pus_wanted is not None
    cells = {
        ">rank": str(rank),
        "<host": host + (f" wanted {wanted}" if wanted and wanted != host else ""),
        CORES: places[rank].cores if places else "",
        GPUS: (places[rank].gpus if places else None) or "",
        "<wanted (OS indices)": _mask_text(seen[0].os_pus_wanted, "nothing asked for"),
        "<seen (OS indices)": " or ".join(masks) + (f" threads that may leave: {outside}" if outside else ""),
        DEVICES: " ".join(filter(None, [devices or "no variable", faults, *notes])),
        "<verdict": ("as asked" if asked else "reported") if is_right else "differs",
    }
    return [cells[head] for head in heads]


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


def _folded(hosts: Mapping[int, str]) -> TextTable:
    """The ranks of each host; `hosts` are by rank."""
    by_host: dict[str, list[int]] = {}
    for rank, host in hosts.items():
        by_host.setdefault(host, []).append(rank)
    rows = [[host, str(len(ranks)), index_text(ranks)] for host, ranks in by_host.items()]
    return TextTable(["<host", ">ranks", "<which"], rows)
