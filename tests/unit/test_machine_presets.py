"""Every preset loads, has the counts of its paper, a source for each figure, and lists its assumptions."""

import pytest
from corewise.machines import load, preset, presets

# name: nodes, cores, hardware threads, levels above the core (lowest first)
EXPECTED = {
    "deception": (16, 1024, 1024, ["l3", "package", "node", "network"]),
    "devcluster": (16, 320, 320, ["package", "node", "network"]),
    "draco": (16, 128, 128, ["l2", "package", "node", "network"]),
    "draco-fitted": (16, 128, 128, ["l2", "package", "node", "network"]),
    "jaguar-xt5": (11, 128, 128, ["package", "node", "network"]),
    "jaguar-xt5-fitted": (11, 128, 128, ["package", "node", "network"]),
    "pe1550": (16, 32, 32, ["node", "network"]),
    "pe1550-fast-ethernet": (16, 32, 32, ["node", "network"]),
    "pe1550-giganet": (16, 32, 32, ["node", "network"]),
    "pe1550-gigabit": (16, 32, 32, ["node", "network"]),
    "pe1550-myrinet": (16, 32, 32, ["node", "network"]),
    "pe2950": (2, 8, 8, ["package", "node", "network"]),
    "perlmutter": (16, 2048, 4096, ["l3", "numa", "package", "node", "network"]),
}


def test_the_list_of_presets_is_the_expected_one():
    assert presets() == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_preset_has_the_counts_of_its_paper(name):
    machine = load(name)
    levels = [level.name for level in machine.levels]
    assert (machine.n_nodes, machine.n_cores, machine.n_pus, levels) == EXPECTED[name]
    assert machine.name.startswith(f"{name}:")


@pytest.mark.parametrize("name", EXPECTED)
def test_preset_follows_the_schema(name):
    file = preset(name)
    assert file.name == name
    assert file.summary and file.source
    assert (
        set(file.facts) <= {"paper", "elsewhere", "assumed"} and file.facts["paper"] and file.facts["assumed"]
    )
    machine = load(name)
    assert {level for level, _ in file.figures} == {level.name for level in machine.levels}
    for level in machine.levels:
        assert level.source and level.latency_s > 0 and level.bandwidth_bytes_per_s > 0


@pytest.mark.parametrize("name", EXPECTED)
def test_latency_rises_with_every_level(name):
    latencies = [level.latency_s for level in load(name).levels]
    assert latencies == sorted(latencies)


def test_the_link_speeds_of_the_hpl_paper_order_its_four_interconnects():
    # Section 2, table: 100 Mb/s, 1 Gb/s, 1.25 Gb/s, 2 Gb/s.
    names = ("pe1550-fast-ethernet", "pe1550-gigabit", "pe1550-giganet", "pe1550-myrinet")
    assert [load(name).levels[-1].bandwidth_bytes_per_s for name in names] == [12.5e6, 125e6, 156.25e6, 250e6]


def test_second_hardware_threads_of_perlmutter_are_numbered_after_all_first_ones():
    machine = load("perlmutter:2")
    assert machine.os_pus(0) == [0, 128]
    assert machine.os_pus(127) == [127, 255]
    assert machine.os_pus(128) == [0, 128]  # each node numbers its own hardware threads
