"""GPUs of recorded nodes: the value of the maker's variable that shows a rank the GPU near it."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import pytest
from corewise import machines
from corewise.errors import InputError, MissingError
from corewise.machines.devices import cores_near
from device_cases import card, device, node, shown

NVIDIA, AMD, INTEL, CONSOLE = "10de:2330", "1002:74a0", "8086:0bd5", "1a03:2000"


def values(spec: str, cores: list[int], variable: str, **more) -> list[str]:
    return [one[variable] for one in shown(spec, cores, **more)]


def test_partitions_of_amd_gpus_are_devices_with_the_driver_s_numbers(tmp_path):
    # The first card by bus number is the driver's second card: rsmi3 to rsmi5.
    spec = node(
        tmp_path / "tpx.xml",
        [card("0000:02:00.0", AMD, "rsmi3", "rsmi4", "rsmi5", "card1", kind="1200")],
        [card("0000:82:00.0", AMD, "rsmi10", "rsmi1", "rsmi2", kind="1200")],
    )
    gpus = machines.load(spec).devices(0)
    assert [(gpu.names[0], gpu.part, gpu.n_parts) for gpu in gpus] == [
        ("rsmi3", 0, 3), ("rsmi4", 1, 3), ("rsmi5", 2, 3), ("rsmi1", 0, 3), ("rsmi2", 1, 3), ("rsmi10", 2, 3),
    ]  # fmt: skip
    assert "card1" in gpus[1].names
    assert values(spec, [0, 1, 2, 3], "ROCR_VISIBLE_DEVICES") == ["3", "4", "1", "2"]
    assert values(spec, [1], "ROCR_VISIBLE_DEVICES", wanted="rsmi5") == ["5"]


def amd_pair(path, numbers: str, *uuids: str) -> str:
    """A node with two GPUs in order of the bus, with these driver numbers and UUIDs; returns its path."""
    cards = [
        card(f"0000:{bus}3:00.0", AMD, device(f"rsmi{number}", 1, AMDUUID=uuid))
        for bus, number, uuid in zip("04", numbers, uuids, strict=True)
    ]
    return node(path, *([one] for one in cards))


def test_amd_gpus_are_named_by_their_uuid_where_it_is_theirs_alone(tmp_path):
    spec = amd_pair(tmp_path / "node.xml", "10", "f62596172e6212b", "518a706172e62697")
    assert values(spec, [0, 2], "ROCR_VISIBLE_DEVICES") == ["GPU-0f62596172e6212b", "GPU-518a706172e62697"]
    # The other three nodes have other UUIDs, so numbers are used.
    assert values(f"{spec}:4", [0, 2, 4], "ROCR_VISIBLE_DEVICES") == ["1", "0", "1"]
    for uuid in ("f62596172e6212b", "0000000000000000", "a5ff740f-0000-1000-8011-5b6c4c7b0a1e"):
        spec = amd_pair(tmp_path / "same.xml", "21", uuid, uuid)
        assert values(spec, [0, 2], "ROCR_VISIBLE_DEVICES") == ["2", "1"]


def test_amd_gpus_without_a_number_are_not_counted_by_the_bus(tmp_path):
    first, second = (card(f"0000:{bus}3:00.0", AMD, f"renderD12{bus}") for bus in "04")
    with pytest.raises(InputError, match=r"doesn't record ROCm's name of GPU 0000:03:00.0.*RSMI plugin"):
        shown(node(tmp_path / "two.xml", [first], [second]), [0, 2])
    assert values(node(tmp_path / "one.xml", [first]), [0], "ROCR_VISIBLE_DEVICES") == ["0"]


def test_what_linux_tells_of_amd_gpus_gives_parts_and_numbers(tmp_path):
    # As corewise-topology writes it. The card of package 1 has two partitions, and the driver lists it first.
    later, first = card("0000:02:00.0", AMD, "renderD130"), card("0000:82:00.0", AMD, "renderD128")
    for pci, told in ((first, "1 00000000000000aa"), (first, "0 00000000000000aa"), (later, "2 0bb")):
        pci.insert(0, Element("info", {"name": "CorewiseAmdGpu", "value": told}))
    spec = node(tmp_path / "node.xml", [later], [first])
    assert values(spec, [0, 2, 3], "ROCR_VISIBLE_DEVICES") == ["GPU-00000000000000bb", "0", "1"]


def stacks(environment: dict[str, str] | None, spec: str, cores: list[int]) -> list[tuple]:
    found = shown(spec, cores, environment=environment)
    assert all(one["ZE_ENABLE_PCI_ID_DEVICE_ORDER"] == "1" for one in found)
    return [(one["ZE_AFFINITY_MASK"], one.get("ZE_FLAT_DEVICE_HIERARCHY")) for one in found]


def test_a_rank_gets_a_stack_of_intel_s_cards_as_the_hierarchy_counts_them(tmp_path):
    spec = node(
        tmp_path / "max.xml",
        [card("0000:18:00.0", INTEL, "ze0(ze0.0 ze0.1)", kind="0380")],
        [card("0000:9a:00.0", INTEL, "ze1(ze1.0 ze1.1)", kind="0380")],
    )
    assert stacks(None, spec, [0, 1, 2, 3]) == [("0", "FLAT"), ("1", "FLAT"), ("2", "FLAT"), ("3", "FLAT")]
    combined = {"ZE_FLAT_DEVICE_HIERARCHY": "COMBINED"}
    assert stacks(combined, spec, [2]) == [("2", "COMBINED")]
    composite = {"ZE_FLAT_DEVICE_HIERARCHY": "COMPOSITE"}
    assert stacks(composite, spec, [1, 2]) == [("0.0", "COMPOSITE"), ("1.0", "COMPOSITE")]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("ze0", "ze1"), ("ze2", "ze3"), [("0", "FLAT"), ("2", "FLAT")]),  # lstopo ran with FLAT
        (("ze0(ze0.0 ze0.1)",), ("ze1",), [("0", "FLAT"), ("2", "FLAT")]),  # cards of two and of one stack
        (("ze0",), ("ze1",), [("0", None), ("1", None)]),  # one stack each: all hierarchies agree
        (("renderD128",), ("renderD129",), [("0", "COMPOSITE"), ("1", "COMPOSITE")]),  # unknown
    ],
)
def test_intel_s_cards_are_told_apart_however_they_were_recorded(tmp_path, first, second, expected):
    cards = card("0000:18:00.0", INTEL, *first), card("0000:9a:00.0", INTEL, *second)
    spec = node(tmp_path / "node.xml", *([one] for one in cards))
    assert stacks(None, spec, [0, 2]) == expected


def test_a_gpu_in_instances_needs_their_uuids(tmp_path):
    whole = card("0000:18:00.0", NVIDIA, "cuda0", "nvml0")
    divided = card("0000:9a:00.0", NVIDIA, "nvml1", "nvml2")
    spec = node(tmp_path / "mig.xml", [whole], [divided])
    assert values(spec, [0], "CUDA_VISIBLE_DEVICES") == ["0"]
    with pytest.raises(InputError, match=r"0000:9a:00.0 is divided into 2 instances \(MIG\).*nvidia-smi -L"):
        shown(spec, [2])
    uuids = ["MIG-11111111-0000", "MIG-22222222-0000"]
    told = [device(f"nvml{i}", 1, NVIDIAUUID=uuid) for i, uuid in enumerate(uuids, 1)]
    spec = node(tmp_path / "uuids.xml", [whole], [card("0000:9a:00.0", NVIDIA, *told)])
    assert values(spec, [2, 3], "CUDA_VISIBLE_DEVICES") == uuids


def test_ranks_are_spread_over_cards_before_the_parts_of_one(tmp_path):
    # Two cards of two stacks, on cores 0-1 and 2-3.
    cards = [card(f"0000:{bus}8:00.0", INTEL, f"ze{i}(ze{i}.0 ze{i}.1)") for i, bus in enumerate("19")]
    machine = machines.load(node(tmp_path / "node.xml", cards[:1], cards[1:]))
    near = [sorted(cores_near(machine, "gpu", n_ranks, 1)) for n_ranks in (1, 2, 3, 4)]
    assert near == [[0, 2], [0, 2], [0, 1, 2], [0, 1, 2, 3]]


def test_of_the_gpus_of_two_makers_one_is_asked_for(tmp_path):
    nvidia, amd = card("0000:08:00.0", NVIDIA, "cuda0"), card("0000:44:00.0", AMD, "rsmi0")
    spec = node(tmp_path / "two.xml", [nvidia], [amd])
    with pytest.raises(
        InputError, match=r'has GPUs of 2 makers, NVIDIA and AMD.*near="nvidia" or near="amd"'
    ):
        cores_near(machines.load(spec), "gpu", 2, 1)
    with pytest.raises(InputError, match="GPUs of 2 makers"):
        shown(spec, [0, 2])
    assert shown(spec, [2], "amd") == [{"ROCR_VISIBLE_DEVICES": "0"}]
    assert sorted(cores_near(machines.load(spec), "nvidia", 2, 1)) == [0, 1]
    with pytest.raises(MissingError, match="shows no Intel GPU; `corewise topo` lists"):
        cores_near(machines.load(spec), "intel", 2, 1)
    console = card("0000:01:00.0", CONSOLE, "card0", kind="0300")
    spec = node(tmp_path / "console.xml", [nvidia, console])
    assert values(spec, [0], "CUDA_VISIBLE_DEVICES") == ["0"]


def test_gpus_on_cores_that_may_not_be_used_are_near_nothing(tmp_path):
    cards = [card(f"0000:8{i}:00.0", NVIDIA, f"cuda{i}") for i in range(2)]
    spec = node(tmp_path / "node.xml", [], cards, allowed=0b11)
    sentence = r"no core of .* is near a GPU: .* is attached to package 1, whose cores are all disallowed"
    with pytest.raises(InputError, match=sentence):
        cores_near(machines.load(spec), "gpu", 2, 1)
    with pytest.raises(InputError, match="is near cuda1: .* is attached to package 1"):
        cores_near(machines.load(spec), "cuda1", 2, 1)
    # If some GPUs are near cores that may be used, the others are left out.
    spec = node(tmp_path / "half.xml", cards[:1], cards[1:], allowed=0b11)
    assert sorted(cores_near(machines.load(spec), "gpu", 2, 1)) == [0, 1]
