"""corewise topo: the machine, this one or any other, as text, JSON or SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corewise.cli.help import GroupedCommand
from corewise.cli.listing import print_noun
from corewise.cli.options import json_option, machine_option, picture_option
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.model import Device, Machine
    from corewise.nouns.machine_summary import MachineSummary
    from corewise.plots.picture_file import Picture


@click.command(cls=GroupedCommand, epilog="Example:  corewise topo --machine draco:16 --picture draco.svg")
@machine_option()
@picture_option("The tree.", by_form="svg")
@click.option("--list", "list_presets", is_flag=True, help="List the presets.")
@json_option()
def command(spec: str, pictures: list[Picture], list_presets: bool, as_json: bool) -> None:
    """Show a machine: its tree, its levels, and the latency and bandwidth of their links.

    M is local (this machine), a preset with a number of nodes (draco:16, jaguar-xt5:10+8), a file of
    corewise (.toml) or hwloc (.xml), synthetic:NODES:STRING in hwloc's syntax, tree:ARITIES@DISTANCES (lowest
    level first), or slurm:NODES:TOPOLOGY_CONF:NODE (nodes n[0-3] below Slurm's switches, each like machine
    NODE). All forms: docs/reference/machines.md.
    """
    if list_presets:
        _print_presets(as_json)
        return
    from corewise.machines import load
    from corewise.plots.tree import machine_figure

    machine = load(spec)
    for picture in pictures:
        picture.write_figure(lambda: machine_figure(machine))
    print_noun(_summary(machine), as_json, lambda: _text(machine), indent=1)


def _print_presets(as_json: bool) -> None:
    from corewise.machines import preset, presets

    files = [preset(name) for name in presets()]
    if as_json:
        rows = [
            {"name": file.name, "summary": file.summary, "nodes": str(file.nodes), "source": file.source}
            | {"facts": file.facts}
            for file in files
        ]
        click.echo(json_text({"presets": rows}, indent=1))
        return
    width = max(len(file.name) for file in files)
    for file in files:
        click.echo(f"{file.name:<{width}}  {file.summary}")


def _summary(machine: Machine) -> MachineSummary:
    """What `--json` prints."""
    from msgspec import UNSET

    from corewise.nouns.machine import TorusColumns
    from corewise.nouns.machine_summary import DeviceSummary, LevelSummary, MachineSummary

    levels = []
    for number, names, count in _objects(machine):
        if not number:
            levels.append(LevelSummary(name=names[0], names=names, count=count))
            continue
        level = machine.levels[number - 1]
        others: dict[str, Any] = {"name": level.name if level.name in names else names[0], "names": names}
        if not machine.has_figures:
            others |= {"latency_s": None, "bandwidth_bytes_per_s": None}
        if not (level.link.curve or level.link.loads or level.link.latency_bounds_s):
            others |= {"duplex": UNSET, "shares_bus": UNSET}
        of_level = {"count": count, "distance": level.distance, "assumed": level.assumed}
        levels.append(LevelSummary.of(level.link, **others, **of_level))
    own = ("kind", "bus_id", "part", "n_parts", "names", "fabric", "attached_to", "numa_domains", "cores")
    devices = [
        DeviceSummary(nodes=nodes, **{name: getattr(device, name) for name in own})
        for nodes, device in _devices(machine)
    ]
    return MachineSummary(
        machine=machine.name,
        n_nodes=machine.n_nodes,
        n_cores=machine.n_cores,
        n_pus=machine.n_pus,
        levels=levels,
        node_level=machine.node_level,
        torus=TorusColumns.of(machine.torus) if machine.torus else None,
        numa_nodes=machine.n_memory_nodes or None,
        fingerprint=machine.fingerprint,
        devices=devices,
    )


def _objects(machine: Machine) -> list[tuple[int, list[str], int]]:
    """(level, names, count), bottom-up; kinds of objects with the same level and count are together.

    Objects of a single core (level 0) are left out unless ranks can be bound to them, as private caches.
    """
    from corewise.mapping.process_binding import BINDINGS

    kinds = [kind for kind in machine.objects if kind.level or kind.name in BINDINGS.values()]
    if machine.node_level == 0:
        kinds = [kind for kind in kinds if kind.name != "node"]
    keys = dict.fromkeys((kind.level, kind.count) for kind in kinds)
    return [
        (level, [kind.name for kind in kinds if (kind.level, kind.count) == (level, count)], count)
        for level, count in sorted(keys, key=lambda key: (key[0], -key[1]))
    ]


def _text(machine: Machine) -> list[str]:
    from corewise.plots.outline import counts_text, tree_lines

    head = f"{machine.name}   {counts_text(machine)}   fingerprint {machine.fingerprint}"
    table = ["", *_level_table(machine)] if machine.levels else []
    notes = [*_memory_lines(machine), *_torus_lines(machine)]
    return [head, "", *tree_lines(machine), *table, *notes, *_device_table(machine)]


def _memory_lines(machine: Machine) -> list[str]:
    """Explains why the level "numa" may have another count than the system has NUMA nodes."""
    counted = {kind.name: kind.count for kind in machine.objects}
    n_domains, n_nodes = counted.get("numa", machine.n_nodes), machine.n_memory_nodes
    if n_nodes in (0, n_domains):
        return []
    return [
        "",
        f"{n_nodes} NUMA nodes as hwloc counts them, which make {n_domains} for cores: memory of two kinds "
        "at one place counts once, and memory that is near no cores not at all",
    ]


def _torus_lines(machine: Machine) -> list[str]:
    from corewise.text.quantities import rate_text, seconds_text

    torus = machine.torus
    if torus is None:
        return []
    sizes = " x ".join(str(size) for size in torus.sizes)
    rate, hop = rate_text(torus.bandwidth_bytes_per_s), seconds_text(torus.hop_latency_s)
    links = f"a link carries {rate} each way, a hop takes {hop}"
    return ["", f"Nodes form a torus of {sizes}; {links}: {torus.source}"]


def _devices(machine: Machine) -> list[tuple[list[int], Device]]:
    """Each device with the nodes that have an equal one."""
    found: dict[tuple[Any, ...], tuple[list[int], Device]] = {}
    for node in range(machine.n_nodes):
        for device in machine.devices(node):
            key = (device.bus_id, device.part, tuple(device.names), tuple(device.cores))
            found.setdefault(key, ([], device))[0].append(node)
    return list(found.values())


def _device_table(machine: Machine) -> list[str]:
    """A row for each GPU and network card, with what is near it; empty without devices."""
    from corewise.text.quantities import index_text
    from corewise.text.table import text_table

    rows = [
        (
            *([index_text(nodes)] if machine.n_nodes > 1 else []),
            device.kind,
            " ".join(device.names) or "-",
            device.bus_id,
            _network(device),
            device.attached_to,
            index_text(device.numa_domains),
            index_text(device.cores) or "none that may be used",
        )
        for nodes, device in _devices(machine)
    ]
    heads = ("<device", "<names", "<PCI bus", "<network", "<near", "<NUMA (os_index)", "<cores (logical)")
    return text_table("Devices", (*(["<nodes"] if machine.n_nodes > 1 else []), *heads), rows)


def _network(device: Device) -> str:
    if device.kind == "gpu":
        return "-"
    return (device.fabric or "Ethernet") + ("" if device.is_up else " (down)")


def _level_table(machine: Machine) -> list[str]:
    """A row for each level, the highest first, as in the tree."""
    from corewise.text.quantities import rate_text, seconds_text

    rows = [("level", "count", "distance", "latency", "bandwidth", "source")]
    for number, names, count in reversed(_objects(machine)):
        level = machine.levels[number - 1] if number else None
        name = level.name if level and level.name in names else names[0]
        others = [one for one in names if one != name]
        text = f"{name} (= {', '.join(others)})" if others else name
        if level is None:
            rows.append((text, str(count), "0", "-", "-", "each has a single core"))
            continue
        figures = ("-", "-")
        if machine.has_figures:
            figures = (seconds_text(level.latency_s), rate_text(level.bandwidth_bytes_per_s))
        rows.append((text, str(count), str(level.distance), *figures, level.source))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5)), row[5]])
        for row in rows
    ]
