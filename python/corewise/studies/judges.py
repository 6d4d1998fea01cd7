"""What a study's claims come to: a formula over the times measured here, or over the computed thread places.

A claim about the speed of a paper's machine can't be judged from another machine's times: these formulas only
set our number beside the paper's. Claims about where threads go are judged, since topology decides them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

from corewise.studies.thread_places import ThreadPlaces


class Point(NamedTuple):
    """A configuration that ran; `nodes` is the number of nodes that its processes stand for."""

    workload: str
    policy: str
    binding: str
    nodes: int


Times = dict[Point, float]  # s


@dataclass(frozen=True)
class Places:
    """The computed thread places of one machine, and which of its bindings equal an earlier one."""

    rows: list[ThreadPlaces]
    same_binding: dict[str, str | None]

    def of(self, policy: str, binding: str | None = None) -> list[ThreadPlaces]:
        """Rows of a policy, and of a binding where it is given."""
        return [row for row in self.rows if row.policy == policy and binding in (None, row.binding)]


def _groups(times: Times, *keys: str) -> list[Times]:
    """Points that agree in `keys`, together."""
    groups: dict[tuple, Times] = {}
    for point, time_s in times.items():
        groups.setdefault(tuple(getattr(point, key) for key in keys), {})[point] = time_s
    return list(groups.values())


def _least(times: Times, **wanted: str) -> float | None:
    """The least time of the points that have these values; None where there is none."""
    found = [
        time_s
        for point, time_s in times.items()
        if all(getattr(point, key) == value for key, value in wanted.items())
    ]
    return min(found, default=None)


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _less_one(ratio: float | None) -> float | None:
    return None if ratio is None else ratio - 1


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def binding_noise(times: Times, binding: str, same: str) -> float | None:
    """Median of max / min - 1 over two bindings that give the same cores: how far equal runs differ."""
    differences = []
    for group in _groups(times, "workload", "policy", "nodes"):
        ratio = _ratio(_least(group, binding=binding), _least(group, binding=same))
        differences.append(None if ratio is None else max(ratio, 1 / ratio) - 1)
    return median(_known(differences)) if _known(differences) else None


def policy_spread(times: Times) -> float | None:
    """Median over workloads, bindings and nodes of max / min - 1 over policies."""
    groups = [group for group in _groups(times, "workload", "binding", "nodes") if len(group) > 1]
    return median(max(group.values()) / min(group.values()) - 1 for group in groups) if groups else None


def motif_2_slowdown(times: Times) -> float | None:
    """min(t_default, t_singlified) / t_new_pin - 1 of motif_2, each the least over bindings."""
    others = _known(_least(times, workload="motif_2", policy=policy) for policy in ("default", "singlified"))
    return _less_one(_ratio(min(others, default=None), _least(times, workload="motif_2", policy="new_pin")))


def new_pin_worst(times: Times) -> float | None:
    """Workloads in which new_pin, the least over bindings, is the slowest policy."""
    worst = 0
    for group in _groups(times, "workload"):
        own = _least(group, policy="new_pin")
        others = _known(_least(group, policy=policy) for policy in ("default", "singlified"))
        worst += own is not None and bool(others) and own > max(others)
    return worst if times else None


def new_pin_gain(times: Times) -> float | None:
    """Mean over workloads of min(t_default, t_singlified) / t_new_pin - 1, each the least over bindings."""
    gains = []
    for group in _groups(times, "workload"):
        others = _known(_least(group, policy=policy) for policy in ("default", "singlified"))
        gains.append(_less_one(_ratio(min(others, default=None), _least(group, policy="new_pin"))))
    return fmean(_known(gains)) if _known(gains) else None


def _finest(times: Times) -> str:
    """The finest binding that ran."""
    return max((point.binding for point in times), key=("board", "socket", "numa").index)


def singlified_finest_best(times: Times) -> float | None:
    """Workloads whose fastest configuration is singlified with the finest binding."""
    if not times:
        return None
    best = [min(group, key=group.__getitem__) for group in _groups(times, "workload")]
    return sum((point.policy, point.binding) == ("singlified", _finest(times)) for point in best)


def motif_2_speedup(times: Times) -> float | None:
    """Greatest t_default over bindings / t_singlified with the finest binding, of motif_2."""
    slow = max((t for p, t in times.items() if p[:2] == ("motif_2", "default")), default=None)
    if slow is None:
        return None
    return _ratio(slow, _least(times, workload="motif_2", policy="singlified", binding=_finest(times)))


def finer_binding_best(times: Times) -> float | None:
    """Share of workloads whose fastest configuration has a finer binding than board."""
    best = [min(group, key=group.__getitem__) for group in _groups(times, "workload")]
    return fmean(point.binding != "board" for point in best) if best else None


def motif_binding_gain(times: Times) -> float | None:
    """The lesser of motif_1's and motif_2's t_board / t_socket - 1, each the least over policies."""
    gains = [
        _ratio(_least(times, workload=name, binding="board"), _least(times, workload=name, binding="socket"))
        for name in ("motif_1", "motif_2")
    ]
    return min(_known(map(_less_one, gains)), default=None)


def pin_slowest(times: Times) -> float | None:
    """Share of node counts and bindings at which pin is the slowest policy."""
    groups = [group for group in _groups(times, "nodes", "binding") if len(group) > 1]
    slowest = [max(group, key=group.__getitem__).policy == "pin" for group in groups]
    return fmean(slowest) if slowest else None


def board_over_socket_range(times: Times) -> float | None:
    """Greatest over least t_board / t_socket of all policies and node counts."""
    ratios = _known(
        _ratio(_least(group, binding="board"), _least(group, binding="socket"))
        for group in _groups(times, "policy", "nodes")
    )
    return max(ratios) / min(ratios) if ratios else None


def _numa_is_socket(places: Places) -> tuple[float | str, bool]:
    same = places.same_binding["numa"] == "socket"
    return ("the same cores" if same else "other cores"), same


def _singlified_cores(places: Places) -> tuple[float | str, bool]:
    doubled = max(row.doubled_cores for row in places.of("singlified"))
    return doubled, doubled == 0


def _new_pin_violations(places: Places) -> tuple[float | str, bool]:
    violations = sum(
        row.shared_cores + row.outside + row.mixed_cores + (not row.adjacent) + (row.near_card - row.at_card)
        for row in places.of("new_pin")
    )
    return violations, violations == 0


def _pin_collisions(places: Places) -> tuple[float | str, bool]:
    shared = max(row.shared_cores for row in places.of("pin", "socket"))
    return shared, shared > 0


def _pin_on_hardware_threads(places: Places) -> tuple[float | str, bool]:
    shared = max(row.shared_cores for row in places.of("pin", "board"))
    return shared, shared > 0


# Sorted by name; a study's claim names one.
MEASURED: dict[str, Callable[[Times], float | None]] = {
    "board-over-socket-range": board_over_socket_range,
    "finer-binding-best": finer_binding_best,
    "motif-2-slowdown": motif_2_slowdown,
    "motif-2-speedup": motif_2_speedup,
    "motif-binding-gain": motif_binding_gain,
    "new-pin-gain": new_pin_gain,
    "new-pin-worst": new_pin_worst,
    "pin-slowest": pin_slowest,
    "policy-spread": policy_spread,
    "singlified-finest-best": singlified_finest_best,
}
COMPUTED: dict[str, Callable[[Places], tuple[float | str, bool]]] = {
    "new-pin-violations": _new_pin_violations,
    "numa-is-socket": _numa_is_socket,
    "pin-collisions": _pin_collisions,
    "pin-on-hardware-threads": _pin_on_hardware_threads,
    "singlified-cores": _singlified_cores,
}
