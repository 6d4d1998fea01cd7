"""Nodes as namespaces: each has its own network, host name and shared memory, and a link to a bridge.

The cluster's init process creates them inside its namespaces. They are isolated from the rest of the
machine, and end with that process.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from corewise.clusters.kind import ClusterSpec
from corewise.clusters.rates import token_bucket
from corewise.errors import MissingError

NETWORK = "10.77.0.0/24"
HEAD, HEAD_ADDRESS = "head", "10.77.0.254"
_BRIDGE = "bridge0"
# $1 the host name, $2 its folder for temporary files.
_NODE_SCRIPT = (
    'hostname "$1" && mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs tmpfs "$2" && echo made && '
    "exec sleep infinity"
)


def address(node: int) -> str:
    """Node i's address."""
    return f"10.77.0.{node + 1}"


def temporary_folder(folder: Path) -> Path:
    """The folder for temporary files: the same path on all hosts, with separate contents on each."""
    return folder / "local"


def make_nodes(folder: Path, spec: ClusterSpec) -> None:
    """Creates the nodes, and files `folder`/nodes/HOST, by name and address, with the node's PID.

    Raises MissingError with a tool's message if it fails.
    """
    _prepare_head(folder, spec)
    holders = [_held_node(host, temporary_folder(folder)) for host in spec.hosts]
    (folder / "nodes").mkdir()
    for node, holder in enumerate(holders):
        _link(node, holder, spec)
        for name in (spec.hosts[node], address(node)):
            (folder / "nodes" / name).write_text(f"{holder}\n")


def run_tool(argv: list[str], text: str | None = None) -> None:
    """Runs a tool to its end; raises MissingError with its message if it fails."""
    done = subprocess.run(argv, input=text, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise MissingError(
            f"`{' '.join(argv)}` failed: {words[0] if words else f'exit code {done.returncode}'}"
        )


def in_node(holder: int, argv: list[str]) -> list[str]:
    """The command line that runs `argv` in the namespaces of the process `holder`."""
    return ["nsenter", "--target", str(holder), "--net", "--uts", "--ipc", "--mount", "--", *argv]


def _prepare_head(folder: Path, spec: ClusterSpec) -> None:
    """Sets up the head, where commands run: on the bridge, with an unlimited link and all host names."""
    temporary = temporary_folder(folder)
    temporary.mkdir()
    names = [("127.0.0.1", "localhost"), (HEAD_ADDRESS, HEAD)]
    names += [(address(node), host) for node, host in enumerate(spec.hosts)]
    hosts = folder / "hosts"
    hosts.write_text("".join(f"{where} {name}\n" for where, name in names))
    run_tool(["mount", "--bind", str(hosts), "/etc/hosts"])
    for place in ("/dev/shm", str(temporary)):
        run_tool(["mount", "-t", "tmpfs", "tmpfs", place])
    run_tool(["hostname", HEAD])
    run_tool(
        ["ip", "-batch", "-"],
        f"link set lo up\nlink add {_BRIDGE} address {_hardware_address(HEAD_ADDRESS)} type bridge\n"
        f"link set {_BRIDGE} up\n"
        f"addr add {HEAD_ADDRESS}/24 dev {_BRIDGE}\n",
    )


def _held_node(host: str, temporary: Path) -> int:
    """Starts the process that keeps a node's namespaces; returns its PID."""
    namespaces = ["unshare", "--net", "--uts", "--ipc", "--mount", "--"]
    holder = subprocess.Popen(
        [*namespaces, "sh", "-c", _NODE_SCRIPT, "sh", host, str(temporary)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    if holder.stdout.readline() != "made\n":
        raise MissingError(f"the namespaces of node {host} could not be made; the reason is in the log")
    return holder.pid


def _link(node: int, holder: int, spec: ClusterSpec) -> None:
    """Creates a virtual cable between a node and the bridge, limited to the rate at both ends."""
    port = f"port{node}"
    own, others = address(node), [address(other) for other in range(spec.n_nodes) if other != node]
    run_tool(
        ["ip", "-batch", "-"],
        f"link add {port} type veth peer name eth0 address {_hardware_address(own)} netns {holder}\n"
        f"link set {port} master {_BRIDGE} up\n" + _neighbours([own], _BRIDGE),
    )
    run_tool(
        in_node(holder, ["ip", "-batch", "-"]),
        f"link set lo up\naddr add {own}/24 dev eth0\nlink set eth0 up\n"
        + _neighbours([*others, HEAD_ADDRESS], "eth0"),
    )
    if spec.rate_bits_per_s is not None:
        run_tool(token_bucket(port, spec.rate_bits_per_s))
        run_tool(in_node(holder, token_bucket("eth0", spec.rate_bits_per_s)))


def _neighbours(addresses: list[str], device: str) -> str:
    """Lines of `ip -batch` that fill the table of hardware addresses in advance.

    Otherwise the first connection waits for ARP, and two ranks more often connect to each other at the same
    time. MPICH's UCX may then hang in MPI_Finalize (seen with MPICH 4.0.2 on a loaded machine).
    """
    return "".join(
        f"neigh add {where} lladdr {_hardware_address(where)} nud permanent dev {device}\n"
        for where in addresses
    )


def _hardware_address(where: str) -> str:
    """A locally administered Ethernet address that contains the IP address."""
    return ":".join(["02", "00", *(f"{int(part):02x}" for part in where.split("."))])
