"""Devices of recorded machines: selection, devices near a rank, and the variables that show them to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.launchers import EXPORTED, LAUNCHERS, Injection, Job, parse_command
from corewise.machines.devices import cores_near, devices_of_ranks, wanted_devices
from corewise.mapping.constraints import ConstraintRequest
from corewise.model import Assignment, plan_threads
from corewise.nouns.placement import Placement
from corewise.start.near import Near

# Cores 0-3 on package 0 with the GPUs 3b and 3c; cores 4-7 on package 1 with d8, eth0 and InfiniBand.
FIXTURE = Path(__file__).parents[2] / "fixtures" / "topologies" / "gpus.xml"
NODE = machines.load(str(FIXTURE))
TWO = machines.load(f"{FIXTURE}:2")


def placed(machine, cores: list[int]) -> Placement:
    return Placement.of(Assignment.from_cores(cores), machine)


@pytest.mark.parametrize(
    ("wanted", "buses"),
    [
        ("gpu", ["0000:3b:00.0", "0000:3c:00.0", "0000:d8:00.0"]),
        ("nic", ["0000:86:00.0", "0000:af:00.0"]),
        ("mlx5_0", ["0000:af:00.0"]),
        ("ib0", ["0000:af:00.0"]),
        ("0000:d8:00.0", ["0000:d8:00.0"]),
        ("card0", []),
    ],
)
def test_devices_are_asked_for_by_kind_name_or_bus(wanted, buses):
    assert [device.bus_id for device in wanted_devices(NODE, 0, wanted)] == buses


@pytest.mark.parametrize(
    ("n_ranks", "width", "near"),
    [
        (3, 1, [0, 1, 4]),  # one near each GPU
        (2, 1, [0, 1, 4]),  # any two of the three GPUs
        (4, 1, [0, 1, 2, 4]),  # the first GPU takes two
        (6, 1, [0, 1, 2, 3, 4, 5]),
        (7, 1, [0, 1, 2, 3, 4, 5, 6]),  # package 0 is full: the third GPU takes three
        (8, 1, list(range(8))),
        (9, 1, list(range(8))),  # one rank has no separate core: the solver reports that
        (3, 2, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_gpus_are_shared_evenly(n_ranks, width, near):
    assert sorted(cores_near(NODE, "gpu", n_ranks, width)) == near


def test_the_ranks_that_are_left_over_go_to_different_nodes():
    # 8 ranks on 6 GPUs: the first GPU of each node takes two.
    assert sorted(cores_near(TWO, "gpu", 8, 1)) == [0, 1, 2, 4, 8, 9, 10, 12]


def test_any_core_near_a_network_card_will_do():
    assert sorted(cores_near(TWO, "nic", 2, 1)) == [4, 5, 6, 7, 12, 13, 14, 15]


def test_a_rank_takes_the_least_shared_of_its_gpus():
    devices = devices_of_ranks(placed(TWO, [0, 1, 2, 3, 4, 8]), TWO, "gpu")
    assert [device.bus_id[5:7] for device in devices] == ["3b", "3c", "3b", "3c", "d8", "3b"]


def test_a_rank_far_from_every_device_is_refused():
    with pytest.raises(
        InputError,
        match=r"rank 1 is on core 0 \(logical\) of node 0, which is near no network card: "
        r"cores 4-7 of node 0 are; map the ranks with near=.nic.",
    ):
        devices_of_ranks(placed(NODE, [4, 0]), NODE, "nic")


def test_constraints_leave_the_cores_far_from_the_device_free():
    request = ConstraintRequest(near="ib0")
    assert not request.allow_all
    assert request.on(NODE, 2).core_capacity == [0, 0, 0, 0, 1, 1, 1, 1]


def test_a_rank_is_shown_its_gpu_by_its_number_on_the_bus():
    shown = Near("gpu", NODE).variables(placed(NODE, [1, 0, 4]), {})
    assert [one["CUDA_VISIBLE_DEVICES"] for one in shown] == ["0", "1", "2"]
    assert shown[2]["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_a_card_is_named_with_its_active_port_where_openfabrics_knows_it():
    for name, shown in {"ib0": "mlx5_0:2", "eth0": "eth0"}.items():
        [variables] = Near(name, NODE).variables(placed(NODE, [4]), {})
        assert variables["UCX_NET_DEVICES"] == shown


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({"CUDA_VISIBLE_DEVICES": "0,1,2"}, ["0", "1", "2"]),
        ({"CUDA_VISIBLE_DEVICES": "2"}, ["2", "2", "2"]),  # the job has no GPU near ranks 0 and 1
        ({"CUDA_VISIBLE_DEVICES": "1,0"}, ["0", "1", "0"]),
        ({"SLURM_JOB_GPUS": "1,2"}, ["1", "1", "2"]),
        # A cgroup hides GPU 0: what the driver shows counts from 0.
        ({"SLURM_JOB_GPUS": "1,2", "CUDA_VISIBLE_DEVICES": "0,1"}, ["0", "0", "1"]),
        ({"SLURM_STEP_GPUS": "2", "SLURM_JOB_GPUS": "0,2", "CUDA_VISIBLE_DEVICES": "0"}, ["0", "0", "0"]),
        ({"ROCR_VISIBLE_DEVICES": "9"}, ["0", "1", "2"]),  # a variable for another maker's GPUs
    ],
)
def test_a_rank_gets_one_of_the_gpus_that_the_job_was_given(environment, shown):
    found = Near("gpu", NODE).variables(placed(NODE, [1, 0, 4]), environment)
    assert [one["CUDA_VISIBLE_DEVICES"] for one in found] == shown


@pytest.mark.parametrize("value", ["7", "GPU-8932f937", "MIG-1", "0.1"])
def test_gpus_that_the_environment_names_and_nobody_finds_are_refused(value):
    with pytest.raises(InputError, match=f"is one that the job was given .CUDA_VISIBLE_DEVICES={value}."):
        Near("gpu", NODE).variables(placed(NODE, [0]), {"CUDA_VISIBLE_DEVICES": value})


def test_network_cards_that_the_environment_chooses_are_not_overruled():
    with pytest.raises(InputError, match="UCX_NET_DEVICES=mlx5_0:1 is set already; unset it"):
        Near("nic", NODE).variables(placed(NODE, [4]), {"UCX_NET_DEVICES": "mlx5_0:1"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "near=0000:3c:00.0"),
        ("policy=balanced;helpers=2; ", "policy=balanced;helpers=2;near=0000:3c:00.0"),
        ("workers=2;near = nic", None),  # the user's choice is kept
    ],
)
def test_communication_threads_go_to_the_core_nearest_the_rank_s_own_device(before, after):
    environment = {} if before is None else {"COREWISE_AFFINITY": before}
    shown = Near("gpu", NODE).variables(placed(NODE, [0, 1, 4]), environment)
    assert shown[1].get("COREWISE_AFFINITY") == after
    if after:  # package 1 has the third GPU, so the affinity library puts the comm_server there
        plan = json.loads(plan_threads(shown[2]["COREWISE_AFFINITY"] + ";mask=0-7", str(FIXTURE)))
        [server] = [thread for thread in plan["threads"] if thread["role"] == "comm_server"]
        assert (plan["device"], server["package"]) == ("0000:d8:00.0", 1)


@pytest.mark.parametrize("name", [*LAUNCHERS, *EXPORTED])
def test_each_rank_gets_its_own_variables_whatever_its_launcher_counts(name):
    launcher = (LAUNCHERS | EXPORTED)[name]
    nodes = [0, 1, 0, 1]
    cores = [[nodes[:rank].count(node)] for rank, node in enumerate(nodes)]
    placement = Placement("m", "f", ["f", "f"], nodes, cores, cores)
    injection = Injection("binder", rank_env=tuple({"OWN": str(rank)} for rank in range(4)))
    command = parse_command([*launcher.start, "./app"], launcher.options)
    plan = launcher.plan(placement, Job(command, ["n1", "n2"], "/job", injection, "user"))
    lines = plan.files["/job/bind.txt"].splitlines()
    # With Cray MPICH a rank is the position in this file of the slot on which the process starts.
    order = plan.files.get("/job/MPICH_RANK_ORDER", "0,1,2,3").splitlines()
    ranks = ",".join(line for line in order if not line.startswith("#")).split(",")
    assert [line for line in lines if line.startswith("rank-env")] == [
        f"rank-env {process} OWN={rank}" for process, rank in enumerate(ranks)
    ]
    assert "binder" in plan.argv
