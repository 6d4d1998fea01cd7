"""A machine as a SimGrid platform: the rates of links, from figures and from measured loads."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree

import pytest
from corewise.errors import InputError, MissingError
from corewise.machines import load
from corewise.model import LinkFigures, Machine, make_machine, read_topology_synthetic
from corewise.simulation.smpi import DEFAULT_EAGER_BYTES, SimGrid, eager_bytes
from corewise.simulation.smpi_platform import LinkClass, host_name, link_classes, loopback, platform_xml
from hypothesis import given, settings
from hypothesis import strategies as st

Loads = list[tuple[int, int, bool, float, float, float]]


def machine_with(package: LinkFigures, node: LinkFigures, network: LinkFigures | None = None) -> Machine:
    """Nodes of two packages of two cores: two nodes if figures of a network are given, else one."""
    shape = read_topology_synthetic("pack:2 core:2 pu:1")
    figures = [("package", package), ("node", node)] + ([("network", network)] if network else [])
    return make_machine("m", [shape], [0] * (2 if network else 1), [], figures, [])


def measured(latency_s: float, bandwidth: float, loads: Loads | None = None, **others) -> LinkFigures:
    return LinkFigures(latency_s, bandwidth, "measured", loads=loads or [], **others)


def load_of(pairs: int, links: int, both_ways: bool, rate: float) -> tuple:
    return (pairs, links, both_ways, rate, rate, rate)


def routes_of(xml: str) -> dict[tuple[str, str], list[str]]:
    """(from, to) -> links; links with two directions as "name:UP" or "name:DOWN"."""
    zone = ElementTree.fromstring(xml).find("zone")
    return {
        (route.get("src"), route.get("dst")): [
            ctn.get("id") + (f":{ctn.get('direction')}" if ctn.get("direction") else "") for ctn in route
        ]
        for route in zone.findall("route")
    }


def links_of(xml: str) -> dict[str, tuple[str, str, str]]:
    zone = ElementTree.fromstring(xml).find("zone")
    return {
        link.get("id"): (link.get("bandwidth"), link.get("latency"), link.get("sharing_policy"))
        for link in zone.findall("link")
    }


def test_a_route_has_the_latency_of_the_level_where_two_cores_meet():
    # Each end of a path has half of the latency: package 2 * 0.25 us = 0.5, node 2 * (0.25 + 0.15) = 0.8 us.
    classes = link_classes(machine_with(measured(0.5e-6, 4e9), measured(0.8e-6, 2e9)))
    assert [link.latency_s for link in classes] == [pytest.approx(0.25e-6), pytest.approx(0.15e-6)]
    assert [link.bandwidth for link in classes] == [4e9, 2e9]


def test_a_level_that_is_faster_than_the_one_below_adds_nothing():
    classes = link_classes(machine_with(measured(0.5e-6, 4e9), measured(0.4e-6, 2e9)))
    assert [link.latency_s for link in classes] == [0.25e-6, 0]


def test_a_link_carries_more_than_one_message_fills_where_that_was_measured():
    # One pair 2 GB/s, four pairs 6 GB/s together, both ways 8 of 12: limits for a single message and for both
    # directions.
    loads = [load_of(1, 1, False, 2e9), load_of(4, 1, False, 6e9), load_of(4, 1, True, 8e9)]
    link = link_classes(machine_with(measured(0, 9e9), measured(0, 2e9, loads)))[1]
    assert link == LinkClass(0, 6e9, stream=2e9, both_ways=8e9, bus=None)


def test_links_that_hinder_each_other_cross_one_bus():
    # Two packages get 3 GB/s together, one alone 2: less than 3/4 of 4. Messages within the node use the bus
    # twice.
    loads = [load_of(1, 1, False, 2e9), load_of(2, 2, False, 2.5e9), load_of(2, 2, True, 3e9)]
    machine = machine_with(measured(0, 9e9), measured(0, 9e9), measured(0, 2e9, loads))
    xml = platform_xml(machine, [0, 4])
    assert links_of(xml)["bus-3-0"] == ("6e+09Bps", "0s", "SHARED")
    assert routes_of(xml)[("group-2-1", "group-3-0")] == ["link-3-1:UP", "bus-3-0"]


def test_links_that_do_not_hinder_each_other_cross_none():
    loads = [load_of(1, 1, False, 2e9), load_of(2, 2, False, 3.9e9)]
    assert link_classes(machine_with(measured(0, 9e9), measured(0, 2e9, loads)))[1].bus is None


@given(
    st.sampled_from(["draco:3", "devcluster:1+8", "synthetic:3:core:1 pu:1", "perlmutter:2"]),
    st.data(),
)
@settings(max_examples=30, deadline=None)
def test_whatever_cores_are_taken_the_routes_are_a_tree_over_all_of_them(spec, data):
    machine = load(spec)
    cores = data.draw(st.sets(st.integers(0, machine.n_cores - 1), min_size=1, max_size=12))
    xml = platform_xml(machine, cores)
    zone = ElementTree.fromstring(xml).find("zone")
    hosts = {host.get("id") for host in zone.findall("host")}
    nodes = hosts | {router.get("id") for router in zone.findall("router")}
    routes = routes_of(xml)
    assert hosts == {host_name(core) for core in cores}
    assert {end for route in routes for end in route} == (nodes if len(nodes) > 1 else set())
    assert len(routes) == 2 * (len(nodes) - 1)
    assert all((dst, src) in routes for src, dst in routes)
    assert {link.partition(":")[0] for links in routes.values() for link in links} == set(links_of(xml))


def test_ranks_of_one_core_reach_each_other_as_through_the_lowest_level():
    assert loopback(machine_with(measured(1e-6, 4e9), measured(2e-6, 2e9))) == (1e-6, 4e9)


def test_the_eager_threshold_is_the_highest_levels_that_knows_one():
    assert eager_bytes(machine_with(measured(0, 1e9), measured(0, 1e9))) == DEFAULT_EAGER_BYTES
    of_package = measured(0, 1e9, eager_bytes=4096)
    assert eager_bytes(machine_with(of_package, measured(0, 1e9))) == 4096
    assert eager_bytes(machine_with(of_package, measured(0, 1e9, eager_bytes=70000))) == 70000


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ((3, 32), "surf/precision"),
        ((3, 34), "precision/timing"),
        ((4, 1), "precision/timing"),
    ],
)
def test_options_have_the_names_of_simgrids_version(version, name):
    options = SimGrid("smpirun", version).options(load("draco:2"), 1.0)
    assert [option for option in options if "precision" in option] == [f"--cfg={name}:1e-9"]


def test_without_simgrid_the_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        MissingError, match=r"smpirun was not found; install SimGrid \(Debian: libsimgrid-dev\)"
    ):
        SimGrid.find()


def test_a_simgrid_that_is_too_old_is_refused(monkeypatch, tmp_path):
    (tmp_path / "smpirun").write_text("#!/bin/sh\necho 'SimGrid version 3.25'\n")
    (tmp_path / "smpirun").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(InputError, match=r"is SimGrid 3\.25; expected 3\.32 or newer"):
        SimGrid.find()


def test_collectives_follow_the_rules_that_are_asked_for():
    simgrid, machine = SimGrid("smpirun", (3, 32)), load("draco:2")
    assert "--cfg=smpi/coll-selector:ompi" in simgrid.options(machine, 1.0)
    assert "--cfg=smpi/coll-selector:mpich" in simgrid.options(machine, 1.0, "mpich")


def test_computing_is_scaled_or_left_out():
    simgrid, machine = SimGrid("smpirun", (3, 32)), load("draco:2")
    twice = simgrid.options(machine, 2.0)
    assert "--cfg=smpi/simulate-computation:yes" in twice and "--cfg=smpi/host-speed:2e+09f" in twice
    assert "--cfg=smpi/simulate-computation:no" in simgrid.options(machine, 0.0)
