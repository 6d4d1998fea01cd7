"""Tables of the mapping benchmark's samples."""

from __future__ import annotations

import math
from collections import defaultdict

Values = dict[str, dict[str, list[dict]]]


def _by_instance(samples: list[dict]) -> Values:
    """[instance][mapper] -> its valid samples, one per seed."""
    result: Values = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        if sample["hop_bytes"] is not None:
            result[sample["instance"]][sample["mapper"]].append(sample)
    return result


def _is_ours(mapper: str) -> bool:
    return mapper.startswith("corewise")


def _best_of_peers(runs: dict[str, list[dict]]) -> int | None:
    values = [s["hop_bytes"] for mapper, found in runs.items() if not _is_ours(mapper) for s in found]
    return min(values, default=None)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _geometric_mean(values: list[float]) -> float:
    return math.exp(_mean([math.log(v) for v in values]))


def ratios(samples: list[dict]) -> dict[str, dict[str, float]]:
    """[mapper][instance] -> mean hop-bytes over the seeds, relative to the best of all peers and seeds."""
    result: dict[str, dict[str, float]] = defaultdict(dict)
    for instance, runs in _by_instance(samples).items():
        best = _best_of_peers(runs)
        for mapper, found in runs.items():
            if best:
                result[mapper][instance] = _mean([s["hop_bytes"] for s in found]) / best
    return result


def print_tables(samples: list[dict]) -> None:
    """Prints a row per instance (mean value over seeds relative to the peers' best, CPU time), then means."""
    mappers = list(dict.fromkeys(s["mapper"] for s in samples))
    print("\nmean hop-bytes over the peers' best of all seeds (mean CPU seconds)")
    width = max(20, 2 + max(map(len, mappers), default=0))
    print(f"{'instance':<20}{'best of peers':>14}" + "".join(f"{m:>{width}}" for m in mappers))
    for instance, runs in _by_instance(samples).items():
        best = _best_of_peers(runs)
        cells = []
        for mapper in mappers:
            found = runs.get(mapper, [])
            if not found or not best:
                cells.append(f"{'-':>{width}}")
                continue
            ratio = _mean([s["hop_bytes"] for s in found]) / best
            cpu_s = f"({_mean([s['cpu_s'] for s in found]):.3f} s)"
            cells.append(f"{ratio:>{width - 11}.4f} {cpu_s:>10}")
        print(f"{instance:<20}{best or 0:>14}" + "".join(cells))
    _print_means(samples, mappers)


def _is_proven(runs: dict[str, list[dict]]) -> bool:
    """Whether one of our bounds proves that no mapping is better than the peers' best."""
    bounds = [s["bound"] for found in runs.values() for s in found if s["bound"] is not None]
    return max(bounds, default=-math.inf) >= _best_of_peers(runs)


def _print_means(samples: list[dict], mappers: list[str]) -> None:
    """Prints a mapper's geometric means over groups of instances, its worst run, and its failed runs."""
    found = ratios(samples)
    runs = {i: r for i, r in _by_instance(samples).items() if _best_of_peers(r)}
    groups = {
        "all": set(runs),
        "unproven": {i for i in runs if not _is_proven(runs[i])},
        "6:2:11 3D": {i for i in runs if i.endswith("3d_132")},
    }
    print("\ngeometric means over instances: all, those where the peers' best is not proven optimal, 3D")
    print("stencils on 6:2:11; then the worst single run over its instance's best of peers, and failed runs")
    print(
        f"{'':<26}"
        + "".join(f"{f'{name} ({len(group)})':>18}" for name, group in groups.items())
        + "     worst"
    )
    for mapper in mappers:
        means = []
        for group in groups.values():
            values = [ratio for i, ratio in found[mapper].items() if i in group]
            means.append(f"{_geometric_mean(values):.4f}" if values else "-")
        single = [s["hop_bytes"] / _best_of_peers(runs[i]) for i in runs for s in runs[i].get(mapper, [])]
        worst = f"{max(single):.4f}" if single else "-"
        faults = sum(s["mapper"] == mapper and s["hop_bytes"] is None for s in samples)
        print(f"{mapper:<26}" + "".join(f"{mean:>18}" for mean in means) + f"{worst:>10}{faults:>5}")
