"""netns: nodes without a batch system, reached by an agent in place of ssh (Open MPI 4 and 5, MPICH)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from corewise.clusters.kind import Cluster, ClusterSpec, Kind
from corewise.clusters.nodes import NETWORK

NODE_TOOLS = {"ip": "iproute2", "tc": "iproute2"} | dict.fromkeys(
    ("mount", "nsenter", "setpriv", "unshare"), "mount, util-linux"
)
NODE_OPTIONS = ("nodes", "slots", "rate")
AGENT = resources.files("corewise") / "clusters" / "agent"  # replaces ssh


def start(folder: Path, spec: ClusterSpec) -> None:
    """Writes the host file. A line for each slot is what both Open MPI and Hydra read as that many slots."""
    (folder / "hostfile").write_text("".join(f"{host}\n" * spec.slots for host in spec.hosts))


def environment(folder: Path, spec: ClusterSpec) -> dict[str, str]:
    """Every launcher's settings, the host file among them, so that `mpirun -n 8 ./app` is enough."""
    agent = str(AGENT)
    hosts = str(folder / "hostfile")
    return mpi_settings() | {
        "COREWISE_LAB_HOSTFILE": hosts,
        "OMPI_MCA_orte_default_hostfile": hosts,
        "PRTE_MCA_prte_default_hostfile": hosts,
        "HYDRA_HOST_FILE": hosts,
        "OMPI_MCA_plm_rsh_agent": agent,
        "PRTE_MCA_plm_ssh_agent": agent,
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": agent,
        "HYDRA_IFACE": "bridge0",
    }


def mpi_settings() -> dict[str, str]:
    """What keeps MPI on the nodes' links, with nodes that share the cores of this machine.

    Ranks that wait give way to others, because all nodes together have one machine's cores. Whoever is in the
    namespaces is root there; PMIx must not ask a munge outside, which knows them under another number.
    Open MPI 4.1.4's daemons don't share a topology in memory: writing it crashed one now and then.
    """
    return {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_btl_tcp_if_include": NETWORK,
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_oob_tcp_if_include": NETWORK,
        "OMPI_MCA_orte_set_default_slots": "1",
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_rtc_hwloc_vmhole": "none",
        "PMIX_MCA_psec": "native",
        "PRTE_MCA_hwloc_default_binding_policy": "core:overload-allowed",
        "PRTE_MCA_prte_if_include": NETWORK,
        "PRTE_MCA_prte_set_default_slots": "1",
        "UCX_NET_DEVICES": "eth0",
        "UCX_TLS": "tcp,self",
    }


NETNS = Kind(
    name="netns",
    sentence="nodes as network namespaces on a bridge, their links limited to a rate; any mpirun",
    tools=NODE_TOOLS,
    options=NODE_OPTIONS,
    cluster=Cluster(start, environment),
)
