"""Devices of recorded machines: which are asked for, which a rank is near, and what it is shown of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import InputError, MissingError
from corewise.execute.near import Near
from corewise.files.placement import PlacementFile
from corewise.launchers.device_variables import variables_of
from corewise.machines.devices import cores_near, devices_of_ranks, wanted_devices
from corewise.mapping.constraints import ConstraintRequest
from corewise.model import Placement

# Cores 0-3 on package 0 with the GPUs 3b and 3c; 4-7 on package 1 with d8, eth0 and InfiniBand.
FIXTURE = Path(__file__).parents[2] / "fixtures" / "topologies" / "gpus.xml"
NODE = machines.load(str(FIXTURE))
TWO = machines.load(f"{FIXTURE}:2")


def placed(machine, cores: list[int]) -> PlacementFile:
    return PlacementFile.of(Placement.from_cores(cores), machine)


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
        (9, 1, list(range(8))),  # one has no core of its own: the solver says so
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
        r"cores 4-7 of node 0 are; make a placement with `corewise map --near nic`",
    ):
        devices_of_ranks(placed(NODE, [4, 0]), NODE, "nic")


def test_a_machine_without_devices_is_refused_in_a_sentence():
    with pytest.raises(MissingError, match=r"machine 'draco:2' shows no GPU; `corewise topo` lists"):
        cores_near(machines.load("draco:2"), "gpu", 4, 1)
    with pytest.raises(InputError, match=r"'mlx5_1' is no device of .*did you mean 'mlx5_0'\?"):
        cores_near(NODE, "mlx5_1", 4, 1)


def test_constraints_leave_the_cores_far_from_the_device_free():
    request = ConstraintRequest(near="ib0")
    assert not request.allow_all
    assert request.on(NODE, 2).core_capacity == [0, 0, 0, 0, 1, 1, 1, 1]


def test_a_rank_is_shown_its_gpu_by_its_number_on_the_bus():
    lines = Near("gpu", NODE).settings(placed(NODE, [1, 0, 4]), {})
    assert [line for line in lines if "VISIBLE" in line] == [
        "rank-env 0 CUDA_VISIBLE_DEVICES=0",
        "rank-env 1 CUDA_VISIBLE_DEVICES=1",
        "rank-env 2 CUDA_VISIBLE_DEVICES=2",
    ]
    assert "rank-env 2 CUDA_DEVICE_ORDER=PCI_BUS_ID" in lines


def test_a_card_is_named_with_its_active_port_where_openfabrics_knows_it():
    assert Near("ib0", NODE).settings(placed(NODE, [4]), {}) == ("rank-env 0 UCX_NET_DEVICES=mlx5_0:2",)
    assert Near("eth0", NODE).settings(placed(NODE, [4]), {}) == ("rank-env 0 UCX_NET_DEVICES=eth0",)


def test_devices_that_the_environment_chooses_are_not_overruled():
    with pytest.raises(InputError, match=r"CUDA_VISIBLE_DEVICES=2 is set already; unset it"):
        Near("gpu", NODE).settings(placed(NODE, [0]), {"CUDA_VISIBLE_DEVICES": "2"})


@pytest.mark.parametrize(
    ("vendor", "variables"),
    [
        ("1002", {"ROCR_VISIBLE_DEVICES": "1"}),
        ("8086", {"ZE_AFFINITY_MASK": "1", "ZE_ENABLE_PCI_ID_DEVICE_ORDER": "1"}),
    ],
)
def test_each_maker_s_gpus_are_counted_by_its_own_variable(vendor, variables, tmp_path):
    # 3b stays NVIDIA's; 3c and d8 are of the other maker: d8 is the second of those.
    text = FIXTURE.read_text()
    for bus in ("3c", "d8"):
        before, after = text.split(f'pci_busid="0000:{bus}:00.0"')
        text = f'{before}pci_busid="0000:{bus}:00.0"' + after.replace("10de:1db6", f"{vendor}:1db6", 1)
    (tmp_path / "node.xml").write_text(text)
    devices = machines.load(str(tmp_path / "node.xml")).devices(0)
    assert variables_of(devices[2], devices) == variables
    assert variables_of(devices[0], devices)["CUDA_VISIBLE_DEVICES"] == "0"
