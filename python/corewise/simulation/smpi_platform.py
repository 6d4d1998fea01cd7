"""Converts a machine to a SimGrid platform: a host for each core, a router for each object, and links.

The platform is the machine's tree. A message crosses the links from its sender's core up to where the two
cores meet, and down again, and shares each link fairly with other messages. SimGrid adds up the latencies of
a route. A link of class k therefore gets half of the difference between the latencies of level k and of the
level below.

In a torus, there is a route between any two nodes over the links in dimension order. SimGrid's own torus
clusters can't be used, because they have no structure within a node.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod

import numpy as np

from corewise.errors import InputError
from corewise.model import LinkFigures, Machine, Torus

HOST_FLOPS = 1e9  # of every core; 1e9 flop in a trace take a second

_HEAD = """\
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="machine" routing="DijkstraCache">
"""
_TAIL = "</zone>\n</platform>\n"


def host_name(core: int) -> str:
    """The platform's name of a core (numbered over the whole machine)."""
    return f"core-{core}"


def platform_xml(machine: Machine, cores: Iterable[int]) -> str:
    """The platform with only these cores of the machine, and what connects them.

    Raises InputError for a machine without bandwidths.
    """
    links = link_classes(machine)
    used = np.unique(np.fromiter(cores, dtype=np.int64))
    elements = [f'<host id="{host_name(core)}" speed="{HOST_FLOPS / 1e9:g}Gf"/>\n' for core in used]
    routes: list[str] = []  # written last, because they name links and routers
    for level, link in enumerate(links, 1):
        parent_of_core = machine.group_of_core(level)[used]
        child_of_core = used if level == 1 else machine.group_of_core(level - 1)[used]
        children, first = np.unique(child_of_core, return_index=True)
        parent_of = dict(zip(children.tolist(), parent_of_core[first].tolist(), strict=True))
        if machine.torus and level == machine.n_levels:
            elements += _links(level, link, parent_of) + _torus_links(machine.torus, list(parent_of))
            routes += _torus_routes(machine.torus, level, link, parent_of)
            continue
        elements += _routers(level, parent_of) + _links(level, link, parent_of)
        for child, parent in parent_of.items():
            routes += _routes(level, link, child, parent)
    return "".join([_HEAD, *elements, *routes, _TAIL])


@dataclass(frozen=True)
class LinkClass:
    """The links of one level; bytes/s, None for no limit.

    Each object of the level below has a link to its parent with `latency_s` and with `bandwidth` in each
    direction. `stream` limits a single message, `both_ways` both directions together, `bus` all traffic
    between the parent and its children.
    """

    latency_s: float
    bandwidth: float
    stream: float | None = None
    both_ways: float | None = None
    bus: float | None = None


def link_classes(machine: Machine) -> list[LinkClass]:
    """The links of each level, bottom-up. Raises InputError for a machine without bandwidths."""
    if not machine.has_figures:
        raise InputError(f"{machine.name} has no bandwidths (a bare tree); expected a machine that has them")
    latencies = list(accumulate((level.link.latency_s for level in machine.levels), max, initial=0.0))
    return [
        _link_class(level.link, (latency - below) / 2)
        for level, (below, latency) in zip(machine.levels, pairwise(latencies), strict=True)
    ]


def loopback(machine: Machine) -> tuple[float, float]:
    """Latency (s) and bandwidth (bytes/s) between ranks of one core, taken from the lowest level."""
    lowest = machine.levels[0].link
    return lowest.latency_s, lowest.bandwidth_bytes_per_s


def _link_class(figures: LinkFigures, latency_s: float) -> LinkClass:
    """The links for these figures; loads show a link's bandwidth for several messages, and what is shared."""
    one = figures.bandwidth_bytes_per_s
    on_one_link = [rate for _, links, both_ways, rate, *_ in figures.loads if links == 1 and not both_ways]
    bandwidth = max([one, *on_one_link])
    together = [rate for _, links, both_ways, rate, *_ in figures.loads if links == 1 and both_ways]
    both = max([bandwidth, *together])
    over_all = [rate for _, links, _, rate, *_ in figures.loads if links > 1]
    # A message between children of the parent is on its bus twice: on the way up and on the way down.
    bus = 2 * max(over_all) if figures.shares_bus else None
    return LinkClass(
        latency_s,
        bandwidth,
        stream=one if one < bandwidth else None,
        both_ways=both if together and both < 2 * bandwidth else None,
        bus=bus,
    )


def _routers(level: int, parent_of: dict[int, int]) -> list[str]:
    return [f'<router id="{_router(level, parent)}"/>\n' for parent in dict.fromkeys(parent_of.values())]


def _links(level: int, link: LinkClass, parent_of: dict[int, int]) -> list[str]:
    """What joins the objects of the level below to those of the level."""
    lines = []
    if link.bus:
        buses = [f"bus-{level}-{parent}" for parent in dict.fromkeys(parent_of.values())]
        lines += [_link(bus, link.bus, 0, "SHARED") for bus in buses]
    if link.stream:
        lines.append(_link(f"stream-{level}", link.stream, 0, "FATPIPE"))
    for child in parent_of:
        lines.append(_link(f"link-{level}-{child}", link.bandwidth, link.latency_s, "SPLITDUPLEX"))
        if link.both_ways:
            lines.append(_link(f"both-{level}-{child}", link.both_ways, 0, "SHARED"))
    return lines


def _routes(level: int, link: LinkClass, child: int, parent: int) -> list[str]:
    """The routes from the child to its parent and back."""
    below, above = _below(level, child), _router(level, parent)
    return [
        _route(src, dst, _crossed(level, link, child, parent, direction))
        for src, dst, direction in ((below, above, "UP"), (above, below, "DOWN"))
    ]


def _crossed(level: int, link: LinkClass, child: int, parent: int, direction: str) -> str:
    """Everything that a message crosses between a child and its parent in one direction."""
    shared = [f"stream-{level}"] if link.stream else []
    shared += [f"both-{level}-{child}"] if link.both_ways else []
    shared += [f"bus-{level}-{parent}"] if link.bus else []
    others = "".join(f'<link_ctn id="{name}"/>' for name in shared)
    return f'<link_ctn id="link-{level}-{child}" direction="{direction}"/>{others}'


def _torus_routes(torus: Torus, level: int, link: LinkClass, parent_of: dict[int, int]) -> list[str]:
    """From each node to each other node: out of the node, through the torus, into the node."""
    points = torus.point_of_node
    return [
        _route(
            _below(level, a),
            _below(level, b),
            _crossed(level, link, a, parent_of[a], "UP")
            + "".join(_torus_link(torus, hop) for hop in torus.route(points[a], points[b]))
            + _crossed(level, link, b, parent_of[b], "DOWN"),
        )
        for a in parent_of
        for b in parent_of
        if a != b
    ]


def _torus_links(torus: Torus, nodes: list[int]) -> list[str]:
    """The links that messages between the nodes cross, each for both directions."""
    points = [torus.point_of_node[node] for node in nodes]
    crossed = {_forwards(torus, hop) for a in points for b in points for hop in torus.route(a, b)}
    return [
        _link(f"torus-{axis}-{point}", torus.bandwidth_bytes_per_s, torus.hop_latency_s, "SPLITDUPLEX")
        for point, axis in sorted(crossed)
    ]


def _torus_link(torus: Torus, hop: tuple[int, int, bool]) -> str:
    point, axis = _forwards(torus, hop)
    return f'<link_ctn id="torus-{axis}-{point}" direction="{"DOWN" if hop[2] else "UP"}"/>'


def _forwards(torus: Torus, hop: tuple[int, int, bool]) -> tuple[int, int]:
    """(point, axis) that names the link of a hop: the point where it begins in forward direction."""
    point, axis, backwards = hop
    if not backwards:
        return point, axis
    stride, size = prod(torus.sizes[:axis]), torus.sizes[axis]
    at = point // stride % size
    return point + ((at - 1) % size - at) * stride, axis


def _route(src: str, dst: str, links: str) -> str:
    return f'<route src="{src}" dst="{dst}" symmetrical="NO">{links}</route>\n'


def _below(level: int, child: int) -> str:
    return host_name(child) if level == 1 else _router(level - 1, child)


def _router(level: int, group: int) -> str:
    return f"group-{level}-{group}"


def _link(name: str, bandwidth: float, latency_s: float, policy: str) -> str:
    return (
        f'<link id="{name}" bandwidth="{bandwidth:.9g}Bps" latency="{latency_s:.9g}s" '
        f'sharing_policy="{policy}"/>\n'
    )
