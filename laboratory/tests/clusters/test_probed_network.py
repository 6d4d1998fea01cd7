"""`corewise probe` on nodes with limited links: the measured figures agree with the limit."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from clusters import COREWISE, LIMIT, TRIES
from corewise.machines import load
from mpis import mpi_named

# A full Ethernet frame of 1514 bytes contains 1448 bytes of data: 14 are Ethernet's, 20 IP's, 32 TCP's.
PAYLOAD_SHARE = 1448 / 1514


# A pass takes 5 s on an idle machine. Other programs can make a pass slower than the link, never faster, and
# the fastest pass counts: one pass is enough on an idle machine, a busy one has more time for the next try.
REPEAT_TIMES_S = (0.1, 20, 60)
LIMIT_S = 250  # MPICH 5's ranks poll; during a build a pass took more than 100 s


def probed(lab_folder, target: Path, mpirun: str, repeat_time_s: float) -> dict:
    """The document of a probe of the network between two nodes at 100 Mbit/s."""
    probe = [COREWISE, "probe", "--repeat-time", str(repeat_time_s), "-o", str(target), "--json"]
    words = ("run", "netns", "--nodes", "2", "--slots", "2", "--rate", "100mbit", "--", *probe, "--", mpirun)
    return json.loads(lab_folder.lab(*words, timeout_s=LIMIT_S).stdout)


@pytest.mark.alone  # measures a bandwidth
@pytest.mark.timeout(len(REPEAT_TIMES_S) * LIMIT_S)
@pytest.mark.parametrize("name", ["openmpi4", "mpich5"])
def test_the_bandwidth_of_the_network_is_what_the_rate_leaves_to_a_program(lab_folder, tmp_path, name):
    mpi = mpi_named(name)
    target = tmp_path / "m.toml"
    expected = pytest.approx(100e6 / 8 * PAYLOAD_SHARE, rel=0.1)
    for repeat_time_s in REPEAT_TIMES_S:
        document = probed(lab_folder, target, mpi.mpirun, repeat_time_s)
        network = document["levels"][-1]
        # One direction: one pair, and two pairs on one link, which together have the rate of one.
        one_way = [load[3] for load in network["loads"] if load[1:3] == [1, 1]]
        # Each direction has its own rate: together more than 1.5 times one direction's.
        if one_way == [expected, expected] and network["duplex"]:
            break
        warnings.warn(f"after {repeat_time_s} s of passes: {network['loads']}", stacklevel=1)
    assert document["verified"] and network["name"] == "network"
    assert one_way == [expected, expected]
    assert network["bandwidth_bytes_per_s"] == max(one_way)
    assert network["duplex"] is True
    assert load(str(target)).levels[-1].link.bandwidth_bytes_per_s == max(one_way)


def test_srun_starts_the_probe_on_the_nodes_of_its_allocation(lab_folder, tmp_path):
    mpi_named("openmpi4")
    target = tmp_path / "m.toml"
    probe = [COREWISE, "probe", "--repeat-time", "0.1", "-o", str(target), "--json", "--mpi", "openmpi", "--"]
    words = ("run", "slurm", "--slots", "2", "--", *LIMIT, "salloc", "-n8", *probe, "srun", "--mpi=pmix")
    document = json.loads(lab_folder.lab(*words, tries=TRIES, leaves=target).stdout)
    assert document["verified"]
    assert [level["name"] for level in document["levels"]][-1] == "network"
    assert load(str(target)).n_nodes == 4
