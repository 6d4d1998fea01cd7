"""Parses the M of `--machine M`: preset, file, local, hwloc synthetic string, bare tree, or Slurm."""

from __future__ import annotations

import os
import re
import warnings
from os import PathLike
from pathlib import Path

from corewise.errors import InputError, Note, did_you_mean
from corewise.machines import node_shapes
from corewise.machines.machine_file import MachineFile, NodeCount
from corewise.machines.node_shapes import looks_like_xml
from corewise.machines.slurm_topology import SlurmTopology
from corewise.model import LinkFigures, Machine, NodeShape, make_machine
from corewise.nouns.machine import tree_machine
from corewise.text.node_list import expand_node_list
from corewise.text.quantities import rate_bits_text

_FORMS = (
    "a preset, FILE.toml, FILE.xml, local, synthetic:NODES:STRING, tree:ARITIES@DISTANCES or "
    "slurm:NODES:TOPOLOGY_CONF:NODE"
)

MachineLike = str | PathLike[str] | Machine | node_shapes.HwlocTopology


def presets() -> list[str]:
    """The names of the presets, sorted."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))


def preset(name: str) -> MachineFile:
    """The file of a preset; raises InputError naming the nearest one."""
    if name not in presets():
        if shape := re.fullmatch(r"(\d+)[x*](\d+)", name):
            raise InputError(
                f"unknown machine '{name}'; {shape[1]} nodes of {shape[2]} cores are "
                f"'synthetic:{shape[1]}:core:{shape[2]} pu:1'"
            )
        raise InputError(
            f"unknown machine '{name}'; expected {_FORMS} (`corewise topo --list` lists the presets)"
            f"{did_you_mean(name, [*presets(), 'local', 'synthetic', 'tree'])}"
        )
    return MachineFile.read(Path(__file__).with_name(f"{name}.toml"))


def load(spec: str) -> Machine:
    """The machine M of `--machine M`; raises InputError.

    Examples: `draco:16`, `jaguar-xt5:10+8` (ten whole nodes and one with 8 cores; the default is the paper's
    number), `node.xml`, `cluster.toml:4`, `local`, `synthetic:16:pack:2 core:2 pu:1`, `tree:4:8:32@1:10:100`,
    `slurm:n[0-3]:topology.conf:local` (these nodes below the switches in the file, each node like this one).
    """
    kind, _, rest = spec.partition(":")
    if kind == "tree":
        return tree_machine(spec)
    if kind == "synthetic":
        return _synthetic(spec, rest)
    if kind == "slurm":
        return _slurm(spec, rest)
    name, count = _split_count(spec)
    if name == "local":
        return _same_nodes(spec, node_shapes.local(), count, in_lab=True)
    if _is_xml(name):
        return _same_nodes(spec, node_shapes.from_xml(name), count)
    return _file_or_preset(name).machine(count, name)


def without_count(spec: str) -> str:
    """The spec without its number of nodes: `draco` for `draco:16`; a bare tree stays unchanged."""
    kind, _, rest = spec.partition(":")
    if kind in ("tree", "slurm"):
        return spec
    return f"synthetic:{rest.partition(':')[2]}" if kind == "synthetic" else _split_count(spec)[0]


def machine_like(spec: MachineLike) -> Machine:
    """The machine itself, load() of a name or path, or a node of a pyhwloc topology; raises InputError."""
    if isinstance(spec, Machine):
        return spec
    if isinstance(spec, str | PathLike):
        return load(os.fspath(spec))
    if not hasattr(spec, "export_xml_buffer"):
        raise InputError(
            f"found {spec!r:.60} as machine; expected a Machine, a pyhwloc.Topology, or {_FORMS}"
        )
    return _same_nodes("topology", node_shapes.of_topology(spec), None)


def here(n_nodes: int = 1) -> Machine:
    """A machine of `n_nodes` nodes, each like the part of this host that this process may use."""
    return load("local" if n_nodes == 1 else f"local:{n_nodes}")


def _split_count(spec: str) -> tuple[str, NodeCount | None]:
    """Separates a trailing ":16" or ":10+8", the number of nodes; paths may contain colons."""
    if spec.lower().endswith((".toml", ".xml", ".xml.gz")) or ":" not in spec or Path(spec).is_file():
        return spec, None
    name, _, count = spec.rpartition(":")
    return name, NodeCount.parse(count, spec)


def _is_xml(name: str) -> bool:
    """Whether it is hwloc XML, by the suffix or else by the contents; names of presets take precedence."""
    if name.lower().endswith((".xml", ".xml.gz")):
        return True
    return not name.lower().endswith(".toml") and name not in presets() and looks_like_xml(Path(name))


def _file_or_preset(name: str) -> MachineFile:
    if name.lower().endswith(".toml"):
        return MachineFile.read(Path(name))
    if name not in presets() and Path(name).is_file():
        raise InputError(
            f"{name} is there, but it is no machine: expected hwloc XML (`lstopo FILE.xml`), or a file "
            "of ours that ends in .toml; Slurm's nodes are slurm:NODES:TOPOLOGY_CONF:NODE"
        )
    return preset(name)


def _same_nodes(name: str, node: NodeShape, count: NodeCount | None, in_lab: bool = False) -> Machine:
    shapes, shape_of_node = (count or NodeCount(1)).shapes(node, name)
    figures = lab_figures(len(shape_of_node)) if in_lab else []
    return make_machine(name, shapes, shape_of_node, [], figures, [])


def _synthetic(spec: str, rest: str) -> Machine:
    """The machine by a number of nodes and hwloc's string; adds `pu:1` if the string ends with cores."""
    count, colon, description = rest.partition(":")
    if not colon or not re.match(r"[\d+-]", count):
        raise InputError(
            f"machine '{spec}' has no number of nodes; expected synthetic:NODES:STRING, "
            "such as synthetic:16:pack:2 l2:2 core:2 pu:1"
        )
    if re.search(r"(?i)(^|\s)core:\d+\s*$", description):
        description += " pu:1"
    return _same_nodes(spec, node_shapes.from_synthetic(description), NodeCount.parse(count, spec))


def _slurm(spec: str, rest: str) -> Machine:
    """Nodes below Slurm's switches; node i is the i-th of NODES.

    A machine file's figures for its network are used for every level of switches.
    """
    hosts, _, others = rest.partition(":")
    path, colon, node = others.partition(":")
    if not colon or not node:
        raise InputError(
            f"machine '{spec}': expected slurm:NODES:TOPOLOGY_CONF:NODE, such as "
            "slurm:n[0-3]:/etc/slurm/topology.conf:local"
        )
    names = expand_node_list(hosts)
    topology = SlurmTopology.read(Path(path), names)
    for doubt in topology.doubts(names):
        warnings.warn(Note(doubt), stacklevel=1)
    network = topology.levels(names)
    shapes, shape_of_node, figures = _nodes(node, len(names), spec)
    of_network = next((found for level, found in figures if level == "network"), None)
    if of_network:
        source = f"assumed: as for the network of {node}"
        same = LinkFigures(of_network.latency_s, of_network.bandwidth_bytes_per_s, source)
        figures = [*figures, *((level, same) for level, _ in network if level != "network")]
    return make_machine(spec, shapes, shape_of_node, network, figures, [], topology.order(names))


def _nodes(
    name: str, n_nodes: int, spec: str
) -> tuple[list[NodeShape], list[int], list[tuple[str, LinkFigures]]]:
    """Shapes, each node's shape, and figures: a single node `n_nodes` times, or the machine file's nodes."""
    all_alike = [0] * n_nodes
    if name == "local":
        return [node_shapes.local()], all_alike, lab_figures(n_nodes)
    if _is_xml(name):
        return [node_shapes.from_xml(name)], all_alike, []
    file = _file_or_preset(name)
    if len(file.shapes) == 1:
        return file.shapes, all_alike, file.figures
    if len(file.shape_of_node) != n_nodes:
        raise InputError(
            f"machine '{spec}': {name} lists {len(file.shape_of_node)} nodes of different shapes for "
            f"{n_nodes}; expected as many"
        )
    return file.shapes, file.shape_of_node, file.figures


RATE_VARIABLE = "COREWISE_LAB_RATE"  # limit of each node's link in bits/s; set by the lab

# A full Ethernet frame has 1514 bytes: headers of Ethernet (14), IP (20) and TCP (32), and 1448 bytes of
# data.
FRAME_BYTES, PAYLOAD_BYTES = 1514, 1448
# A ping-pong of 8 bytes between nodes took 9 to 30 us: Open MPI 4.1 on two loaded cores, 2026-11-22.
LATENCY_S = 20e-6
MEASURED = "ping-pong between namespaces, 2026-11-22"


def lab_figures(n_nodes: int) -> list[tuple[str, LinkFigures]]:
    """Level and figures of the network; empty for one node, and outside a lab with limited links.

    Raises InputError for an invalid rate.
    """
    text = os.environ.get(RATE_VARIABLE, "")
    if n_nodes < 2 or not text:
        return []
    try:
        rate_bits_per_s = float(text)
    except ValueError:
        rate_bits_per_s = 0.0
    if not 0 < rate_bits_per_s < float("inf"):
        raise InputError(f"{RATE_VARIABLE} is '{text}'; expected bits/s as `corewise lab` sets it; unset it")
    bandwidth = rate_bits_per_s / 8 * PAYLOAD_BYTES / FRAME_BYTES
    source = f"the lab's rate, {rate_bits_text(rate_bits_per_s)}; latency: {MEASURED}"
    return [("network", LinkFigures(LATENCY_S, bandwidth, source, tcp=True))]
