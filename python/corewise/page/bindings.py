"""Section: each rank's binding, as asked for and as seen from inside the rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corewise.nouns.run import RankBinding, Run, RunKey, all_verified, by_key, key_names
from corewise.nouns.tune_result import TuneResult
from corewise.text.quantities import index_text

TITLE = "Bindings"
ROWS_OF_ALL_RANKS = 64  # above this, ranks with nothing to report are folded host by host


@dataclass(frozen=True)
class Row:
    """A rank: where it was asked to run and where it was seen, in words; `core` may be unknown."""

    rank: int
    host: str
    host_wanted: str | None
    core: str | None
    asked: bool
    wanted: str
    seen: str
    ok: bool


@dataclass(frozen=True)
class Folded:
    """The ranks of a host that all ran as they were asked to."""

    host: str
    ranks: str
    n_ranks: int


@dataclass(frozen=True)
class Bindings:
    """The bindings of a placement's repeats: ranks as `rows`, or those that differ, and others `folded`."""

    name: str
    label: str
    n_ranks: int
    n_wrong: int
    asked: bool
    n_repeats: int
    rows: list[Row]
    folded: list[Folded]
    with_cores: bool
    threads_note: str | None


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    tables: list[Bindings]
    verified: bool | None


def context(result: TuneResult) -> Context | None:
    """None where no processes ran."""
    cores = {one.label: [index_text(of) for of in one.placement.cores] for one in result.candidates}
    return context_of_runs(by_key(result.runs), cores)


def context_of_runs(
    runs: Mapping[RunKey, Sequence[Run]], cores: Mapping[str, list[str]] | None = None
) -> Context | None:
    """None where no processes ran. `cores` maps a label to each rank's logical cores on its node, as text."""
    names = key_names(runs)
    tables = [
        _table(names[key], key.label, repeats, (cores or {}).get(key.label))
        for key, repeats in runs.items()
        if repeats[0].has_processes
    ]
    if not tables:
        return None
    return Context(tables, all_verified(run for repeats in runs.values() for run in repeats))


def _table(name: str, label: str, repeats: Sequence[Run], cores: list[str] | None) -> Bindings:
    bindings: dict[int, list[RankBinding]] = {}
    for run in repeats:
        for binding in run.ranks:
            bindings.setdefault(binding.rank, []).append(binding)
    rows = [_row(rank, of_rank, len(repeats), cores) for rank, of_rank in sorted(bindings.items())]
    wrong = [row for row in rows if not row.ok]
    asked = any(row.asked for row in rows)
    folded: list[Folded] = []
    if len(rows) > ROWS_OF_ALL_RANKS:
        folded = _fold([row for row in rows if row.ok])
        rows = wrong
    note = next((run.threads_note for run in repeats if run.threads_note), None)
    n_ranks, with_cores = len(bindings), cores is not None
    return Bindings(name, label, n_ranks, len(wrong), asked, len(repeats), rows, folded, with_cores, note)


def _row(rank: int, of_rank: list[RankBinding], n_repeats: int, cores: list[str] | None) -> Row:
    seen = {_mask_text(binding.os_pus_seen, "not reported") for binding in of_rank}
    return Row(
        rank=rank,
        host=", ".join(sorted({binding.host for binding in of_rank})),
        host_wanted=of_rank[0].host_wanted,
        core=cores[rank] if cores else None,
        asked=of_rank[0].os_pus_wanted is not None,
        wanted=_mask_text(of_rank[0].os_pus_wanted, "nothing asked for"),
        seen=" or ".join(sorted(seen)),
        ok=len(of_rank) == n_repeats and all(binding.ok for binding in of_rank),
    )


def _mask_text(os_pus: list[int] | None, absent: str) -> str:
    return absent if os_pus is None else index_text(os_pus)


def _fold(rows: list[Row]) -> list[Folded]:
    """One row a host."""
    by_host: dict[str, list[int]] = {}
    for row in rows:
        by_host.setdefault(row.host, []).append(row.rank)
    return [Folded(host, index_text(ranks), len(ranks)) for host, ranks in by_host.items()]
