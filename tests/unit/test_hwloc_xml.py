"""hwloc's XML as users have it: version 3, compressed, under any name."""

from __future__ import annotations

import gzip
from pathlib import Path

import corewise
import pytest
from corewise.errors import InputError
from corewise.machines import load

FIXTURES = Path(__file__).parents[2] / "fixtures" / "topologies"
TWO = (FIXTURES / "gpus.xml").read_text()


def of_version(number: str) -> str:
    """The recorded node as hwloc 3 writes it: osdev types are bits, and tables come in other forms."""
    bits = {"1": "4", "2": "16", "3": "48", "5": "12"}
    text = TWO.replace('version="2.0"', f'version="{number}"')
    for before, after in bits.items():
        text = text.replace(f'osdev_type="{before}"', f'osdev_type="@{after}"')
    tables = '<memattr name="Bandwidth" flags="5"/><distances2><indexes>x</indexes></distances2>'
    return text.replace('osdev_type="@', 'osdev_type="').replace("</topology>", f"{tables}</topology>")


def devices(machine):
    return [(one.kind, one.bus_id, one.names, one.fabric_name) for one in machine.devices(0)]


def test_xml_of_hwloc_3_gives_the_same_machine_and_devices(tmp_path):
    (tmp_path / "new.xml").write_text(of_version("3.0"))
    new, old = load(str(tmp_path / "new.xml")), load(str(FIXTURES / "gpus.xml"))
    assert devices(new) == devices(old)
    assert new.fingerprint == old.fingerprint


def test_xml_of_a_later_hwloc_is_refused_with_the_way_to_write_it(tmp_path):
    (tmp_path / "new.xml").write_text(of_version("4.1"))
    with pytest.raises(InputError, match=r"hwloc 4 \(XML version 4\.1\).*lstopo --export-xml-flags 2"):
        load(str(tmp_path / "new.xml"))


class Topology:
    """The interface of pyhwloc.Topology, which binds hwloc 3 and writes XML of that version."""

    def export_xml_buffer(self, flags: int) -> str:
        assert flags == 0
        return of_version("3.0")


def test_a_topology_of_pyhwloc_is_a_machine_of_one_node():
    machine = corewise.machine(Topology())
    same = load(str(FIXTURES / "gpus.xml"))
    assert (machine.name, machine.n_nodes, machine.fingerprint) == ("topology", 1, same.fingerprint)
    assert devices(machine) == devices(same)
    assert corewise.map([[0, 1], [1, 0]], Topology()).placement.fingerprint == same.fingerprint


@pytest.mark.parametrize("name", ["NODE.XML", "node", "node.xml.gz", "node.gz"])
def test_xml_is_read_under_any_name_and_compressed(tmp_path, name):
    data = TWO.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert load(f"{tmp_path / name}:3").n_nodes == 3


def test_damaged_compressed_xml_and_a_file_of_another_kind_are_named(tmp_path):
    (tmp_path / "cut.xml.gz").write_bytes(gzip.compress(TWO.encode())[:-200])
    with pytest.raises(InputError, match=r"cut.xml.gz: damaged compressed data"):
        load(str(tmp_path / "cut.xml.gz"))
    (tmp_path / "slurm.conf").write_text("NodeName=n[1-4] Sockets=2\n")
    with pytest.raises(InputError, match=r"slurm.conf is there, but it is no machine"):
        load(str(tmp_path / "slurm.conf"))


def test_a_core_has_one_hardware_thread_if_nothing_is_said():
    assert load("synthetic:4:core:16").fingerprint == load("synthetic:4:core:16 pu:1").fingerprint
