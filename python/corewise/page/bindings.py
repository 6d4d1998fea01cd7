"""Section: each rank's binding, as asked for and as seen from inside the rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corewise.nouns.run import RankBinding, Run, RunKey, all_verified, by_key, key_names
from corewise.nouns.tune_result import TuneResult
from corewise.text.quantities import index_text

TITLE = "Bindings"
ROWS_OF_ALL_RANKS = 64  # above this, ranks with nothing to report are folded host by host


def context(result: TuneResult) -> dict[str, Any] | None:
    """None where no processes ran."""
    cores = {one.label: [index_text(of) for of in one.placement.cores] for one in result.candidates}
    return context_of_runs(by_key(result.runs), cores)


def context_of_runs(
    runs: Mapping[RunKey, Sequence[Run]], cores: Mapping[str, list[str]] | None = None
) -> dict[str, Any] | None:
    """None where no processes ran. `cores` maps a label to each rank's logical cores on its node, as text."""
    names = key_names(runs)
    tables = [
        {"name": names[key]} | _table(key.label, repeats, (cores or {}).get(key.label))
        for key, repeats in runs.items()
        if repeats[0].has_processes
    ]
    if not tables:
        return None
    return {"tables": tables, "verified": all_verified(run for repeats in runs.values() for run in repeats)}


def _table(label: str, repeats: Sequence[Run], cores: list[str] | None) -> dict[str, Any]:
    bindings: dict[int, list[RankBinding]] = {}
    for run in repeats:
        for binding in run.ranks:
            bindings.setdefault(binding.rank, []).append(binding)
    rows = [_row(rank, of_rank, len(repeats), cores) for rank, of_rank in sorted(bindings.items())]
    wrong = [row for row in rows if not row["ok"]]
    asked = any(row["asked"] for row in rows)
    folded = []
    if len(rows) > ROWS_OF_ALL_RANKS:
        folded = _fold([row for row in rows if row["ok"]])
        rows = wrong
    return {
        "label": label,
        "n_ranks": len(bindings),
        "n_wrong": len(wrong),
        "asked": asked,
        "n_repeats": len(repeats),
        "rows": rows,
        "folded": folded,
        "with_cores": cores is not None,
        "threads_note": next((run.threads_note for run in repeats if run.threads_note), None),
    }


def _row(rank: int, of_rank: list[RankBinding], n_repeats: int, cores: list[str] | None) -> dict[str, Any]:
    seen = {_mask_text(binding.os_pus_seen, "not reported") for binding in of_rank}
    return {
        "rank": rank,
        "host": ", ".join(sorted({binding.host for binding in of_rank})),
        "host_wanted": of_rank[0].host_wanted,
        "core": cores[rank] if cores else None,
        "asked": of_rank[0].os_pus_wanted is not None,
        "wanted": _mask_text(of_rank[0].os_pus_wanted, "nothing asked for"),
        "seen": " or ".join(sorted(seen)),
        "ok": len(of_rank) == n_repeats and all(binding.ok for binding in of_rank),
    }


def _mask_text(os_pus: list[int] | None, absent: str) -> str:
    return absent if os_pus is None else index_text(os_pus)


def _fold(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a host: its ranks and the union of what was seen there."""
    by_host: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_host.setdefault(row["host"], []).append(row)
    return [
        {"host": host, "ranks": index_text(row["rank"] for row in of_host), "n_ranks": len(of_host)}
        for host, of_host in by_host.items()
    ]
