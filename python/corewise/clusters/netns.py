"""netns: nodes without a batch system, reached by an agent instead of ssh (Open MPI 4 and 5, MPICH)."""

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
    """Writes the host file with a line for each slot, which both Open MPI and Hydra can read."""
    (folder / "hostfile").write_text("".join(f"{host}\n" * spec.slots for host in spec.hosts))


def environment(folder: Path, spec: ClusterSpec) -> dict[str, str]:
    """Settings for every launcher, including the host file, so that `mpirun -n 8 ./app` works."""
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
    """Variables with which MPI uses only the nodes' links, and works with nodes that share a machine.

    * Waiting ranks yield, because all nodes share the cores of one machine.
    * PMIx doesn't use munge, which runs outside the namespaces and knows the user by another number.
    * Daemons of Open MPI 4.1.4 don't share the topology in memory, because writing it sometimes crashed one.
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
