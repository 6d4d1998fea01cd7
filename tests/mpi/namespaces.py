"""Nodes on this machine for tests: network namespaces on one bridge, and a stand-in for ssh that enters them.

All nodes have this kernel's boot id and cores; they differ in their network alone, and in their host name
where that is asked for.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

NETWORK = f"10.79.{os.getpid() % 250}"  # tests of another checkout may run beside these

# ssh [options] HOST WORD...: the words go to a shell of the node, as ssh's do.
AGENT = """\
#!/bin/bash
while [[ $1 == -* ]]; do case $1 in -l|-p|-o|-i) shift 2;; *) shift;; esac; done
node={prefix}$((${{1##*.}} - 1)); shift
exec ip netns exec $node unshare --uts sh -c "{before}$*"
"""


@dataclass(frozen=True)
class Nodes:
    """`hosts[i]` is the address of node i."""

    hosts: list[str]
    agent: Path
    bridge: str

    def launcher(self, mpi, hosts: list[str]) -> list[str]:
        """The words that start `mpi`'s launcher on these hosts, two slots each, over the bridge alone."""
        network = f"{NETWORK}.0/24"
        names = ",".join(f"{host}:2" for host in hosts)
        if mpi.family == "mpich":
            start = [mpi.mpirun, "-launcher", "ssh", "-launcher-exec", str(self.agent)]
            return [*start, "-iface", self.bridge, "-hosts", names]
        five = "openmpi5" in mpi.mpirun
        words = [mpi.mpirun, "--prtemca" if five else "--mca"]
        words += ["plm_ssh_agent" if five else "plm_rsh_agent", str(self.agent)]
        words += ["--prtemca", "prte_if_include"] if five else ["--mca", "oob_tcp_if_include"]
        words += [network, "--mca", "pml", "ob1", "--mca", "btl", "self,tcp"]
        # Daemons of one host would write one shared topology at once: 4.1.4's crash now and then.
        words += [] if five else ["--mca", "rtc_hwloc_vmhole", "none"]
        return [*words, "--mca", "btl_tcp_if_include", network, "-H", names]


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=20)


@contextmanager
def nodes(count: int, folder: Path, own_names: bool = False, before: str = "") -> Iterator[Nodes]:
    """So many nodes until the end of the block; skips the test where privilege or a tool is missing.

    `before` are commands of the shell, which end in "; " and may use $node, ahead of each start on a node.
    """
    prefix, bridge = f"cw{os.getpid()}n", f"cwb{os.getpid()}"
    made = [f"{prefix}{i}" for i in range(count)]
    try:
        try:
            _ip("link", "add", bridge, "type", "bridge")
            _ip("addr", "add", f"{NETWORK}.254/24", "dev", bridge)
            _ip("link", "set", bridge, "up")
            for i, name in enumerate(made):
                _add_node(name, f"{NETWORK}.{i + 1}", bridge)
        except (OSError, subprocess.CalledProcessError) as error:
            why = getattr(error, "stderr", "") or error
            pytest.skip(f"no network namespaces here: {str(why).strip()}")
        agent = folder / "agent"
        before = ("hostname $node; " if own_names else "") + before
        agent.write_text(AGENT.format(prefix=prefix, before=before))
        agent.chmod(0o755)
        yield Nodes([f"{NETWORK}.{i + 1}" for i in range(count)], agent, bridge)
    finally:
        # A namespace takes its end of a link along a little later: the link first.
        for words in [
            *(("link", "del", f"{name}v") for name in made),
            *(("netns", "del", name) for name in made),
            ("link", "del", bridge),
        ]:
            with suppress(OSError, subprocess.CalledProcessError):
                _ip(*words)


def _add_node(name: str, address: str, bridge: str) -> None:
    outside = f"{name}v"
    _ip("netns", "add", name)
    _ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name)
    _ip("link", "set", outside, "master", bridge, "up")
    _ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
    _ip("-n", name, "link", "set", "eth0", "up")
    _ip("-n", name, "link", "set", "lo", "up")
    _ip("-n", name, "route", "add", "default", "via", f"{NETWORK}.254")
