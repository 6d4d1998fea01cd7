"""Network cards of recorded nodes: which card a job's ranks are near, and the variables for UCX."""

from __future__ import annotations

import json

import pytest
from corewise import machines
from corewise.errors import InputError
from corewise.machines import node_shapes
from corewise.machines.devices import cores_near
from corewise.model import make_machine, plan_threads
from device_cases import card, device, node, shown

MELLANOX, INTEL, HPE, AMAZON, CISCO = "15b3:101b", "8086:1533", "17db:0501", "1d0f:efa1", "1137:00cf"


def ethernet(bus: str = "0000:01:00.0", name: str = "eno1"):
    return card(bus, INTEL, device(name, 2), kind="0200")


def fabric(maker: str, name: str, own: str, kind: str, bus: str = "0000:5e:00.0", **infos: str):
    """A network card: a network device if `name` is given, and an OpenFabrics device if `own` is given."""
    devices = [device(name, 2)] if name else []
    return card(bus, maker, *devices, *([device(own, 3, **infos)] if own else []), kind=kind)


def infiniband():
    return fabric(MELLANOX, "ib0", "mlx5_0", "0207", Port1State="4")


@pytest.mark.parametrize(
    ("maker", "name", "own", "kind", "network", "ucx"),
    [
        (MELLANOX, "ib0", "mlx5_0", "0207", "InfiniBand", "mlx5_0:1"),
        ("1077:7322", "ib0", "qib0", "0c06", "InfiniBand", "qib0:1"),
        (MELLANOX, "ens1", "mlx5_0", "0200", "RoCE", "mlx5_0:1"),
        ("8086:24f0", "ib0", "hfi1_0", "0208", "Omni-Path", None),
        (HPE, "hsi0", "", "0200", "Slingshot", None),
        (HPE, "hsi0", "cxi0", "0200", "Slingshot", None),
        (AMAZON, "", "rdmap94s0", "0200", "EFA", None),
        (CISCO, "eth5", "usnic_0", "0200", "usNIC", None),
        ("119f:0001", "bxi0", "", "0208", "BXI", None),
    ],
)
def test_the_network_for_jobs_goes_before_ethernet(tmp_path, maker, name, own, kind, network, ucx):
    variables = {"UCX_NET_DEVICES": ucx} if ucx else {}
    apart = node(tmp_path / "apart.xml", [ethernet()], [fabric(maker, name, own, kind)])
    assert [one.fabric for one in machines.load(apart).devices(0)] == ["", network]
    assert sorted(cores_near(machines.load(apart), "nic", 2, 1)) == [2, 3]
    assert shown(apart, [2, 3], "nic") == [variables, variables]
    together = node(tmp_path / "together.xml", [fabric(maker, name, own, kind), ethernet()], [])
    assert shown(together, [0, 1], "nic") == [variables, variables]  # the two cards are not used in turn


def test_infiniband_goes_before_rdma_over_ethernet(tmp_path):
    first, second = (
        fabric(MELLANOX, f"enp{i}", f"mlx5_{i}", "0200", f"0000:{i}6:00.0", Port1State="4") for i in (1, 9)
    )
    spec = node(tmp_path / "node.xml", [first, infiniband()], [second])
    assert sorted(cores_near(machines.load(spec), "nic", 2, 1)) == [0, 1]
    assert shown(spec, [0, 1], "nic") == [{"UCX_NET_DEVICES": "mlx5_0:1"}] * 2
    assert shown(spec, [2], "mlx5_9") == [{"UCX_NET_DEVICES": "mlx5_9:1"}]  # chosen by name


def test_a_card_whose_ports_are_down_is_left_out(tmp_path):
    def down():
        return fabric(MELLANOX, "ib1", "mlx5_1", "0207", "0000:16:00.0", Port1State="1", Port2State="1")

    spec = node(tmp_path / "node.xml", [down()], [infiniband()])
    assert sorted(cores_near(machines.load(spec), "nic", 2, 1)) == [2, 3]
    only = node(tmp_path / "only.xml", [down()], [ethernet()])  # the card that is up is used
    assert sorted(cores_near(machines.load(only), "nic", 2, 1)) == [2, 3]
    all_down = node(tmp_path / "all.xml", [down()], [])  # recorded before the network was up
    assert shown(all_down, [0], "nic") == [{"UCX_NET_DEVICES": "mlx5_1:1"}]


def test_of_several_ethernet_cards_none_is_prescribed(tmp_path):
    one = node(tmp_path / "one.xml", [ethernet()], [])
    assert shown(one, [0], "nic") == [{"UCX_NET_DEVICES": "eno1"}]
    two = node(tmp_path / "two.xml", [ethernet()], [ethernet("0000:81:00.0", "ens2")])
    assert shown(two, [0, 2], "nic") == [{}, {}]  # the cards may be on separate networks
    assert shown(two, [2], "ens2") == [{"UCX_NET_DEVICES": "ens2"}]


def test_nodes_use_the_network_that_all_have(tmp_path):
    both = node(tmp_path / "both.xml", [ethernet()], [infiniband()])
    plain = node(tmp_path / "plain.xml", [ethernet()], [])
    slingshot = node(tmp_path / "slingshot.xml", [], [fabric(HPE, "hsi0", "", "0200")])

    def pair(other: str):
        return make_machine(
            "pair", [node_shapes.from_xml(both), node_shapes.from_xml(other)], [0, 1], [], [], []
        )

    assert sorted(cores_near(pair(plain), "nic", 2, 1)) == [0, 1, 4, 5]
    sentence = "some have Ethernet and InfiniBand, others Slingshot; leave out near="
    with pytest.raises(InputError, match=sentence):
        cores_near(pair(slingshot), "nic", 2, 1)


@pytest.mark.parametrize(("maker", "name", "own"), [(MELLANOX, "ib0", "mlx5_0"), (HPE, "hsi0", "")])
def test_communication_threads_are_near_the_same_network(tmp_path, maker, name, own):
    spec = node(tmp_path / "node.xml", [ethernet()], [fabric(maker, name, own, "0200")])
    plan = json.loads(plan_threads("near=nic;mask=0-3", spec))
    assert plan["device"] == (own or name)
