"""Hosts of a job: names, the files and commands that are asked for them, and lists of nodes."""

from __future__ import annotations

import os

import pytest
from corewise.errors import InputError, MissingError
from corewise.launchers import LAUNCHERS, Launcher, parse_command
from corewise.launchers.hosts import Host, distinct, distinct_names
from corewise.start.application import hosts_of
from corewise.text.node_list import MOST_NODES, expand_node_list
from launcher_cases import TWO_FAMILIES


def hosts(launcher: Launcher, options: str, environment: dict[str, str] | None = None):
    command = parse_command([*launcher.start, *options.split(), "app"], launcher.options)
    found, source = hosts_of(command, launcher, environment or {})
    return [(host.name, host.n_slots) for host in found], source


def test_a_host_named_short_and_with_its_domain_is_one():
    named = [Host(name, 2) for name in ("n1", "n2.a", "N1.cluster", "n2.b", "n2.a", "10.0.0.1", "10.0.0.2")]
    found = [(host.name, host.n_slots) for host in distinct(named)]
    assert found == [("n1", 4), ("n2.a", 4), ("n2.b", 2), ("10.0.0.1", 2), ("10.0.0.2", 2)]


def test_a_flux_instance_is_asked_for_its_hosts(tmp_path, monkeypatch):
    flux = tmp_path / "flux"
    flux.write_text('#!/bin/sh\n[ "$*" = "getattr hostlist" ] && echo "c[1-2]-ib,c7"\n')
    flux.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    expected = [("c1-ib", None), ("c2-ib", None), ("c7", None)]
    assert hosts(TWO_FAMILIES, "", {"FLUX_URI": "local:///run/flux/local"}) == (expected, "allocation")
    assert hosts(TWO_FAMILIES, "", {}) == ([("localhost", None)], "nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingError, match="`flux getattr hostlist` did not answer"):
        hosts(TWO_FAMILIES, "", {"FLUX_URI": "local:///run/flux/local"})


def test_a_host_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not a text file"):
        hosts(LAUNCHERS["openmpi4"], f"--hostfile {tmp_path / 'binary'}")


def test_names_of_nodes_are_each_another():
    assert distinct_names("n1, n2") == ["n1", "n2"]
    assert distinct_names("n[08-10,3],login1") == ["n08", "n09", "n10", "n3", "login1"]


# as `scontrol show hostnames` of Slurm 22.05 prints them
NODE_LISTS = {
    "n[001-004,7],gpu1": "n001 n002 n003 n004 n7 gpu1",
    "r[0-1]n[0-2]": "r0n0 r0n1 r0n2 r1n0 r1n1 r1n2",
    "n[9-11]": "n9 n10 n11",
    "n[09-011]": "n09 n10 n11",
    "n[1-2][3-4]": "n13 n14 n23 n24",
    "n[1]": "n1",
    "n1,n1": "n1 n1",
    "n[1-2]m[003,001]": "n1m003 n1m001 n2m003 n2m001",
    "n[0-1]a[0-1]b[0-1]": "n0a0b0 n0a0b1 n1a0b0 n1a0b1 n0a1b0 n0a1b1 n1a1b0 n1a1b1",
}


@pytest.mark.parametrize("text", NODE_LISTS)
def test_a_node_list_expands_as_slurm_expands_it(text):
    assert expand_node_list(text) == NODE_LISTS[text].split()


def test_the_longest_node_list_is_expanded():
    assert len(expand_node_list("n[0-65535]")) == MOST_NODES
