"""slurm: the nodes of netns with private Slurm daemons: munged, slurmctld, and slurmd on each node."""

from __future__ import annotations

import secrets
import subprocess
import time
from pathlib import Path

from corewise.clusters.kind import Cluster, ClusterSpec, Kind
from corewise.clusters.netns import NODE_OPTIONS, NODE_TOOLS, mpi_settings
from corewise.clusters.nodes import HEAD, HEAD_ADDRESS, address, in_node, temporary_folder
from corewise.errors import MissingError

_START_S = 30.0  # after which every node must be idle
_CONFIGURATION = """\
ClusterName=lab
SlurmctldHost={head}({head_address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
TmpFS={temporary}
ProctrackType=proctrack/pgid
TaskPlugin=task/affinity
SwitchType=switch/none
MpiDefault=pmi2
ReturnToService=2
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
TopologyPlugin=topology/tree
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def start(folder: Path, spec: ClusterSpec) -> None:
    """Configures and starts the daemons, and waits until all nodes are idle. Raises MissingError."""
    for name in ("munge", "state", *(f"spool.{host}" for host in spec.hosts)):
        (folder / name).mkdir(mode=0o755)
    (folder / "slurm.conf").write_text(configuration(folder, spec))
    (folder / "topology.conf").write_text(topology(spec))
    key = folder / "munge" / "key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(128))
    _daemon(folder, _munged(folder / "munge"))
    _daemon(folder, ["slurmctld", "-D", "-f", f"{folder}/slurm.conf"])
    for host in spec.hosts:
        holder = int((folder / "nodes" / host).read_text())
        _daemon(folder, in_node(holder, ["slurmd", "-D", "-N", host, "-f", f"{folder}/slurm.conf"]))
    _wait_until_idle(folder, spec)


def environment(folder: Path, spec: ClusterSpec) -> dict[str, str]:
    """Variables for Slurm's configuration and for MPI on the nodes' links.

    SLURM_PMIX_TMPDIR gives each slurmd a folder for `srun --mpi=pmix`. PMIx's fences must use the ring
    algorithm only. By default, Slurm 22.05 mixes ring and tree, so that ranks leave MPI_Init before others
    are ready for their messages, and one job in twenty crashed with Open MPI 4.1.4.
    """
    return mpi_settings() | {
        "SLURM_CONF": f"{folder}/slurm.conf",
        "SLURM_PMIX_FENCE": "ring",
        "SLURM_PMIX_TMPDIR": str(temporary_folder(folder)),
    }


def configuration(folder: Path, spec: ClusterSpec) -> str:
    """slurm.conf(5): each node has one CPU per slot, also if this machine has fewer or more."""
    text = _CONFIGURATION.format(
        folder=folder, temporary=temporary_folder(folder), head=HEAD, head_address=HEAD_ADDRESS
    )
    shape = f"CPUs={spec.slots} Sockets=1 CoresPerSocket={spec.slots} ThreadsPerCore=1 State=UNKNOWN"
    return text + "".join(
        f"NodeName={host} NodeHostname={host} NodeAddr={address(node)} {shape}\n"
        for node, host in enumerate(spec.hosts)
    )


def topology(spec: ClusterSpec) -> str:
    """topology.conf(5): a top switch above two switches, with even and odd nodes.

    As in some clusters, the nodes of a switch aren't numbered consecutively.
    """
    halves = [part for part in (spec.hosts[::2], spec.hosts[1::2]) if part]
    lines = [f"SwitchName=s{switch} Nodes={','.join(hosts)}" for switch, hosts in enumerate(halves)]
    top = ",".join(f"s{switch}" for switch in range(len(halves)))
    return "\n".join([*lines, f"SwitchName=top Switches={top}"]) + "\n"


def _munged(folder: Path) -> list[str]:
    files = {"key-file": "key", "socket": "socket", "log-file": "log", "pid-file": "pid", "seed-file": "seed"}
    return [
        "munged",
        "--foreground",
        "--force",
        *(f"--{option}={folder}/{name}" for option, name in files.items()),
    ]


def _daemon(folder: Path, argv: list[str]) -> None:
    """Starts a daemon in the foreground, so that it ends when its parent, the cluster's keeper, ends."""
    with open(folder / "log", "a") as log:
        subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def _wait_until_idle(folder: Path, spec: ClusterSpec) -> None:
    ask = ["sinfo", "--noheader", "--Node", "--format", "%N %T"]
    deadline, said = time.monotonic() + _START_S, ""
    while time.monotonic() < deadline:
        done = subprocess.run(
            ask,
            env={"SLURM_CONF": f"{folder}/slurm.conf", "PATH": "/usr/sbin:/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        said = done.stdout.strip() or done.stderr.strip()
        if said.count(" idle") == spec.n_nodes:
            return
        time.sleep(0.1)
    raise MissingError(f"Slurm's nodes are not idle after {_START_S:.0f} s: {said}")


SLURM = Kind(
    name="slurm",
    sentence="the nodes of netns under Slurm; srun, or mpirun in salloc",
    tools=NODE_TOOLS
    | {"munged": "munge"}
    | dict.fromkeys(("slurmctld", "slurmd", "srun", "sinfo"), "slurm-wlm"),
    options=NODE_OPTIONS,
    needs_root=True,
    cluster=Cluster(start, environment),
)
